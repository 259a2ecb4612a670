#!/bin/bash
# Runs clang-tidy on the project's own sources, in parallel, and prints only its findings.
#   tools/tidy.sh BUILD_DIRECTORY [JOBS]
set -euo pipefail

build=${1:?usage: tools/tidy.sh BUILD_DIRECTORY [JOBS]}
jobs=${2:-$(nproc)}
root=$(cd "$(dirname "$0")/.." && pwd)
command -v clang-tidy >/dev/null || {
  echo "clang-tidy is not installed (Debian: clang-tidy libomp-dev; tools/deps.sh --lint)" >&2
  exit 1
}

# The compiled sources except those of dependencies and tests.
mapfile -t sources < <(sed -n 's/^ *"file": "\(.*\.cpp\)",\?$/\1/p' \
  "$build/compile_commands.json" | grep -E "^$root/(src|apps)/" | sort -u)
[[ ${#sources[@]} -gt 0 ]] || {
  echo "$build/compile_commands.json has no source of src/ or apps/" >&2
  exit 1
}
# Clang does not know all warnings of GCC.
database=$(mktemp -d)
trap 'rm -rf "$database"' EXIT
sed -E 's/-Wno-stringop-overflow//g' \
  "$build/compile_commands.json" >"$database/compile_commands.json"
failed=0
printf '%s\0' "${sources[@]}" |
  xargs -0 -n 1 -P "$jobs" clang-tidy -p "$database" --quiet 2> >(grep -v ' warnings\? generated' >&2) ||
  failed=1
if [[ $failed == 0 ]]; then echo "clang-tidy: ${#sources[@]} files clean"; fi
exit $failed
