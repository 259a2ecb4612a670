"""Solids from arrays: files in the formats that cases name."""

import gzip
import os
from typing import Any, Dict, Union

import numpy

from ._arrays import host_array
from ._knudsen import InputError

Path = Union[str, "os.PathLike[str]"]


def voxels(values: Any, file: Path, **keys: Any) -> Dict[str, Any]:
    """Writes an array as a voxel image and returns the solid of a case that names it.

        solid = knudsen.voxels(image > 0.5, "bed.nrrd", name="bed")
        case = knudsen.Case(source, geometry={"solids": [solid]})

    `values` has the shape (nz, ny, nx), one voxel for each node, and the type bool, uint8 or
    uint16; True is solid. `file` is an NRRD file, replaced if it exists. `keys` are those of the
    shape "voxel-image" in docs/case-format.md: `name`, `threshold`, `solid`, `at`. Raises
    InputError for another shape or type.
    """
    array = host_array(values, "values")
    if array.dtype == bool:
        array = array.astype(numpy.uint8)
    if array.ndim != 3 or not array.size:
        raise InputError(f"values: found the shape {array.shape}, must be (nz, ny, nx)")
    if array.dtype not in (numpy.uint8, numpy.uint16):
        raise InputError(f"values: found the type {array.dtype}, must be bool, uint8 or uint16")
    nz, ny, nx = array.shape
    header = (f"NRRD0004\ntype: {array.dtype.name}\ndimension: 3\nsizes: {nx} {ny} {nz}\n"
              "endian: little\nencoding: gzip\n\n")
    data = gzip.compress(array.astype(array.dtype.newbyteorder("<")).tobytes(), 6, mtime=0)
    _write(file, header.encode() + data)
    return {"shape": "voxel-image", "file": os.path.abspath(file), **keys}


def mesh(surface: Any, file: Path, **keys: Any) -> Dict[str, Any]:
    """Writes triangles as an STL file and returns the solid of a case that names it.

        solid = knudsen.mesh((vertices, faces), "body.stl", name="body", translate=[20, 20, 20])

    `surface` is a pair of the vertices, shape (n, 3), and the three vertices of each triangle,
    integers of shape (m, 3); or an object that has these: `vertices` and `faces` as of trimesh,
    `points` and `cells_dict["triangle"]` as of meshio. STL keeps single precision. `file` is
    replaced if it exists. `keys` are those of the shape "stl" in docs/case-format.md. Raises
    InputError for other arrays; whether the surface is closed the case checks.
    """
    vertices, faces = _arrays(surface)
    if vertices.ndim != 2 or vertices.shape[1] != 3 or not numpy.isfinite(vertices).all():
        raise InputError(f"vertices: found the shape {vertices.shape}, must be (n, 3) with finite "
                         "numbers")
    if faces.ndim != 2 or faces.shape[1] != 3 or not numpy.issubdtype(faces.dtype, numpy.integer):
        raise InputError(f"faces: found the shape {faces.shape} and the type {faces.dtype}, must "
                         "be (m, 3) with integers")
    if not len(faces) or faces.min() < 0 or faces.max() >= len(vertices):
        raise InputError(f"faces: must name vertices from 0 to {len(vertices) - 1} in at least one "
                         "triangle")
    triangles = numpy.zeros(len(faces), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)),
                                               ("attribute", "<u2")])
    triangles["corners"] = vertices[faces]
    _write(file, b"knudsen".ljust(80) + numpy.uint32(len(faces)).astype("<u4").tobytes()
           + triangles.tobytes())
    return {"shape": "stl", "file": os.path.abspath(file), **keys}


def _arrays(surface: Any) -> Any:
    pair: Any
    if hasattr(surface, "vertices") and hasattr(surface, "faces"):
        pair = surface.vertices, surface.faces
    elif hasattr(surface, "points") and hasattr(surface, "cells_dict"):
        if "triangle" not in surface.cells_dict:
            raise InputError("surface: has no triangles")
        pair = surface.points, surface.cells_dict["triangle"]
    elif isinstance(surface, (tuple, list)) and len(surface) == 2:
        pair = surface
    else:
        raise InputError(f"surface: found a {type(surface).__name__}, must be a pair (vertices, "
                         "faces) or a mesh")
    vertices, faces = host_array(pair[0], "vertices"), host_array(pair[1], "faces")
    if vertices.dtype.kind not in "fiu":
        raise InputError("vertices: must be an array of numbers of the shape (n, 3)")
    return vertices.astype(float), faces


def _write(file: Path, content: bytes) -> None:
    written = f"{os.fspath(file)}.tmp"
    try:
        with open(written, "wb") as stream:
            stream.write(content)
        os.replace(written, file)
    except OSError as error:
        raise InputError(f"{os.fspath(file)}: cannot be written: {error.strerror}") from error
