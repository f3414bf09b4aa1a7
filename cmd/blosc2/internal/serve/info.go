package serve

import (
	"net/http"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/names"
	"github.com/seed03b80dae/blosc2/frame"
)

// A summary holds the information about an array that the page shows.
type summary struct {
	Kind       string   `json:"kind"` // b2nd, frame, chunk, store, group, folder or file
	Shape      []int64  `json:"shape"`
	ChunkShape []int64  `json:"chunkshape"`
	BlockShape []int64  `json:"blockshape"`
	DType      string   `json:"dtype"`
	Fields     []field  `json:"fields,omitempty"`
	Numeric    bool     `json:"numeric"`
	Complex    bool     `json:"complex"`
	ItemSize   int      `json:"itemsize"`
	NBytes     int64    `json:"nbytes"`
	CBytes     int64    `json:"cbytes"`             // stored bytes of the file
	Dims       []string `json:"dims,omitempty"`     // names of the dimensions, if known
	Quantity   string   `json:"quantity,omitempty"` // name of the numbers, if known
	Tag        string   `json:"tag"`
}

// A field describes a field of the items.
type field struct {
	Name    string `json:"name"`
	DType   string `json:"dtype"`
	Shape   []int  `json:"shape,omitempty"`
	Numeric bool   `json:"numeric"`
	Complex bool   `json:"complex"`
}

// summarize describes an array stored in size bytes.
func (d *dataset) summarize(size int64, tag string) *summary {
	s := &summary{
		Kind: d.kind, Shape: d.shape, ChunkShape: d.chunks, BlockShape: d.blocks,
		DType: d.dtype.String(), ItemSize: int(d.itemBytes()),
		NBytes: mul(product(d.shape), d.itemBytes()), CBytes: size, Tag: tag,
	}
	s.Dims, s.Quantity = names.Dimensions(d.said, len(d.shape)), names.Quantity(d.said, d.dtype)
	_, err := converterOf(d.dtype, "abs")
	s.Numeric, s.Complex = err == nil, d.dtype.Kind == 'c'
	for _, f := range d.dtype.Fields {
		_, err := converterOf(f.Type, "abs")
		s.Fields = append(s.Fields, field{f.Name, f.Type.String(), f.Shape, err == nil && f.Shape == nil, f.Type.Kind == 'c'})
	}
	return s
}

// opened opens the array at the path of a request.
func (s *Server) opened(r *http.Request) (at *spot, h *handle, d *dataset, release func(), err error) {
	if at, err = s.find(r.PathValue("path")); err != nil {
		return
	}
	if h, release, err = s.files.open(at); err != nil {
		return
	}
	if d, err = h.dataset(s.files, at.key); err != nil {
		release()
	}
	return
}

// info answers with the description of a frame.
func (s *Server) info(w http.ResponseWriter, r *http.Request) error {
	v, err := s.description(r.PathValue("path"))
	if err != nil {
		return err
	}
	return answerJSON(w, r, v)
}

func (s *Server) description(name string) (any, error) {
	at, err := s.find(name)
	if err != nil {
		return nil, err
	}
	h, release, err := s.files.open(at)
	if err != nil {
		return nil, err
	}
	defer release()
	if t, ok, err := h.table(at.key); ok {
		if err != nil {
			return nil, err
		}
		return describeTable(t)
	}
	d, err := h.dataset(s.files, at.key)
	if err != nil {
		return nil, err
	}
	if d.zarr != nil && s.DescribeZarr != nil {
		return s.DescribeZarr(at.path, d.zarr.fsys, d.zarr.folder)
	}
	if d.frame == nil || s.Describe == nil {
		return d.summarize(at.info.Size(), h.tag()), nil
	}
	size := at.info.Size()
	if h.store != nil {
		size = d.frame.FrameLen()
	}
	return s.Describe(at.path, d.frame, size)
}

// maxMap is the largest number of chunks that chunks lists.
const maxMap = 1 << 18

// maxFarMap is the largest number of files of a remote Zarr folder that are
// examined for the map. Each takes a request.
const maxFarMap = 256

func errMap(n int64) error {
	return statusf(http.StatusRequestEntityTooLarge, "the array has %d chunks; at most %d are listed", n, maxMap)
}

// zarrChunks answers with the stored sizes of the chunks of a Zarr array. If the array
// has shards, it lists their inner chunks.
func (d *dataset) zarrChunks(w http.ResponseWriter, r *http.Request, far bool) error {
	z := d.zarr.array.Clone()
	m := chunkMap{Counts: z.Counts(), NBytes: d.chunkBytes(), Exact: true}
	if n := product(m.Counts); n > maxMap || z.Files() > maxMap {
		return errMap(n)
	}
	if n := z.Files(); far && n > maxFarMap {
		return statusf(http.StatusRequestEntityTooLarge, "the array has %d files of chunks at the URL; the map shows at most %d", n, maxFarMap)
	}
	var err error
	if m.CBytes, err = z.StoredSizes(r.Context()); err != nil {
		return err
	}
	return answerJSON(w, r, m)
}

// A chunkMap lists the chunks of a frame in C order.
type chunkMap struct {
	Counts []int64 `json:"counts"` // number of chunks along each dimension
	NBytes int64   `json:"nbytes"` // decoded bytes of a whole chunk
	CBytes []int64 `json:"cbytes"` // stored bytes of each chunk; 0 if no bytes are stored for it
	Exact  bool    `json:"exact"`  // the sizes are from the chunks' headers, not from their offsets
}

// chunks answers with the stored sizes of the chunks.
func (s *Server) chunks(w http.ResponseWriter, r *http.Request) error {
	at, _, d, release, err := s.opened(r)
	if err != nil {
		return err
	}
	defer release()
	if d.zarr != nil {
		return d.zarrChunks(w, r, at.place.zarr != nil)
	}
	if d.frame == nil {
		return badf("only frames and Zarr arrays have a map of chunks")
	}
	n := d.frame.NumChunks()
	if n > maxMap {
		return errMap(n)
	}
	m := chunkMap{NBytes: d.chunkBytes(), CBytes: make([]int64, n), Exact: d.frame.Order() == frame.ByIndex}
	for i := range d.shape {
		m.Counts = append(m.Counts, (d.shape[i]+d.chunks[i]-1)/d.chunks[i])
	}
	if len(m.Counts) == 0 || product(m.Counts) != n {
		m.Counts = []int64{n}
	}
	for i := range n {
		if err := r.Context().Err(); err != nil {
			return err
		}
		m.CBytes[i] = d.frame.StoredLen(i)
		if m.Exact && m.CBytes[i] > 0 {
			h, err := d.frame.ChunkHeader(i)
			if err != nil {
				return err
			}
			m.CBytes[i] = int64(h.CBytes)
		}
	}
	return answerJSON(w, r, m)
}
