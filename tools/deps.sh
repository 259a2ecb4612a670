#!/bin/bash
# Installs what building and testing Knudsen need, after saying what that is. Does nothing, quickly,
# where all is there. Kokkos is not among it: the build looks for one and, where there is none with
# the wanted backend, builds it in the build tree.
#
#   tools/deps.sh [--dry-run] [--without-tests] [--python] [--lint]
set -euo pipefail

packages=(cmake ninja-build g++ git libhdf5-dev nlohmann-json3-dev libcli11-dev libpng-dev
  zlib1g-dev libxxhash-dev libgtest-dev libgmock-dev libbenchmark-dev)
test_packages=(python3-vtk9 python3-h5py python3-numpy python3-jsonschema)
lint_packages=(clang-format clang-tidy libomp-dev)

dry_run=
lint=()
python=()
for argument; do
  case $argument in
    --dry-run) dry_run=1 ;;
    --without-tests) test_packages=() ;;
    --python) python=(python3) ;;
    --lint) lint=("${lint_packages[@]}") ;;
    *) sed -n '2,/^set/{/^#/s/^# \?//p}' "$0" && exit 1 ;;
  esac
done
packages+=("${test_packages[@]}" "${python[@]}" "${lint[@]}")

if ! command -v apt-get >/dev/null; then
  echo "This is not a Debian system, so nothing is installed. Building goes on with what is there;"
  echo "it needs, by their Debian names: ${packages[*]}"
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) || true
  [[ $status == installed ]] || missing+=("$package")
done

kokkos=$(cd "$(dirname "$0")/.." && pwd)/build/deps/kokkos-openmp
if [[ (${#missing[@]} -gt 0 || $dry_run) && ! -f $kokkos/recipe ]]; then
  echo "Kokkos: an installed one with the OpenMP backend is used. Where there is none, the build"
  echo "  makes one in build/deps (a minute or two; 60 MB) from the official release (6 MB to"
  echo "  download) or, where that cannot be reached, from Debian's source package (166 MB)."
fi
if [[ ${#missing[@]} == 0 ]]; then
  [[ ! $dry_run ]] || echo "All packages are installed."
  exit 0
fi
echo "Debian packages to install: ${missing[*]}"

install=(apt-get -q install --no-install-recommends "${missing[@]}")
# Simulated, since apt-get asks no question, and goes ahead, where nothing comes with the packages.
show_sizes() {
  "${install[@]}" --simulate 2>/dev/null | awk '/^Inst/ {print $2}' |
    xargs -r apt-cache show --no-all-versions |
    awk '/^Package:/ {++count} /^Size:/ {bytes += $2} /^Installed-Size:/ {kilobytes += $2}
         END {printf "  %d with what they need; %.0f MB to download, %.0f MB on disk\n",
                     count, bytes / 1e6, kilobytes / 1e3}'
}
if [[ $dry_run ]]; then
  show_sizes
  exit 0
fi

as_root=()
if [[ $(id -u) != 0 ]]; then
  as_root=(sudo)
  if ! command -v sudo >/dev/null || ! { sudo -n true 2>/dev/null || { [[ -t 0 ]] && sudo -v; }; }; then
    echo "They need root, and sudo does not work here. Ask an administrator for"
    echo "  apt-get install ${missing[*]}"
    echo "Building goes on with what is there."
    exit 0
  fi
fi
"${as_root[@]}" apt-get -q update
show_sizes
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "${install[@]}" -y
