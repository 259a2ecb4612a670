#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/piecewise_field.hpp"
#include "model/problem.hpp"
#include "parallel/shared_cells.hpp"
#include "run/faults.hpp"

namespace knudsen {

/// The planes of a rank, given Method::own_planes.
inline OwnPlanes planes_or_all(const std::optional<OwnPlanes>& planes, const Problem& problem) {
  return planes.value_or(OwnPlanes{2, 0, world().is_first() ? problem.grid.cells[2] : 0});
}

/// A field of which each rank has the values in its own cells, read by the first rank piece by
/// piece: it never has more than its own values and a piece. The other ranks `serve` what its
/// functions ask for. With one rank no value is copied.
class SharedField final : public PiecewiseField {
 public:
  /// Collective. `own` are the values in the cells of these planes; without them the first rank has
  /// all.
  SharedField(Field own, const std::optional<OwnPlanes>& planes, const Problem& problem);
  /// Ends `serve` on the other ranks.
  ~SharedField() override;

  const Quantity& quantity() const override { return own_.quantity; }
  Values values(std::size_t begin, std::size_t end) override;
  /// Each rank puts together and packs one of so many pieces as there are ranks; the first one
  /// takes them. The pieces must be those of FieldPacking with shared_piece_bytes().
  void pack_pieces(const std::vector<std::size_t>& ends, const Pack& pack,
                   const std::function<void(const PackedCells&)>& take) override;
  /// Such that the pieces of all ranks, and what they are compressed to, have the bytes of one.
  static std::size_t shared_piece_bytes() {
    return world().piece_bytes() / (2 * static_cast<std::size_t>(world().size()));
  }
  /// The values in the cells [begin, end) as a field.
  Field part(std::size_t begin, std::size_t end);
  /// The values in some cells, by their places in the field.
  CellValues pick(const std::vector<std::size_t>& cells);
  /// See field_fault.
  std::optional<std::string> fault();

  /// On the other ranks: takes part in what the first one does until that destroys its SharedField.
  void serve();

 private:
  enum class Request : int { values, pack, pick, fault, end };
  struct SentRequest {
    Request request;
    std::size_t begin, end;
  };
  void tell(Request request, std::size_t begin = 0, std::size_t end = 0);
  // Collective.
  void gather(std::size_t begin, std::size_t end);
  void pack_share(const std::vector<std::size_t>& ends, const Pack& pack,
                  const std::function<void(const PackedCells&)>& take) const;
  template <class Value>
  std::vector<Value> exchange(const std::vector<Value>& own, const std::vector<std::size_t>& ends,
                              std::size_t first) const;
  std::vector<double> gather_picked(std::vector<std::size_t>& cells) const;
  FaultyCells gather_faults() const;
  /// Values in those of these cells that this rank owns.
  std::vector<double> own_values(const std::vector<std::size_t>& cells) const;

  Field own_;
  const Problem& problem_;
  SharedCells cells_;
  bool asking_ = false;  ///< an answer has not come
  decltype(Field::values) piece_;
};

}  // namespace knudsen
