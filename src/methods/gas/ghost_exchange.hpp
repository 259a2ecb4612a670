#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
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

/// Copies runs of the rows of several layers to or from buffers; one team a row. One kernel for all
/// layers of all arrays, since a launch takes longer than to copy one. Runs count words of `Word`
/// bytes.
template <class ExecutionSpace, std::size_t Word>
struct MoveRuns {
  static constexpr int max_layers = 8;
  struct Layer {
    char* rows;
    std::size_t row_size;
    RowRuns runs;
    char* buffer;
  };

  Layer layers[max_layers];
  int layer_cells;
  bool to_buffer;

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const int number = team.league_rank() / layer_cells;
    const auto row = static_cast<std::size_t>(team.league_rank() - number * layer_cells);
    const Layer& layer = layers[number];
    const RowRuns& runs = layer.runs;
    char* values =
        layer.rows + (row * layer.row_size + static_cast<std::size_t>(runs.first)) * Word;
    char* packed = layer.buffer + row * static_cast<std::size_t>(runs.size()) * Word;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, runs.count), [&](int run) {
      const auto i = static_cast<std::size_t>(run);
      char* in_row = values + i * static_cast<std::size_t>(runs.stride) * Word;
      char* in_buffer = packed + i * static_cast<std::size_t>(runs.length) * Word;
      const char* from = to_buffer ? in_row : in_buffer;
      char* to = to_buffer ? in_buffer : in_row;
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, runs.length), [&](int n) {
        // A word of numbers of any type, in one access.
        const std::size_t at = static_cast<std::size_t>(n) * Word;
        memcpy(__builtin_assume_aligned(to + at, Word), __builtin_assume_aligned(from + at, Word),
               Word);
      });
    });
  }
};

/// What the ghost layers below (0) and above (1) a slab need of each row of an array.
struct GhostRows {
  std::array<RowRuns, 2> runs;
  std::size_t number_bytes;
};

/// Fills the ghost layers of arrays of rows, one row a cell, with the rows of the ranks that own
/// these cells. Numbers of rows are of type Real, or of a type that is a multiple as large.
template <class ExecutionSpace, class Real>
class GhostExchange {
  using Move = MoveRuns<ExecutionSpace, sizeof(Real)>;

 public:
  /// An array in an exchange: the first own row, and numbers of a row.
  struct Rows {
    void* first;
    std::size_t size;
  };

  GhostExchange() = default;
  /// `ghosts_behind`: how the arrays store layers, see CellSlab. `first_tag` tells exchanges from
  /// each other; one takes 2 (depth + 1) tags an array.
  GhostExchange(const std::vector<CellSlab>& slabs, int rank, const std::vector<GhostRows>& arrays,
                bool ghosts_behind, int first_tag)
      : layer_cells_(slabs[static_cast<std::size_t>(rank)].layer_cells) {
    const CellSlab& slab = slabs[static_cast<std::size_t>(rank)];
    for (const GhostRows& array : arrays) {
      const auto words = static_cast<int>(array.number_bytes / sizeof(Real));
      const auto add = [&](const LayerMessage& m, bool to_send) {
        RowRuns runs = array.runs[static_cast<std::size_t>(m.side)];
        if (runs.size() == 0) return;
        runs = {runs.first * words, runs.length * words, runs.stride * words, runs.count};
        const std::size_t bytes = static_cast<std::size_t>(layer_cells_) *
                                  static_cast<std::size_t>(runs.size()) * sizeof(Real);
        const int tag = first_tag + m.tag;
        const auto message = to_send ? exchange_.template add_send<char>(m.rank, tag, bytes)
                                     : exchange_.template add_receive<char>(m.rank, tag, bytes);
        // A warp takes a run; where there are few runs, more of them take a long one.
        if (!is_host_backend<ExecutionSpace>) split(runs);
        const int stored = ghosts_behind ? slab.with_ghosts_behind(m.place) : m.place;
        (to_send ? sends_ : receives_)
            .push_back({word_counts_.size(), std::ptrdiff_t{stored} * layer_cells_, runs, message});
      };
      for (const LayerMessage& m : layers_to_send(slabs, rank)) add(m, true);
      for (const LayerMessage& m : layers_to_receive(slabs, rank)) add(m, false);
      word_counts_.push_back(static_cast<std::size_t>(words));
      first_tag += 2 * (slab.depth + 1);
    }
  }

  /// Sends own layers and fills ghost layers of the arrays, which may be others in each call. Does
  /// nothing without ghosts.
  void operator()(const ExecutionSpace& execution, const std::vector<Rows>& arrays) {
    if (exchange_.empty()) return;
    move(execution, arrays, sends_, true);
    exchange_.begin(execution);
    exchange_.end(execution);
    move(execution, arrays, receives_, false);
  }

 private:
  struct Layer {
    std::size_t array;
    std::ptrdiff_t first_row;  ///< counted from the first own one
    RowRuns runs;
    ExchangedMessage<char> message;
  };

  void move(const ExecutionSpace& execution, const std::vector<Rows>& arrays,
            const std::vector<Layer>& layers, bool to_buffer) {
    constexpr int lanes = is_host_backend<ExecutionSpace> ? 1 : 32;
    constexpr int threads = is_host_backend<ExecutionSpace> ? 1 : 8;
    for (std::size_t begin = 0; begin < layers.size(); begin += Move::max_layers) {
      const int count = std::min(Move::max_layers, static_cast<int>(layers.size() - begin));
      Move kernel{{}, layer_cells_, to_buffer};
      for (int i = 0; i < count; ++i) {
        const Layer& layer = layers[begin + static_cast<std::size_t>(i)];
        const Rows& rows = arrays[layer.array];
        const std::size_t row_size = rows.size * word_counts_[layer.array];
        const auto row_bytes = static_cast<std::ptrdiff_t>(row_size * sizeof(Real));
        kernel.layers[i] = {static_cast<char*>(rows.first) + layer.first_row * row_bytes, row_size,
                            layer.runs, exchange_.buffer(layer.message)};
      }
      Kokkos::parallel_for(
          "knudsen/gas/exchange",
          TeamPolicy<ExecutionSpace>(execution, count * layer_cells_, threads, lanes), kernel);
    }
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
  std::vector<std::size_t> word_counts_;  ///< of a number of each array
  std::vector<Layer> sends_, receives_;
  Exchange<ExecutionSpace> exchange_;
};

}  // namespace knudsen
