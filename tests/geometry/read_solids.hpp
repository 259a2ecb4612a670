#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "geometry/solids_2d.hpp"
#include "output/temporary_directory.hpp"

namespace knudsen::test {

/// Reads the elements of `geometry.solids`, given as JSON, from a case in `directory`.
inline Solids2D read_solids(const std::string& elements, int nx, int ny, double scale = 1,
                            const std::filesystem::path& directory = ".") {
  Solids2D solids;
  const auto document = CaseDocument::from_text(R"({"geometry": {"solids": [)" + elements + "]}}",
                                                "flow.json", directory);
  read_case(document, [&](CaseNode& root) {
    root.object("geometry", "Solids.",
                [&](CaseNode& geometry) { solids = read_solids_2d(geometry, nx, ny, scale); });
  });
  return solids;
}

/// Expects that the elements are refused with a message that contains all the given parts.
template <class... Parts>
void expect_refused(const std::string& elements, const Parts&... parts) {
  expect_error<InputError>([&] { read_solids(elements, 8, 6); }, "flow.json: geometry.solids",
                           parts...);
}

inline std::ptrdiff_t solid_nodes(const Solids2D& solids, std::int16_t index = 0) {
  return std::count(solids.body.begin(), solids.body.end(), index);
}

/// Index of the body at a node, -1 for fluid.
inline int body_at(const Solids2D& solids, int x, int y) {
  return *(solids.body.begin() + static_cast<std::ptrdiff_t>(y) * solids.nx + x);
}

/// The nodes as text, the northernmost row first: '.' for fluid, else the index of the body.
inline std::string drawing(const Solids2D& solids) {
  std::string rows;
  for (int y = solids.ny - 1; y >= 0; --y) {
    for (int x = 0; x < solids.nx; ++x) {
      const int body = body_at(solids, x, y);
      rows += body < 0 ? "." : std::to_string(body);
    }
    rows += '\n';
  }
  return rows;
}

}  // namespace knudsen::test
