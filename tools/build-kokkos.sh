#!/bin/bash
# Builds Kokkos and Kokkos-Kernels and installs them under PREFIX. CMake calls this if no installed
# Kokkos has the requested backend; it can also be called by hand.
#
#   tools/build-kokkos.sh [--backend openmp|cuda] [--from any|release|debian] PREFIX
#
# --from any (the default) takes the official release. If that cannot be downloaded, it takes Debian's
# source package for the OpenMP backend. A second call with the same options does nothing.
#
# Environment:
#   KOKKOS_SOURCE, KOKKOS_KERNELS_SOURCE  unpacked sources to build instead of downloading them
#   KOKKOS_ARCH    Kokkos' name of the GPU to compile for, e.g. HOPPER90 (default: this machine's)
set -euo pipefail

release=5.0.2
kokkos_sha256=188817bb452ca805ee8701f1c5adbbb4fb83dc8d1c50624566a18a719ba0fa5e
kernels_sha256=7c7af2c3659ecc620cc7b7016876330d9f288e8c6fd7b70b70907687df823b43
tools=$(cd "$(dirname "$0")" && pwd)

say() { echo "Kokkos: $*"; }
fail() {
  echo "Kokkos: $*" >&2
  exit 1
}

backend=openmp
from=any
prefix=
while (($#)); do
  case $1 in
    --backend) backend=${2:?} && shift ;;
    --from) from=${2:?} && shift ;;
    -h | --help) sed -n '2,/^set/{/^#/s/^# \?//p}' "$0" && exit 0 ;;
    -*) fail "unknown option $1; see --help" ;;
    *) prefix=$1 ;;
  esac
  shift
done
[[ $backend == openmp || $backend == cuda ]] || fail "backend \"$backend\": openmp or cuda"
[[ $from == any || $from == release || $from == debian ]] ||
  fail "source \"$from\": any, release or debian"
[[ $prefix ]] || fail "no PREFIX given; see --help"
[[ $backend == openmp || $from != debian ]] ||
  fail "Debian's Kokkos is too old for CUDA versions with C++20; use the release"
mkdir -p "$prefix"
prefix=$(cd "$prefix" && pwd)

# Only one of several concurrent configurations may build Kokkos.
exec 9>"$prefix.lock"
flock 9
recipe="$backend $from ${KOKKOS_ARCH:-} ${KOKKOS_SOURCE:-} ${KOKKOS_KERNELS_SOURCE:-}
$(cat "$0" "$tools/kokkos-from-debian.sh" | sha256sum)"
if [[ -f $prefix/recipe && $(<"$prefix/recipe") == "$recipe" ]]; then
  say "already built in $prefix"
  exit 0
fi

work=$prefix.work
log=$prefix.log
mkdir -p "$work"
rm -rf "${prefix:?}"/*

# fetch_release NAME SHA256: the official release archive, unpacked to $work/NAME.
fetch_release() {
  local name=$1 archive=$work/$1.tar.gz
  local url=https://github.com/kokkos/$name/releases/download/$release/$name-$release.tar.gz
  say "downloading $url"
  cmake -DURL="$url" -DFILE="$archive" -DSHA256="$2" -P "$tools/../cmake/Download.cmake"
  [[ -f $archive ]] && rm -rf "${work:?}/$name" && mkdir "$work/$name" &&
    tar -xf "$archive" -C "$work/$name" --strip-components=1
}

from_release() {
  fetch_release kokkos $kokkos_sha256 && fetch_release kokkos-kernels $kernels_sha256
}

if [[ ${KOKKOS_SOURCE:-} && ${KOKKOS_KERNELS_SOURCE:-} ]]; then
  kokkos=$KOKKOS_SOURCE
  kernels=$KOKKOS_KERNELS_SOURCE
else
  kokkos=$work/kokkos
  kernels=$work/kokkos-kernels
  if [[ $from != debian ]] && from_release; then
    :
  elif [[ $from != release && $backend == openmp ]]; then
    [[ $from == debian ]] || say "the release cannot be downloaded; trying Debian's source package"
    "$tools/kokkos-from-debian.sh" "$work" || fail "the source of Kokkos could not be downloaded"
  else
    fail "release $release cannot be downloaded"
  fi
fi

generator=()
if command -v ninja >/dev/null; then generator=(-G Ninja); fi
jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}

# build NAME SOURCE OPTIONS...
build() {
  local name=$1 source=$2
  shift 2
  say "building $name (log: $log)"
  {
    cmake -S "$source" -B "$work/build-$name" "${generator[@]}" -DCMAKE_BUILD_TYPE=Release \
      -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_CXX_STANDARD=20 \
      -DCMAKE_CXX_FLAGS=-w -DCMAKE_POSITION_INDEPENDENT_CODE=ON "$@" &&
      cmake --build "$work/build-$name" -j "$jobs" &&
      cmake --install "$work/build-$name"
  } >>"$log" 2>&1 9>&- || {
    tail -n 30 "$log" >&2
    fail "building $name failed; the full log is $log"
  }
}

: >"$log"
rm -rf "$work"/build-*
options=(-DKokkos_ENABLE_OPENMP=ON -DKokkos_ENABLE_SERIAL=ON)
# Kokkos 3 ignores CMAKE_CXX_STANDARD; later versions reject Kokkos_CXX_STANDARD.
if grep -qi 'set(Kokkos_VERSION_MAJOR 3)' "$kokkos/CMakeLists.txt"; then
  options+=(-DKokkos_CXX_STANDARD=20)
fi
compiler=()
if [[ $backend == cuda ]]; then
  command -v nvcc >/dev/null || PATH=$PATH:/usr/local/cuda/bin
  command -v nvcc >/dev/null ||
    fail "nvcc is neither on the PATH nor in /usr/local/cuda/bin; the CUDA backend needs it"
  options+=(-DKokkos_ENABLE_CUDA=ON)
  if [[ ${KOKKOS_ARCH:-} ]]; then
    options+=("-DKokkos_ARCH_$KOKKOS_ARCH=ON")
  elif ! nvidia-smi >/dev/null 2>&1; then
    fail "this machine has no GPU; name the one to compile for, e.g. KOKKOS_ARCH=HOPPER90"
  fi
  compiler=("-DCMAKE_CXX_COMPILER=$kokkos/bin/nvcc_wrapper")
fi
build kokkos "$kokkos" "${compiler[@]}" "${options[@]}"
if [[ $backend == cuda ]]; then compiler=("-DCMAKE_CXX_COMPILER=$prefix/bin/nvcc_wrapper"); fi
build kokkos-kernels "$kernels" "${compiler[@]}" -DCMAKE_PREFIX_PATH="$prefix" \
  -DKokkosKernels_ADD_DEFAULT_ETI=OFF -DKokkosKernels_ENABLE_TPL_CUBLAS=OFF \
  -DKokkosKernels_ENABLE_TPL_CUSPARSE=OFF -DKokkosKernels_ENABLE_TPL_CUSOLVER=OFF

rm -rf "$work"
echo "$recipe" >"$prefix/recipe"
say "installed in $prefix"
