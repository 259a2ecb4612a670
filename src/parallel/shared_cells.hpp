#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/own_planes.hpp"
#include "parallel/communicator.hpp"

namespace knudsen {

/// Collective: puts the parts of an array that ranks have together at `to`, on the first rank.
/// for_runs(rank, body) calls body(at, count, place) for the runs of a rank: their places in the
/// array, and among the rank's own values. copy(place, count, values) copies a run of this rank.
/// `in_order`: the ranks' runs follow each other in the array.
template <class Value, class ForRuns, class Copy>
void gather_runs(const ForRuns& for_runs, bool in_order, const Copy& copy, Value* to) {
  const Communicator& ranks = world();
  if (ranks.size() == 1) {
    for_runs(0, [&](std::size_t at, std::size_t count, std::size_t place) {
      copy(place, count, to + at);
    });
    return;
  }
  std::vector<Value> sent;
  for_runs(ranks.rank(), [&](std::size_t, std::size_t count, std::size_t place) {
    sent.resize(sent.size() + count);
    copy(place, count, sent.data() + sent.size() - count);
  });
  if (in_order) return ranks.concatenate_on_first(sent, to);
  const std::vector<Value> all = ranks.concatenate_on_first(std::move(sent));
  if (!ranks.is_first()) return;
  const Value* from = all.data();
  for (int rank = 0; rank < ranks.size(); ++rank) {
    for_runs(rank, [&](std::size_t at, std::size_t count, std::size_t) {
      std::copy_n(from, count, to + at);
      from += count;
    });
  }
}

/// Calls body(row, first, count, at) for the parts of the piece [begin, begin + size) of an array
/// that are in one of its rows of `row_size` numbers: the row, the first number in it, how many,
/// and the place in the piece.
template <class Body>
void for_rows_of_piece(std::size_t begin, std::size_t size, std::size_t row_size,
                       const Body& body) {
  for (std::size_t at = 0; at < size;) {
    const std::size_t first = (begin + at) % row_size;
    const std::size_t count = std::min(size - at, row_size - first);
    body((begin + at) / row_size, first, count, at);
    at += count;
  }
}

/// The cells of a box, in the order (z, y, x), that ranks share by planes. Each rank has values of
/// its own cells, in the same order.
class SharedCells {
 public:
  /// Collective. Planes of later ranks follow those of earlier ones.
  SharedCells(const std::array<int, 3>& cells, const OwnPlanes& own)
      : planes_(world().concatenate(std::vector{own})),
        axis_(static_cast<std::size_t>(planes_.front().axis)),
        count_(static_cast<std::size_t>(cells[axis_])) {
    for (std::size_t a = 0; a < 3; ++a) {
      (a < axis_ ? stride_ : outer_) *= a == axis_ ? 1 : static_cast<std::size_t>(cells[a]);
    }
  }

  std::size_t size() const { return outer_ * count_ * stride_; }
  /// Number of values that with_neighbours returns.
  std::size_t size_with_neighbours() const {
    const std::size_t planes = owned(world().rank());
    return planes == 0 ? 0 : outer_ * (planes + 2) * stride_;
  }
  /// Number of cells that this rank owns.
  std::size_t own_size() const { return outer_ * owned(world().rank()) * stride_; }

  /// Calls body(cell, count, place) for the runs of adjacent cells in [begin, end) that a rank
  /// owns: the first cell, the number of cells, and the place of the first among the rank's own.
  template <class Body>
  void for_runs(int rank, std::size_t begin, std::size_t end, const Body& body) const {
    const OwnPlanes& own = planes_[static_cast<std::size_t>(rank)];
    const std::size_t run = owned(rank) * stride_;
    if (run == 0 || begin >= end) return;
    const std::size_t block = count_ * stride_;
    for (std::size_t i = begin / block; i <= (end - 1) / block; ++i) {
      const std::size_t first = i * block + static_cast<std::size_t>(own.begin) * stride_;
      const std::size_t from = std::max(begin, first);
      const std::size_t to = std::min(end, first + run);
      if (from < to) body(from, to - from, i * run + from - first);
    }
  }
  /// The rank that owns a cell.
  int owner(std::size_t cell) const {
    const auto plane = static_cast<int>(cell / stride_ % count_);
    const auto found = std::find_if(planes_.begin(), planes_.end(),
                                    [&](const OwnPlanes& each) { return plane < each.end; });
    return static_cast<int>(found - planes_.begin());
  }

