#!/bin/bash
# The figures of docs/scaling.md. Workers have one processor each. GIB is the size of
# the arrays in GiB, and SHARDS the number of shards of 10 MB that are assembled.
#
#	bench/scale/run.sh FOLDER      with room for some eight times GIB
set -eu
dir=$1 gib=${GIB:-2} shards=${SHARDS:-1000}
here=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$dir"
[[ -e $dir/blosc2 ]] || (cd "$here/cmd/blosc2" && go build -o "$dir/blosc2" .)
[[ -e $dir/b2beam ]] || (cd "$here/beam" && go build -o "$dir/b2beam" ./b2beam)
cd "$dir"

# watch writes the most resident memory of a worker, in MiB, to a file every 50 ms
# until the file "watching" is gone.
watch() {
  local most=0 kb pid
  while [[ -e watching ]]; do
    for pid in $(pgrep -x 'blosc2|b2beam'); do
      { tr '\0' ' ' <"/proc/$pid/cmdline"; } 2>/dev/null | grep -qE '^[^ ]*blosc2 |--worker --id' || continue
      kb=$(awk '/VmHWM/ { print $2 }' "/proc/$pid/status" 2>/dev/null || true)
      [[ ${kb:-0} -le $most ]] || most=$kb
    done
    echo "$((most / 1024))" >memory
    sleep 0.05
  done
}

# took NAME COMMAND…: prints how long it took, and the processor time.
TIMEFORMAT='%R %U %S'
took() {
  local name=$1 watcher cpu
  shift
  touch watching
  watch &
  watcher=$!
  { time "$@" >log 2>&1 || { cat log >&2; exit 1; }; } 2>times
  rm watching
  wait "$watcher" || true
  last=$(awk '{ print $1 }' times) cpu=$(awk '{ print $2 + $3 }' times)
  printf '%-44s %8.2f s %8.2f s of processors %6s MiB\n' "$name" "$last" "$cpu" "$(cat memory)"
}

ratio() { awk "BEGIN { printf \"%-44s %8.2f\n\", \"$1\", $2 / $3 }"; }

worker() { GOMAXPROCS=1 ./blosc2 "$@"; }
both() { # both VERB…: two workers at a time
  worker "$@" --shard 0/2 -o shards in & local a=$!
  worker "$@" --shard 1/2 -o shards in & local b=$!
  wait $a && wait $b
}
one() { # one VERB…: one worker that makes both shards
  worker "$@" --shard 0/2 -o shards in && worker "$@" --shard 1/2 -o shards in
}
fresh() { rm -rf shards out.b2nd; }

rows=${ROWS:-$((gib * 1024))}
if [[ ! -e raw.f4 || $(stat -c %s raw.f4) != $((rows << 20)) ]]; then
  python3 - "$rows" <<'PY'
import array, math, random, sys
random.seed(1)
noise = [random.randint(-4, 4) / 100 for _ in range(10007)]
base = [math.sin(i / 50) * 20 for i in range(2048)]
planes = []
for p in range(16):
    a = array.array('f')
    for y in range(512):
        k = (p * 7919 + y * 31) % 9000
        a.extend(round(base[x + y * 2], 1) + noise[(k + x) % 10007] for x in range(512))
    planes.append(a.tobytes())
with open('raw.f4', 'wb') as f:
    for t in range(int(sys.argv[1])):
        f.write(planes[t % 16])
PY
fi
shape=(--shape "$rows,512,512" --dtype '<f4' --chunks 1,512,512)
echo "$rows MiB, $(nproc) processors, $(uname -m), $(date +%F)"

ln -sf raw.f4 in
cat raw.f4 >/dev/null
fresh; took "convert, one worker" one convert "${shape[@]}"; t=$last
fresh; took "convert, two workers" both convert "${shape[@]}"; own=$last
ratio "convert: 1 worker / 2 workers" "$t" "$own"
took "assemble" ./blosc2 assemble -o out.b2nd shards; own=$(awk "BEGIN { print $own + $last }")
mv out.b2nd in.b2nd
took "b2beam compress, two processes" ./b2beam --workers 2 compress -o out.b2nd "${shape[@]}" raw.f4
cmp out.b2nd in.b2nd
ratio "compress: b2beam / own shards" "$last" "$own"

ln -sf in.b2nd in
cat in.b2nd >/dev/null
for by in 0 1,2; do
  fresh; took "reduce --mean --axis $by, one worker" one reduce --mean --axis $by; t=$last
  fresh; took "reduce --mean --axis $by, two workers" both reduce --mean --axis $by
  ratio "reduce: 1 worker / 2 workers" "$t" "$last"
done

fresh; took "rechunk to the same chunks" ./blosc2 rechunk --memory 2G --chunks 1,512,512 -o out.b2nd in.b2nd; t=$last
fresh; took "rechunk along the other axis" ./blosc2 rechunk --memory 2G --chunks "$rows,8,8" -o out.b2nd in.b2nd
ratio "rechunk: the other axis / the same chunks" "$last" "$t"
mv out.b2nd want.b2nd
fresh; took "rechunk, two workers" both rechunk --memory 256M --chunks "$rows,8,8"; own=$last
took "assemble" ./blosc2 assemble -o out.b2nd shards; own=$(awk "BEGIN { print $own + $last }")
cmp out.b2nd want.b2nd; fresh
took "b2beam rechunk, two processes" ./b2beam --workers 2 rechunk -o out.b2nd --chunks "$rows,8,8" in.b2nd
cmp out.b2nd want.b2nd
ratio "rechunk: b2beam / own shards" "$last" "$own"
rm -f out.b2nd want.b2nd in.b2nd

rm -rf shards; head -c $((shards * 10000000)) /dev/urandom >noise
for ((k = 0; k < shards; k++)); do
  ./blosc2 compress -q -l 0 --chunk 1000000 --shard "$k/$shards" -o shards noise
done
rm noise
sync
all() { cat shards/*.b2shard >cat.out; sync cat.out; }
took "cat of $shards shards of 10 MB" all; t=$last; rm cat.out
took "assemble of them" ./blosc2 assemble -o out.b2frame shards
ratio "assemble / cat" "$last" "$t"; rm out.b2frame
took "assemble --unchecked of them" ./blosc2 assemble --unchecked -o out.b2frame shards
ratio "assemble --unchecked / cat" "$last" "$t"
rm -rf out.b2frame shards
