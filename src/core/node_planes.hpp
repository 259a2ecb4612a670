#pragma once

#include <array>
#include <cstddef>

namespace knudsen {

/// Adjacent planes of a domain's nodes across an axis, in arrays with a value for each of their
/// nodes, (z, y, x). Planes are counted around a ring, so that those beyond the last one are the
/// first ones.
class NodePlanes {
 public:
  NodePlanes() = default;  ///< none
  /// All planes of the domain.
  explicit NodePlanes(const std::array<int, 3>& nodes)
      : NodePlanes(nodes, 2, 0, nodes[2], nodes[2]) {}
  /// The planes [begin, end) of a ring of `ring`; -ring <= begin <= ring, end - begin <= 2 ring.
  /// The domain has nodes[axis] of them, the first ones of the ring. All planes if that are as
  /// many.
  NodePlanes(const std::array<int, 3>& nodes, int axis, int begin, int end, int ring)
      : nodes_(nodes),
        counts_(nodes),
        axis_(static_cast<std::size_t>(axis)),
        begin_(begin),
        ring_(ring) {
    whole_ = end - begin >= ring;
    if (whole_) {
      begin_ = 0;
      ring_ = nodes[axis_];
    } else {
      counts_[axis_] = end - begin;
    }
    stride_ = {1, static_cast<std::ptrdiff_t>(counts_[0]), std::ptrdiff_t{counts_[0]} * counts_[1]};
  }

  bool whole() const { return whole_; }
  std::size_t size() const {
    return static_cast<std::size_t>(counts_[0]) * static_cast<std::size_t>(counts_[1]) *
           static_cast<std::size_t>(counts_[2]);
  }
  /// Whether a node of the domain is in these planes.
  bool covers(const std::array<int, 3>& at) const { return plane(at) < counts_[axis_]; }
  /// Place in the arrays of a node of the domain that is in these planes.
  std::size_t operator()(const std::array<int, 3>& at) const {
    const std::ptrdiff_t moved = std::ptrdiff_t{plane(at)} - at[axis_];
    return static_cast<std::size_t>(at[0] + at[1] * stride_[1] + at[2] * stride_[2] +
                                    moved * stride_[axis_]);
  }
  /// Calls body(first, end) with the lowest node of a box and the ends of the box, for boxes that
  /// together are the nodes of the domain in these planes.
  template <class Body>
  void for_boxes(const Body& body) const {
    const auto add = [&](int begin, int end) {
      std::array<int, 3> first{};
      std::array<int, 3> last = nodes_;
      first[axis_] = begin < 0 ? 0 : begin;
      last[axis_] = end < nodes_[axis_] ? end : nodes_[axis_];
      if (first[axis_] < last[axis_]) body(first, last);
    };
    for (const int turn : {-ring_, 0, ring_}) {
      add(begin_ + turn, begin_ + turn + counts_[axis_]);
    }
  }

 private:
  int plane(const std::array<int, 3>& at) const {
    const int from_begin = at[axis_] - begin_;
    return from_begin < 0        ? from_begin + ring_
           : from_begin >= ring_ ? from_begin - ring_
                                 : from_begin;
  }

  std::array<int, 3> nodes_{};   ///< of the domain
  std::array<int, 3> counts_{};  ///< of these planes along each axis
  std::array<std::ptrdiff_t, 3> stride_{1, 1, 1};
  std::size_t axis_ = 2;
  int begin_ = 0;
  int ring_ = 1;
  bool whole_ = true;
};

}  // namespace knudsen
