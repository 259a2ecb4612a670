#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "core/field.hpp"

namespace knudsen {

/// Cells of a field as bytes of a file: those of several chunks, one after the other.
struct PackedCells {
  std::vector<std::uint64_t> sizes;  ///< bytes of each chunk
  std::vector<char> bytes;
};

/// A field whose values come piece by piece, so that nobody need hold all of them.
class PiecewiseField {
 public:
  using Values = std::variant<std::span<const float>, std::span<const double>>;

  PiecewiseField() = default;
  virtual ~PiecewiseField() = default;
  PiecewiseField(const PiecewiseField&) = delete;
  PiecewiseField& operator=(const PiecewiseField&) = delete;

  virtual const Quantity& quantity() const = 0;
  /// The values in the cells [begin, end), valid until the next call. All pieces have numbers of
  /// the same type.
  virtual Values values(std::size_t begin, std::size_t end) = 0;

  /// Packs a piece, by its number, of which these are the values.
  using Pack = std::function<PackedCells(std::size_t piece, const Values& values)>;
  /// Calls take(pack(piece, values)) for each piece in turn: all cells up to ends[0], to ends[1],
  /// and so on. Other ranks may do a part of the packing.
  virtual void pack_pieces(const std::vector<std::size_t>& ends, const Pack& pack,
                           const std::function<void(const PackedCells&)>& take) {
    std::size_t begin = 0;
    for (std::size_t piece = 0; piece < ends.size(); begin = ends[piece++]) {
      take(pack(piece, values(begin, ends[piece])));
    }
  }
};

/// One that is in memory as a whole.
class WholeField final : public PiecewiseField {
 public:
  explicit WholeField(Field field) : field_(std::move(field)) {}

  const Quantity& quantity() const override { return field_.quantity; }
  Values values(std::size_t begin, std::size_t end) override {
    const auto components = static_cast<std::size_t>(field_.quantity.components);
    return std::visit(
        [&](const auto& all) -> Values {
          return std::span(all).subspan(begin * components, (end - begin) * components);
        },
        field_.values);
  }

 private:
  Field field_;
};

/// The values of a field in some cells.
struct CellValues {
  Quantity quantity;
  std::vector<double> values;  ///< (cell, component), in the order of the cells asked for

  double operator()(std::size_t cell, std::size_t component) const {
    return values[cell * static_cast<std::size_t>(quantity.components) + component];
  }
};

}  // namespace knudsen
