// Reads the Zarr v3 arrays at the URLs given, with zarrita, and prints the shape,
// type and digest of the items of each. The first argument is zarrita's module.
import { createHash } from 'node:crypto';

const zarr = await import(process.argv[2]);
for (const url of process.argv.slice(3)) {
  const a = await zarr.open.v3(new zarr.FetchStore(url), { kind: 'array' });
  const { data, shape } = await zarr.get(a);
  const bytes = data.buffer ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);
  console.log(JSON.stringify({ shape, dtype: String(a.dtype), digest: createHash('sha256').update(bytes).digest('hex') }));
}
