#pragma once

#include <array>
#include <memory>
#include <vector>

#include "device/kokkos.hpp"
#include "kinetic/velocity_space.hpp"
#include "methods/gas/slab.hpp"
#include "parallel/exchange.hpp"

namespace knudsen {

/// Numbers of a row that go to another rank: `count` runs of `length` adjacent ones, at a distance
/// of `stride`.
struct RowRuns {
  int first = 0;
  int length = 0;
  int stride = 0;
  int count = 1;

  KOKKOS_INLINE_FUNCTION int size() const { return count * length; }
};

/// Runs of a cell's values, one row a cell: all of them.
template <class ExecutionSpace, class Real>
RowRuns all_velocities(const VelocitySpace<ExecutionSpace, Real>& v) {
  return {0, v.size(), v.size(), 1};
}

/// Runs of a cell's values that stream along an axis into a slab from the ghost layers below (0)
/// and above (1) it.
template <class ExecutionSpace, class Real>
std::array<RowRuns, 2> inward_velocities(const VelocitySpace<ExecutionSpace, Real>& v, int axis) {
  const auto nodes = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v.nodes[axis]);
  int negative = 0;
  int not_positive = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(v.count[axis]); ++i) {
    negative += nodes(i) < 0 ? 1 : 0;
    not_positive += nodes(i) > 0 ? 0 : 1;
  }
  const int rest = v.count[axis] - negative;
  if (axis == 0) {
    return {{{negative * v.plane, rest * v.plane, 0, 1}, {0, not_positive * v.plane, 0, 1}}};
  }
  if (axis == 1) {
    const int row = v.row_length;
    return {{{negative * row, rest * row, v.plane, v.count[0]},
             {0, not_positive * row, v.plane, v.count[0]}}};
  }
  // Padding counts as velocity 0, which streams as positive ones do. With rotation a row has
  // entries of both signs behind those of positive velocities.
  const int first = v.rotation > 0 ? 0 : negative;
  const int last = v.rotation > 0 ? v.entries : not_positive;
  return {
      {{first, v.row_length - first, v.row_length, v.rows()}, {0, last, v.row_length, v.rows()}}};
}

/// Copies runs of the rows of a layer to or from a buffer; one team a row.
template <class ExecutionSpace, class Value>
struct MoveRuns {
  Value* rows;
  std::size_t row_size;
  RowRuns runs;
  Value* buffer;
  bool to_buffer;

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const auto row = static_cast<std::size_t>(team.league_rank());
    Value* values = rows + row * row_size + runs.first;
    Value* packed = buffer + row * static_cast<std::size_t>(runs.size());
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, runs.count), [&](int run) {
      Value* in_row =
          values + static_cast<std::size_t>(run) * static_cast<std::size_t>(runs.stride);
      Value* in_buffer =
          packed + static_cast<std::size_t>(run) * static_cast<std::size_t>(runs.length);
      const Value* from = to_buffer ? in_row : in_buffer;
      Value* to = to_buffer ? in_buffer : in_row;
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, runs.length),
                           [&](int n) { to[n] = from[n]; });
    });
  }
};

/// Fills the ghost layers of arrays of rows, one row a cell, with the rows of the ranks that own
/// these cells.
template <class ExecutionSpace, class Value>
class GhostExchange {
 public:
  GhostExchange() = default;
  /// `runs`: what the ghost layers below (0) and above (1) a slab need of a row. `ghosts_behind`:
  /// how the arrays store layers, see CellSlab. `first_tag` tells exchanges of different arrays
  /// from each other.
  GhostExchange(const std::vector<CellSlab>& slabs, int rank, const std::array<RowRuns, 2>& runs,
                bool ghosts_behind, int first_tag)
      : layer_cells_(slabs[static_cast<std::size_t>(rank)].layer_cells) {
    const CellSlab& slab = slabs[static_cast<std::size_t>(rank)];
    const auto add = [&](const LayerMessage& m, bool to_send) {
      const RowRuns& part = runs[static_cast<std::size_t>(m.side)];
      if (part.size() == 0) return;
      const int stored = ghosts_behind ? slab.with_ghosts_behind(m.place) : m.place;
      const int tag = first_tag + m.tag;
      const auto numbers =
          static_cast<std::size_t>(layer_cells_) * static_cast<std::size_t>(part.size());
      const auto message = to_send ? exchange_.template add_send<Value>(m.rank, tag, numbers)
                                   : exchange_.template add_receive<Value>(m.rank, tag, numbers);
      (to_send ? sends_ : receives_).push_back({stored, part, message});
    };
    for (const LayerMessage& m : layers_to_send(slabs, rank)) add(m, true);
    for (const LayerMessage& m : layers_to_receive(slabs, rank)) add(m, false);
  }

  /// Sends own layers and fills ghost layers of an array of which `rows` is the first own row. The
  /// array may be another one in each call. Does nothing without ghosts.
  void operator()(const ExecutionSpace& execution, Value* rows, std::size_t row_size) {
    if (exchange_.empty()) return;
    for (const Layer& layer : sends_) move(execution, rows, row_size, layer, true);
    exchange_.begin(execution);
    exchange_.end(execution);
    for (const Layer& layer : receives_) move(execution, rows, row_size, layer, false);
  }

 private:
  struct Layer {
    int stored;  ///< distance from the first own layer
    RowRuns runs;
    ExchangedMessage<Value> message;
  };

  void move(const ExecutionSpace& execution, Value* rows, std::size_t row_size, const Layer& layer,
            bool to_buffer) {
    const auto first_row = std::ptrdiff_t{layer.stored} * layer_cells_;
    // A warp takes a run; where there are few runs, more of them take a long one.
    constexpr int lanes = is_host_backend<ExecutionSpace> ? 1 : 32;
    constexpr int threads = is_host_backend<ExecutionSpace> ? 1 : 8;
    RowRuns runs = layer.runs;
    if (!is_host_backend<ExecutionSpace>) split(runs);
    Kokkos::parallel_for(
        "knudsen/gas/exchange", TeamPolicy<ExecutionSpace>(execution, layer_cells_, threads, lanes),
        MoveRuns<ExecutionSpace, Value>{rows + first_row * static_cast<std::ptrdiff_t>(row_size),
                                        row_size, runs, exchange_.buffer(layer.message),
                                        to_buffer});
  }

  /// Cuts a single long run into short ones of equal length, if it can be.
  static void split(RowRuns& runs) {
    if (runs.count > 1) return;
    for (const int count : {64, 32, 16, 8, 4, 2}) {
      if (runs.length % count != 0) continue;
      runs = {runs.first, runs.length / count, runs.length / count, count};
      return;
    }
  }

  int layer_cells_ = 0;
  std::vector<Layer> sends_, receives_;
  Exchange<ExecutionSpace> exchange_;
};

}  // namespace knudsen