  /// Collective: writes the values of the cells [begin, end) to `to`, on the first rank. `own` are
  /// those of this rank's cells, with so many components each.
  template <class Value>
  void gather(const Value* own, std::size_t components, std::size_t begin, std::size_t end,
              Value* to) const {
    gather_runs(
        [&](int rank, const auto& body) {
          for_runs(rank, begin, end, [&](std::size_t cell, std::size_t count, std::size_t place) {
            body((cell - begin) * components, count * components, place * components);
          });
        },
        outer_ == 1,
        [&](std::size_t place, std::size_t count, Value* copy) {
          std::copy_n(own + place, count, copy);
        },
        to);
  }

  /// Collective: on the first rank, calls body(values, count) for the values of all cells, piece by
  /// piece.
  template <class Value, class Body>
  void for_pieces(const Value* own, std::size_t components, const Body& body) const {
    const std::size_t piece =
        std::max<std::size_t>(world().piece_of<Value>(size() * components) / components, 1);
    std::vector<Value> values(world().is_first() ? piece * components : 0);
    for (std::size_t begin = 0; begin < size(); begin += piece) {
      const std::size_t end = std::min(begin + piece, size());
      gather(own, components, begin, end, values.data());
      if (world().is_first()) body(std::as_const(values).data(), (end - begin) * components);
    }
  }

  /// Collective: this rank's values, one for each cell, with a plane more on either side: that of
  /// the rank beside it. Beyond the box it is that of its other end if it is periodic, else
  /// `beyond`. A rank without planes gets none. Takes no further memory if `own` has capacity for
  /// size_with_neighbours().
  template <class Value>
  std::vector<Value> with_neighbours(std::vector<Value> own, bool periodic, Value beyond) const {
    const int me = world().rank();
    const auto count = static_cast<int>(count_);
    const std::size_t planes = owned(me);
    const std::size_t run = planes * stride_;
    const std::size_t plane_size = outer_ * stride_;
    const auto copy_plane = [&](std::size_t place, Value* to) {
      for (std::size_t i = 0; i < outer_; ++i) {
        std::copy_n(own.data() + i * run + place * stride_, stride_, to + i * stride_);
      }
    };
    std::array<std::vector<Value>, 2> received;
    std::vector<std::vector<Value>> sent;
    Messages messages;
    constexpr int first_tag = 990;
    for (int rank = 0; rank < world().size(); ++rank) {
      const OwnPlanes& theirs = planes_[static_cast<std::size_t>(rank)];
      for (int side = 0; side < 2; ++side) {
        if (owned(rank) == 0) continue;
        int plane = side == 0 ? theirs.begin - 1 : theirs.end;
        std::vector<Value>* to = rank == me ? &received[static_cast<std::size_t>(side)] : nullptr;
        if (to != nullptr) to->assign(plane_size, beyond);
        if (plane < 0 || plane >= count) {
          if (!periodic) continue;
          plane = (plane + count) % count;
        }
        const int from = owner(static_cast<std::size_t>(plane) * stride_);
        const std::size_t bytes = plane_size * sizeof(Value);
        if (from == me) {
          std::vector<Value> values(plane_size);
          copy_plane(static_cast<std::size_t>(plane - planes_[static_cast<std::size_t>(me)].begin),
                     values.data());
          if (to != nullptr) {
            *to = std::move(values);
          } else {
            sent.push_back(std::move(values));
            messages.add_send(rank, first_tag + side, sent.back().data(), bytes);
          }
        } else if (to != nullptr) {
          messages.add_receive(from, first_tag + side, to->data(), bytes);
        }
      }
    }
    messages.begin();
    messages.end();
    if (run == 0) return own;
    own.resize(size_with_neighbours());
    for (std::size_t i = outer_; i-- > 0;) {
      const auto from = own.begin() + static_cast<std::ptrdiff_t>(i * run);
      const auto to = own.begin() + static_cast<std::ptrdiff_t>(i * (run + 2 * stride_));
      const auto beside = static_cast<std::ptrdiff_t>(stride_);
      std::move_backward(from, from + static_cast<std::ptrdiff_t>(run),
                         to + static_cast<std::ptrdiff_t>(run) + beside);
      std::copy_n(received[0].data() + i * stride_, stride_, to);
      std::copy_n(received[1].data() + i * stride_, stride_,
                  to + static_cast<std::ptrdiff_t>(run) + beside);
    }
    return own;
  }

 private:
  std::size_t owned(int rank) const {
    const OwnPlanes& own = planes_[static_cast<std::size_t>(rank)];
    return static_cast<std::size_t>(own.end - own.begin);
  }

  std::vector<OwnPlanes> planes_;  ///< by rank
  std::size_t axis_, count_;       ///< planes of the box lie across the axis
  std::size_t stride_ = 1;         ///< cells from one plane to the next
  std::size_t outer_ = 1;          ///< how often all planes come one after the other
};

}  // namespace knudsen
