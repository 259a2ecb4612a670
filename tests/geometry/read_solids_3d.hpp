#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "geometry/solids_3d.hpp"
#include "output/temporary_directory.hpp"

namespace knudsen::test {

/// A domain of nodes, by default not periodic.
struct Domain3D {
  int nx = 8;
  int ny = 8;
  int nz = 8;
  double scale = 1;
  std::array<bool, 3> periodic{false, false, false};
  std::filesystem::path directory = ".";
};

/// Reads the elements of `geometry.solids`, given as JSON.
inline Solids3D read_solids(const std::string& elements, const Domain3D& domain = {},
                            bool rasterised = true) {
  Solids3D solids;
  const auto document = CaseDocument::from_text(R"({"geometry": {"solids": [)" + elements + "]}}",
                                                "flow.json", domain.directory);
  read_case(document, [&](CaseNode& root) {
    root.object("geometry", "Solids.", [&](CaseNode& geometry) {
      solids = read_solids_3d(geometry, domain.nx, domain.ny, domain.nz, domain.scale,
                              domain.periodic, {}, rasterised);
    });
  });
  return solids;
}

/// Expects that the elements are refused with a message that contains all the given parts.
template <class... Parts>
void expect_refused(const Domain3D& domain, const std::string& elements, const Parts&... parts) {
  expect_error<InputError>([&] { read_solids(elements, domain); }, "flow.json: geometry.solids",
                           parts...);
}

inline double solid_nodes(const Solids3D& solids, std::int16_t index = 0) {
  return static_cast<double>(std::count(solids.body.begin(), solids.body.end(), index));
}

/// Index of the body at a node, -1 for fluid.
inline int body_at(const Solids3D& solids, int x, int y, int z) {
  return *(solids.body.begin() + (static_cast<std::ptrdiff_t>(z) * solids.ny + y) * solids.nx + x);
}

/// The nodes of the domain, in the order of `body`.
template <class Visit>
void for_nodes(const Solids3D& solids, const Visit& visit) {
  for (int z = 0; z < solids.nz; ++z) {
    for (int y = 0; y < solids.ny; ++y) {
      for (int x = 0; x < solids.nx; ++x) visit(x, y, z);
    }
  }
}

/// Expects that the solids in some planes, and in rows, are those of the whole domain. The ring of
/// planes has one more than an axis that is not periodic has nodes. All bodies must be seen.
inline void expect_same_in_planes(const std::string& elements, const Domain3D& domain) {
  const Solids3D whole = read_solids(elements, domain);
  const Solids3D parts = read_solids(elements, domain, false);
  ASSERT_TRUE(parts.body.empty());
  const std::array<int, 3> nodes{domain.nx, domain.ny, domain.nz};
  const auto expect_same = [&](const NodePlanes& planes, int axis, int begin, int end, int ring) {
    std::vector<std::uint64_t> covers(parts.bodies.size(), 0);
    const std::vector<std::int16_t> found = parts.body_in(planes, &covers);
    ASSERT_EQ(found.size(), planes.size());
    int wrong = 0;
    std::size_t covered = 0;
    for_nodes(whole, [&](int x, int y, int z) {
      const std::array<int, 3> at{x, y, z};
      const int plane = at[static_cast<std::size_t>(axis)];
      bool expected = false;
      for (int p = begin; p < end; ++p) expected = expected || (p + ring) % ring == plane;
      if (planes.covers(at) != expected) ++wrong;
      if (!planes.covers(at)) return;
      ++covered;
      if (found[planes(at)] != body_at(whole, x, y, z)) ++wrong;
      const int body = body_at(whole, x, y, z);
      if (body >= 0 && covers[static_cast<std::size_t>(body)] == 0) ++wrong;
    });
    EXPECT_EQ(wrong, 0) << axis << ' ' << begin << ' ' << end;
    EXPECT_LE(covered, planes.size());
  };
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const int ring = nodes[a] + (domain.periodic[a] ? 0 : 1);
    const int cuts[] = {0, 1, ring / 3, ring / 3 + 1, ring - 2, ring};
    for (std::size_t i = 0; i + 1 < std::size(cuts); ++i) {
      const int begin = cuts[i] - 1;
      const int end = cuts[i + 1] + 1;
      expect_same(NodePlanes(nodes, axis, begin, end, ring), axis, begin, end, ring);
    }
  }
  for (int z = 0; z < domain.nz; z += 3) {
    for (int y = 0; y < domain.ny; y += 2) {
      const std::vector<std::int16_t> row = parts.body_in_row(y, z);
      const auto first = whole.body.begin() + std::ptrdiff_t{z * domain.ny + y} * domain.nx;
      EXPECT_TRUE(std::equal(row.begin(), row.end(), first)) << y << ' ' << z;
    }
  }
}

/// Calls visit(x, y, z, dx, dy, dz) for all links of D3Q27 from a fluid node to a node of the body
/// or to a periodic image of one.
template <class Visit>
void for_wall_links(const Solids3D& solids, int body, const Visit& visit) {
  const auto wrapped = [](int coordinate, int size) { return (coordinate + size) % size; };
  for_nodes(solids, [&](int x, int y, int z) {
    if (body_at(solids, x, y, z) >= 0) return;
    for (int dz = -1; dz <= 1; ++dz) {
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          if (body_at(solids, wrapped(x + dx, solids.nx), wrapped(y + dy, solids.ny),
                      wrapped(z + dz, solids.nz)) == body) {
            visit(x, y, z, dx, dy, dz);
          }
        }
      }
    }
  });
}

/// Where the link from `start` first enters the sphere, as a fraction of the link.
inline double entry_into_sphere(const Point3D& start, const Point3D& link, const Point3D& centre,
                                double radius) {
  double along = 0;
  double length = 0;
  double gap = -radius * radius;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    along += (start[axis] - centre[axis]) * link[axis];
    length += link[axis] * link[axis];
    gap += (start[axis] - centre[axis]) * (start[axis] - centre[axis]);
  }
  return (-along - std::sqrt(along * along - length * gap)) / length;
}

}  // namespace knudsen::test
