#!/bin/sh
# GNU parallel, on this machine or, with --sshloginfile, on several that share the
# file system: parallel.sh INPUT FOLDER OUT SHARDS
set -e
seq 0 $(($4 - 1)) | parallel -q --retries 3 --halt soon,fail=1 blosc2 -q compress --shard "{}/$4" -j 1 -o "$2" "$1"
blosc2 assemble -o "$3" "$2"
