#pragma once

#include <array>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "geometry/shape_3d.hpp"

namespace knudsen {

/// The domain as far as shapes are concerned.
struct ShapeDomain {
  std::array<int, 3> nodes{};
  double scale = 1;  ///< lengths of the case times this are node spacings
  std::array<bool, 3> periodic{false, false, false};

  Point3D size() const {
    return {static_cast<double>(nodes[0]), static_cast<double>(nodes[1]),
            static_cast<double>(nodes[2])};
  }
};

/// "64 x 64 x 128"
std::string size_text(const std::array<int, 3>& size);

/// The kinds of exact shapes that a case may name. The reader of the one that the case chooses sets
/// `shape`, in node spacings, with its copies along periodic axes, and adds to the warnings. It
/// leaves `shape` null in describing mode.
std::vector<CaseNode::Alternative> shape_alternatives(const ShapeDomain& domain,
                                                      Shape3DPointer& shape,
                                                      std::vector<std::string>& warnings);

}  // namespace knudsen
