// Metadata, and lines of code that read what is shown.

import { json, path, el, whole, drawn } from './api.js';

const labels = { kind: 'kind', zarr_format: 'format', stored: 'bytes of the files', generation: 'layout', nchunks: 'chunks', nbytes: 'bytes of the items', cbytes: 'bytes of the chunks', ratio: 'ratio', typesize: 'bytes of an item', chunksize: 'bytes of a chunk', blocksize: 'bytes of a block', dtype: 'type', clevel: 'level', splitmode: 'split mode', dict: 'dictionary', frame_len: 'bytes of the frame', sealed: 'sealed', ordered: 'chunks in order', checked: 'digests' };

export async function metadata(m, host) {
  try {
    const i = await json('/info/' + path(m.path));
    const row = (k, v) => el('tr', {}, el('th', { scope: 'row' }, k), el('td', {}, v));
    const rows = [];
    for (const [k, t] of Object.entries(labels)) if (i[k] !== undefined) rows.push(row(t, typeof i[k] === 'number' ? (k === 'ratio' ? i[k].toFixed(3) : whole(i[k])) : i[k] === true ? 'yes' : i[k] === false ? 'no' : String(i[k])));
    if (i.codec) rows.push(row('codec', i.codec.name + (i.codec.meta ? ` (${i.codec.meta})` : '')));
    if (i.filters) rows.push(row('filters', i.filters.filter(f => f.id).map(f => f.name + (f.meta ? ` (${f.meta})` : '')).join(', ') || 'none'));
    if (i.b2nd) rows.push(row('shape', i.b2nd.shape.join(' × ')), row('chunk shape', i.b2nd.chunkshape.join(' × ')), row('block shape', i.b2nd.blockshape.join(' × ')));
    if (i.zarr_format) rows.push(row('shape', i.shape.join(' × ')), row(i.inner_chunks ? 'shards' : 'chunks', i.chunks.join(' × ')), ...(i.inner_chunks ? [row('chunks', i.inner_chunks.join(' × '))] : []), row('codecs', i.codecs.join(', ')));
    host.replaceChildren();
    if (i.columns) host.append(el('h2', {}, 'Columns'), el('table', { id: 'info' }, ...i.columns.map(c => row(c.name, c.kind + (c.nullable ? ', nullable' : ''))), ...(i.computed ?? []).map(c => row(c.name, `${c.kind}, computed: ${c.expression}`))));
    if (i.metadata) host.append(el('h2', {}, 'Metadata'), el('pre', {}, JSON.stringify(i.metadata, null, 2)));
    if (i.attributes) host.append(el('h2', {}, 'Attributes'), el('pre', {}, JSON.stringify(i.attributes, null, 2)));
    if (i.columns) { drawn(); return; }
    for (const [key, title] of [['vlmetalayers', 'Metadata (vlmetalayers)'], ['', i.schema === 'blosc2.info/1' ? 'Frame' : 'Array'], ['metalayers', 'Metalayers']]) if (!key) host.append(el('h2', {}, title), el('table', { id: 'info' }, ...rows)); else if (i[key]?.length) {
      host.append(el('h2', {}, title), el('table', {}, ...i[key].map(l => row(l.name, l.value !== undefined ? (typeof l.value === 'string' ? l.value : el('pre', {}, JSON.stringify(l.value, null, 2))) : el('code', {}, l.content.length > 160 ? l.content.slice(0, 160) + '…' : l.content)))));
    }
    drawn();
  } catch (e) {
    m.fail(e);
  }
}

const gotypes = { f4: 'float32', f8: 'float64', i1: 'int8', i2: 'int16', i4: 'int32', i8: 'int64', u1: 'uint8', u2: 'uint16', u4: 'uint32', u8: 'uint64', c8: 'complex64', c16: 'complex128', b1: 'bool' };

export function code(m, host, url) {
  const file = new URL('/f/' + path(m.path), location.href).href, type = gotypes[m.info.dtype.replace(/[<>|=]/, '')];
  const quoted = JSON.stringify(m.shownWindow);
  const quit = '\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n';
  const read = type ? `\titems, err := b2nd.Read[${type}](a, w)\n` : '\tsize := int64(a.ItemSize())\n\tfor _, n := range w.Shape() {\n\t\tsize *= n\n\t}\n\titems := make([]byte, size)\n\tif err := a.ReadWindow(items, w); err != nil {\n\t\tlog.Fatal(err)\n\t}\n';
  const texts = {
    curl: `curl -o window.npy '${url}'`,
    Python: `import io, urllib.request, numpy\na = numpy.load(io.BytesIO(urllib.request.urlopen(\n    ${JSON.stringify(url)}).read()))`,
    Go: 'package main\n\nimport (\n' + ['context', 'fmt', 'log', '', 'github.com/seed03b80dae/blosc2/b2nd', 'github.com/seed03b80dae/blosc2/remote'].map(n => n && `\t"${n}"`).join('\n') + '\n)\n\nfunc main() {\n' +
      [`\to, err := remote.Open(context.Background(), ${JSON.stringify(file)})\n`, '\ta, err := b2nd.Open(o, o.Size())\n', `\tw, err := b2nd.ParseWindow(${quoted}, a.Shape())\n`].map(l => l + quit).join('') + read + (type ? quit : '') + '\tfmt.Println(len(items))\n}',
    Zarr: `zarr.open_array(${JSON.stringify(new URL('/zarr/' + path(m.path), location.href).href)}, mode="r")`,
  };
  if (m.info.kind !== 'b2nd' || !m.file()) delete texts.Go;
  if (m.info.kind === 'table') {
    texts.curl = `curl -o rows.csv '${url}'`;
    texts.Python = `import pandas\nt = pandas.read_csv(${JSON.stringify(url)})`;
    delete texts.Zarr;
  }
  const was = host.querySelector('details')?.open;
  host.replaceChildren(el('details', { open: was === true }, el('summary', {}, 'Read what is shown with curl, Python or Go'), ...Object.entries(texts).map(([name, text]) => {
    const b = el('button', { onclick: async () => { await navigator.clipboard?.writeText(text).catch(() => {}); b.textContent = 'Copied'; setTimeout(() => { b.textContent = 'Copy'; }, 1200); }, 'aria-label': `Copy the lines for ${name}` }, 'Copy');
    return el('div', {}, el('pre', { 'data-code': name }, text), b);
  })));
}
