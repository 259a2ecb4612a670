#pragma once

// Fields whose components are quantities of a node, which a kernel evaluates.

#include "device/function.hpp"
#include "methods/lattice/field_values.hpp"

namespace knudsen::lbm {

/// What a field shows of a quantity of a node. Density and pressure are made of rho - 1.
enum class Shown { as_it_is, density, pressure, gauge_pressure, above_offset };

template <class Real>
KNUDSEN_INLINE_FUNCTION Real shown(Shown what, Real value, double offset = 0, double unit = 1) {
  if (what == Shown::above_offset) return Real(offset + unit * double(value));
  if (what == Shown::as_it_is) return value;
  if (what == Shown::gauge_pressure) return value / Real(3);
  return what == Shown::density ? 1 + value : (1 + value) / Real(3);
}

/// A field with one quantity of a node in each component.
template <class NodeQuantity>
struct NodeField {
  NodeQuantity first;  ///< component c is the quantity that follows this one by c
  int components = 1;
  Shown what = Shown::as_it_is;
  double offset = 0;  ///< of Shown::above_offset
  double unit = 1;    ///< likewise: what a value of 1 stands for

  KNUDSEN_INLINE_FUNCTION NodeQuantity quantity(int component) const {
    return static_cast<NodeQuantity>(static_cast<int>(first) + component);
  }
  /// Values on the host; node_values(quantity) returns those of a quantity.
  template <class NodeValues>
  FieldValues on_host(const NodeValues& node_values) const {
    if (components == 1) {
      return transformed(node_values(first),
                         [this](auto value) { return shown(what, value, offset, unit); });
    }
    return interleaved(static_cast<std::size_t>(components),
                       [&](std::size_t c) { return node_values(quantity(static_cast<int>(c))); });
  }
};

}  // namespace knudsen::lbm
