#!/bin/bash
# Unpacks Kokkos and Kokkos-Kernels from Debian's source package of Trilinos to DIRECTORY/kokkos
# and DIRECTORY/kokkos-kernels. Needs apt, but neither root nor source entries in the machine's apt
# configuration, of which it uses a copy with source entries in place of the binary ones.
#
#   tools/kokkos-from-debian.sh DIRECTORY
set -euo pipefail

[[ $# == 1 ]] || {
  echo "usage: $0 DIRECTORY" >&2
  exit 1
}
command -v apt-get >/dev/null || {
  echo "Kokkos: this system has no apt-get to download Debian's source package with" >&2
  exit 1
}
mkdir -p "$1"
directory=$(cd "$1" && pwd)
apt=$directory/apt
mkdir -p "$apt/sources" "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/download"

shopt -s nullglob
for file in /etc/apt/sources.list.d/*.sources; do
  sed 's/^Types:.*/Types: deb-src/' "$file" >"$apt/sources/$(basename "$file")"
done
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
  [[ -f $file ]] || continue
  sed -n 's/^[[:space:]]*deb\(-src\)\?[[:space:]]/deb-src /p' "$file" |
    sort -u >"$apt/sources/$(basename "$file")"
done

private_apt() {
  apt-get -q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$apt/sources" \
    -o Dir::State::Lists="$apt/lists" -o Dir::Cache="$apt/cache" -o Dir::Cache::srcpkgcache= \
    -o Dir::Cache::pkgcache= -o Acquire::Languages=none -o APT::Sandbox::User=root "$@"
}
echo "Kokkos: downloading Debian's source package trilinos (166 MB)"
{
  # Entries without sources fail here, which does not matter as long as the package is found.
  private_apt update || true
  (cd "$apt/download" && private_apt source --download-only trilinos)
} >"$directory/apt.log" 2>&1 || {
  tail -n 10 "$directory/apt.log" >&2
  echo "Kokkos: Debian's source package trilinos could not be downloaded" >&2
  exit 1
}

rm -rf "$directory/kokkos" "$directory/kokkos-kernels"
tar -xf "$apt"/download/trilinos_*.orig.tar.* -C "$directory" --strip-components=2 --wildcards \
  '*/packages/kokkos/*' '*/packages/kokkos-kernels/*'
rm -rf "$apt"
