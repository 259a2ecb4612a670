"""Reads a file that vtkhdf_test.cpp wrote by VTK's own reader and by h5py and compares its values.

usage: check_vtkhdf.py KIND FILE; ends with 77 where a module is missing.
"""

import sys

try:
    import h5py
    import numpy as np
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOHDF import vtkHDFReader
except ImportError as error:
    print(error)
    sys.exit(77)

ALL_KINDS = {"density": 1, "pressure": 1, "velocity": 2, "force": 3, "stress": 6}
# kind: cells, origin, spacing, components of each field
KINDS = {
    "plane": ((7, 5, 1), (-0.5, 2, 0), (0.25, 0.5, 1), ALL_KINDS),
    "box": ((4, 3, 6), (0, 0, 1), (0.5, 0.5, 0.5), ALL_KINDS),
    "many": ((700, 900, 1), (0, 0, 0), (1, 1, 1), {"density": 1, "velocity": 2}),
    "line": ((5, 1, 1), (0, 0, 0), (1, 1, 1), ALL_KINDS),
    "column": ((1, 5, 1), (0, 0, 0), (1, 1, 1), ALL_KINDS),
    "nan": ((3, 1, 1), (0, 0, 0), (1, 1, 1), {"density": 1}),
}
# Cells of unequal width along x.
STRETCHED = ((4, 3, 2), ((0, 0.5, 1.5, 3, 4), (1, 1.5, 2, 2.5), (0, 1, 2)), ALL_KINDS)
SINGLE_PRECISION = ("density", "velocity")


def expected(kind, cells, components):
    """Array [nz, ny, nx, components], the third component of a plane vector 0."""
    if kind == "nan":
        return np.array([np.nan, np.inf, 1]).reshape(1, 1, 3, 1)
    z, y, x, c = np.meshgrid(*(np.arange(n) for n in (*cells[::-1], components)), indexing="ij")
    values = x + 100.0 * y + 10000.0 * z + 0.125 * c
    if components == 2:
        values = np.concatenate([values, np.zeros_like(values[..., :1])], axis=-1)
    return values


def check_vtk(kind, path):
    cells, origin, spacing, fields = KINDS[kind]
    reader = vtkHDFReader()
    assert reader.CanReadFile(path)
    reader.SetFileName(path)
    reader.Update()
    image = reader.GetOutput()
    assert image.GetClassName() == "vtkImageData", image.GetClassName()
    points = [max(n, 2) if axis > 0 else n for axis, n in enumerate(cells)]
    first = [o + (0.5 * h if n == m else 0) for o, h, n, m in zip(origin, spacing, cells, points)]
    assert image.GetExtent() == tuple(v for n in points for v in (0, n - 1)), image.GetExtent()
    assert image.GetOrigin() == tuple(first), image.GetOrigin()
    assert image.GetSpacing() == tuple(map(float, spacing)), image.GetSpacing()
    data = image.GetPointData()
    assert data.GetNumberOfArrays() == len(fields), data
    for name, components in fields.items():
        want = expected(kind, cells, components)
        want = np.broadcast_to(want, (*points[::-1], want.shape[-1]))
        got = vtk_to_numpy(data.GetArray(name)).reshape(want.shape)
        np.testing.assert_array_equal(got, want, err_msg=name)


