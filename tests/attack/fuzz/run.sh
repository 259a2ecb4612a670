#!/bin/bash
# run.sh BUILD SECONDS: runs every fuzzer that is in the build folder for so long, starting from the samples in
# BUILD/seeds and what earlier runs found of use. What crashes a reader is kept in BUILD/found.
set -euo pipefail
build=$1
seconds=$2
TMPDIR=$(mktemp -d -p /dev/shm)  # the readers' file, in memory
export TMPDIR
trap 'rm -r "$TMPDIR"' EXIT
failed=0
mkdir -p "$build/found"
for program in "$build"/tests/attack/fuzz/fuzz_*; do
  reader=${program##*/fuzz_}
  mkdir -p "$build/corpus/$reader"
  options=(-max_total_time="$seconds" -timeout=10 -rss_limit_mb=1500 -artifact_prefix="$build/found/$reader-")
  sanitizer=detect_leaks=1
  if [[ $reader == checkpoint || $reader == field_file || $reader == probes ]]; then
    # HDF5 1.10 leaks memory when it refuses a damaged file, and asks for as much memory as such a file says.
    sanitizer=detect_leaks=0:allocator_may_return_null=1
    options+=(-max_len=60000)
  fi
  ASAN_OPTIONS=$sanitizer nice "$program" "${options[@]}" "$build/corpus/$reader" "$build/seeds/$reader" \
    > "$build/found/$reader.log" 2>&1 && status=ok || { status=FAILED; failed=1; }
  echo "$reader: $status; $(grep -E 'ERROR: |runtime error|^Done' "$build/found/$reader.log" | head -n 1)"
done
exit $failed
