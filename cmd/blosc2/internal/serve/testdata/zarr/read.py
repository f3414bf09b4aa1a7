# Reads the Zarr v3 arrays at the URLs given, with zarr-python, and prints the
# shape, type and digest of the items of each. The chunks are fetched first: Zarr
# would do that itself with fsspec and aiohttp.
import hashlib
import itertools
import json
import sys
import urllib.request

import numpy
import zarr
from zarr.core.buffer import default_buffer_prototype


def fetch(url):
    return default_buffer_prototype().buffer.from_bytes(urllib.request.urlopen(url).read())


def load(base):
    store = {"zarr.json": fetch(base + "/zarr.json")}
    meta = json.loads(store["zarr.json"].to_bytes())
    sides = zip(meta["shape"], meta["chunk_grid"]["configuration"]["chunk_shape"])
    for index in itertools.product(*[range(-(-n // c)) for n, c in sides]):
        key = "/".join(["c", *map(str, index)])
        store[key] = fetch(base + "/" + key)
    return zarr.open_array(zarr.storage.MemoryStore(store), mode="r")


for url in sys.argv[1:]:
    items = numpy.asarray(load(url)[...])
    print(json.dumps({"shape": list(items.shape), "dtype": str(items.dtype), "digest": hashlib.sha256(numpy.ascontiguousarray(items).tobytes()).hexdigest()}))