def check_stretched(path):
    cells, edges, fields = STRETCHED
    reader = vtkHDFReader()
    reader.SetFileName(path)
    reader.Update()
    grid = reader.GetOutput()
    assert grid.GetClassName() == "vtkUnstructuredGrid", grid.GetClassName()
    assert grid.GetNumberOfCells() == np.prod(cells)
    data = grid.GetCellData()
    assert data.GetNumberOfArrays() == len(fields), data
    for name, components in fields.items():
        want = expected("stretched", cells, components)
        got = vtk_to_numpy(data.GetArray(name)).reshape(want.shape)
        np.testing.assert_array_equal(got, want, err_msg=name)
    for number in range(grid.GetNumberOfCells()):
        at = (number % cells[0], number // cells[0] % cells[1], number // cells[0] // cells[1])
        cell = grid.GetCell(number)
        assert cell.GetClassName() == "vtkHexahedron"
        bounds = tuple(v for axis, i in enumerate(at) for v in edges[axis][i : i + 2])
        assert cell.GetBounds() == bounds, (cell.GetBounds(), bounds)


def check_surface(path):
    """Faces of the cells 0, 18 and 23 of STRETCHED, on the six sides in turn."""
    cells, edges, _ = STRETCHED
    reader = vtkHDFReader()
    reader.SetFileName(path)
    reader.Update()
    grid = reader.GetOutput()
    assert grid.GetNumberOfCells() == 18
    number = np.arange(18.0)
    got = {name: vtk_to_numpy(grid.GetCellData().GetArray(name))
           for name in ("pressure", "shear_stress")}
    np.testing.assert_array_equal(got["pressure"], number)
    np.testing.assert_array_equal(got["shear_stress"],
                                  number[:, None] + 0.25 * np.arange(3))
    corners = set()
    for n in range(18):
        side, cell = n // 3, (0, 18, 23)[n % 3]
        at = (cell % cells[0], cell // cells[0] % cells[1], cell // cells[0] // cells[1])
        bounds = [list(edges[axis][i : i + 2]) for axis, i in enumerate(at)]
        bounds[side // 2] = [bounds[side // 2][side % 2]] * 2
        quad = grid.GetCell(n)
        assert quad.GetClassName() == "vtkQuad"
        assert list(quad.GetBounds()) == sum(bounds, []), (n, quad.GetBounds(), bounds)
        p = [np.array(quad.GetPoints().GetPoint(i)) for i in range(4)]
        normal = np.cross(p[1] - p[0], p[2] - p[1])
        outward = np.eye(3)[side // 2] * (1 if side % 2 else -1)
        assert (normal / np.linalg.norm(normal) == outward).all(), (n, normal)
        corners.update(map(tuple, p))
    assert grid.GetNumberOfPoints() == len(corners)  # neighbours share their points
    with h5py.File(path, "r") as file:
        attributes = file["VTKHDF/CellData/pressure"].attrs
        assert attributes["unit"] == b"Pa"
        assert attributes["description"] == b"values of pressure"
        assert file["knudsen"].attrs["step"] == 1200


def check_h5py(kind, path):
    cells, _, _, fields = KINDS[kind]
    with h5py.File(path, "r") as file:
        group = file["VTKHDF"]
        assert group.attrs["Type"] == b"ImageData"
        assert list(group.attrs["Version"]) == [1, 0]
        assert list(group.attrs["Direction"]) == [1, 0, 0, 0, 1, 0, 0, 0, 1]
        assert set(group["PointData"]) == set(file["fields"]) == set(fields)
        for name, components in fields.items():
            dataset = file["fields"][name]
            want = expected(kind, cells, components)
            if components == 1:
                want = want[..., 0]
            assert dataset.shape == want.shape
            np.testing.assert_array_equal(dataset[()], want, err_msg=name)
            assert dataset.compression == "gzip" and dataset.shuffle
            if kind in ("plane", "box", "line", "column"):
                assert dataset.dtype == ("<f4" if name in SINGLE_PRECISION else "<f8")
                assert dataset.attrs["unit"] == b"m/s"
                assert dataset.attrs["description"] == b"values of " + name.encode()
        run = file["knudsen"].attrs
        assert run["title"].decode() == "a title, café"
        assert run["method"] == b"lbm_d2q9"
        assert (run["step"], run["time"], run["reynolds"]) == (1200, 0.75, 100.5)


if __name__ == "__main__":
    if sys.argv[1] == "stretched":
        check_stretched(sys.argv[2])
        sys.exit()
    if sys.argv[1] == "surface":
        check_surface(sys.argv[2])
        sys.exit()
    check_vtk(*sys.argv[1:])
    check_h5py(*sys.argv[1:])
