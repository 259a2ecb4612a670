#!/bin/bash
# Installs the Debian packages that building and testing Knudsen need, after listing them. Returns at
# once if all are installed. Kokkos is not among them: the build finds one or builds it in the build
# tree.
#
#   tools/deps.sh [--dry-run] [--without-tests] [--python] [--module] [--pictures] [--docs] [--lint]
set -euo pipefail

packages=(cmake ninja-build g++ git libhdf5-dev nlohmann-json3-dev libcli11-dev libpng-dev
  zlib1g-dev libxxhash-dev libgtest-dev libgmock-dev libbenchmark-dev)
module_packages=(python3-dev python3-numpy python3-h5py pybind11-dev)
picture_packages=(python3-matplotlib)  # for the tutorials; the tests do without
docs_packages=(python3-sphinx python3-myst-parser furo python3-breathe doxygen)
test_packages=(python3-vtk9 xvfb python3-jsonschema libopenmpi-dev openmpi-bin "${module_packages[@]}"
  "${docs_packages[@]}")
lint_packages=(clang-format clang-tidy libomp-dev)

dry_run=
lint=()
python=()
module=()
pictures=()
docs=()
for argument; do
  case $argument in
    --dry-run) dry_run=1 ;;
    --without-tests) test_packages=() ;;
    --python) python=(python3) ;;
    --module) module=("${module_packages[@]}") ;;
    --pictures) pictures=("${picture_packages[@]}") ;;
    --docs) docs=("${docs_packages[@]}") ;;
    --lint) lint=("${lint_packages[@]}") ;;
    *) sed -n '2,/^set/{/^#/s/^# \?//p}' "$0" && exit 1 ;;
  esac
done
packages+=("${test_packages[@]}" "${python[@]}" "${module[@]}" "${pictures[@]}" "${docs[@]}" "${lint[@]}")

if ! command -v apt-get >/dev/null; then
  echo "This is not a Debian system, so no packages are installed. The build continues with what is"
  echo "installed. It needs, by their Debian names: ${packages[*]}"
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) || true
  [[ $status == installed ]] || missing+=("$package")
done

kokkos=$(cd "$(dirname "$0")/.." && pwd)/build/deps/kokkos-openmp
if [[ (${#missing[@]} -gt 0 || $dry_run) && ! -f $kokkos/recipe ]]; then
  echo "Kokkos: an installed one with the OpenMP backend is used. If there is none, one is built in"
  echo "  build/deps (a minute or two; 60 MB) from the official release (6 MB to download) or, if that"
  echo "  cannot be downloaded, from Debian's source package (166 MB)."
fi
if [[ ${#missing[@]} == 0 ]]; then
  [[ ! $dry_run ]] || echo "All packages are installed."
  exit 0
fi
echo "Debian packages to install: ${missing[*]}"

install=(apt-get -q install --no-install-recommends "${missing[@]}")
# From a simulation, since apt-get installs without asking if there are no additional packages.
show_sizes() {
  "${install[@]}" --simulate 2>/dev/null | awk '/^Inst/ {print $2}' |
    xargs -r apt-cache show --no-all-versions |
    awk '/^Package:/ {++count} /^Size:/ {bytes += $2} /^Installed-Size:/ {kilobytes += $2}
         END {printf "  %d with their dependencies; %.0f MB to download, %.0f MB on disk\n",
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
    echo "Installing them needs root, and sudo does not work here. Ask an administrator for"
    echo "  apt-get install ${missing[*]}"
    echo "The build continues with what is installed."
    exit 0
  fi
fi
"${as_root[@]}" apt-get -q update
show_sizes
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "${install[@]}" -y
