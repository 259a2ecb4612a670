#pragma once

#include <array>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "geometry/shape_3d.hpp"

namespace knudsen {

/// What the readers of shapes need to know of the domain.
struct ShapeDomain {
  std::array<int, 3> nodes{};  ///< number of nodes along each axis
  double scale = 1;            ///< node spacings per unit of length of the case
  std::array<bool, 3> periodic{false, false, false};

  /// In node spacings.
  Point3D size() const {
    return {static_cast<double>(nodes[0]), static_cast<double>(nodes[1]),
            static_cast<double>(nodes[2])};
  }
};

/// "64 x 64 x 128"
std::string size_text(const std::array<int, 3>& size);

/// The kinds of exact shapes that a case can choose. Reading one sets `shape`, in node spacings and
/// with its copies along periodic axes, and appends to `warnings`. In describing mode `shape` is
/// unspecified. It is null if only an estimate is asked for and the shape takes long to build.
std::vector<CaseNode::Alternative> shape_alternatives(const ShapeDomain& domain,
                                                      Shape3DPointer& shape,
                                                      std::vector<std::string>& warnings);

}  // namespace knudsen
