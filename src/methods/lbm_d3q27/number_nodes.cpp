#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "methods/lbm_d3q27/node_walk.hpp"

namespace knudsen::lbm_d3q27 {
namespace {

struct Numbering : NodeWalk {
  bool conducts = domain.heat != nullptr && domain.heat->any_conduction();

  /// The axis along which rows of fluid nodes have the fewest ends, hence are longest.
  int axis_of_longest_rows() const {
    std::vector<std::array<std::uint64_t, 3>> of_parts(static_cast<std::size_t>(parts()));
    for_parts("knudsen/lbm_d3q27/count_rows", [&](int part) {
      std::array<std::uint64_t, 3> ends{};
      for_part(part, [&](const Coordinates& at) {
        if (!is_fluid(at)) return;
        for (std::size_t a = 0; a < 3; ++a) {
          Coordinates up{};
          up[a] = 1;
          if (!is_fluid(moved(at, up))) ++ends[a];
        }
      });
      of_parts[static_cast<std::size_t>(part)] = ends;
    });
    std::array<std::uint64_t, 3> ends{};
    for (const auto& part : of_parts) {
      for (std::size_t a = 0; a < 3; ++a) ends[a] += part[a];
    }
    return static_cast<int>(std::min_element(ends.begin(), ends.end()) - ends.begin());
  }

  /// Cuts the planes, which have `nodes` nodes in total, into strips of equal height with about
  /// `strip_nodes` nodes per plane.
  void cut_into_strips(std::uint64_t nodes) {
    const double of_row = static_cast<double>(nodes) / planes() / rows();
    const double high = std::max(1.0, std::round(domain.strip_nodes / of_row));
    const int strips = static_cast<int>(std::max(1.0, std::round(rows() / high)));
    map.strip_rows = (rows() + strips - 1) / strips;
  }

  std::size_t row_at(int plane, int row) const {
    return static_cast<std::size_t>(plane) * static_cast<std::size_t>(rows()) +
           static_cast<std::size_t>(row);
  }

  /// Fluid and conducting nodes and the nodes of their upper octants get numbers.
  bool has_number(const Coordinates& at) const {
    if (any_fluid_at(at, -1, 0)) return true;
    if (!conducts) return false;
    for (int corner = 0; corner < 8; ++corner) {
      if (conduction(moved(at, {-(corner & 1), -(corner >> 1 & 1), -(corner >> 2)})) != nullptr) {
        return true;
      }
    }
    return false;
  }

  /// Number of nodes with a number in each row.
  std::vector<std::uint64_t> count_nodes() const {
    std::vector<std::uint64_t> of_rows(static_cast<std::size_t>(planes()) *
                                       static_cast<std::size_t>(rows()));
    for_parts("knudsen/lbm_d3q27/count_nodes", [&](int part) {
      for_part(part, [&](const Coordinates& at) {
        if (has_number(at)) ++of_rows[row_at(at[axis(2)], at[axis(1)])];
      });
    });
    return of_rows;
  }

  /// The first number of each part.
  std::vector<std::uint64_t> first_numbers(const std::vector<std::uint64_t>& of_rows) const {
    std::vector<std::uint64_t> first(static_cast<std::size_t>(parts()) + 1, 0);
    for (int part = 0; part < parts(); ++part) {
      std::uint64_t& next_part = first[static_cast<std::size_t>(part) + 1];
      next_part = first[static_cast<std::size_t>(part)];
      for_rows(part, [&](int row) { next_part += of_rows[row_at(part % planes(), row)]; });
    }
    return first;
  }

  void assign_numbers(const std::vector<std::uint64_t>& of_rows,
                      const std::vector<std::uint64_t>& first) {
    map.number.assign(map.extents, map.first_axis);
    for_parts("knudsen/lbm_d3q27/number_nodes", [&](int part) {
      std::uint64_t number = first[static_cast<std::size_t>(part)];
      for_rows(part, [&](int row) {
        Coordinates at{};
        at[axis(2)] = part % planes();
        at[axis(1)] = row;
        map.number.set_row(at, number, [&](int i) {
          Coordinates node = at;
          node[axis(0)] = i;
          return has_number(node);
        });
        number += of_rows[row_at(part % planes(), row)];
      });
    });
  }

  /// Sets the upper neighbours.
  void link_nodes() {
    NodeNumbers* const next[3] = {&map.next_first, &map.next_second, &map.next_third};
    // One more entry, because the stencil reads ahead by one.
    for (NodeNumbers* list : next) list->assign(map.count + 1);
    for (NodeNumbers* list : next) list->set(map.count, 0);
    for_parts("knudsen/lbm_d3q27/link_nodes", [&](int part) {
      for_part(part, [&](const Coordinates& at) {
        const std::uint64_t number = map.number(at);
        if (number == NodeMap::none) return;
        for (int i = 0; i < 3; ++i) {
          Coordinates up{};
          up[axis(i)] = 1;
          const std::uint64_t upper = map.number(moved(at, up));
          // No fluid node needs this neighbour, so any index will do. Along the row it is the next
          // number, because one thread that has to read its index delays its whole warp.
          const std::uint64_t anywhere = i == 0 ? number + 1 : number;
          next[i]->set(number, upper == NodeMap::none ? anywhere : upper);
        }
      });
    });
    map.in_row.assign(map.count / 32 + 1, 0);
    for (std::uint64_t n = 0; n < map.count; ++n) {
      if (map.next_first[n] == n + 1) map.in_row[n / 32] |= std::uint32_t{1} << (n % 32);
    }
  }

  /// Numbers nodes in spatial order, row by row, so that the next node along a row mostly has the
  /// next number. (Slot nodes numbered apart from the rows would leave fewer threads idle, but were
  /// slower in a packed bed.)
  void number_nodes() {
    map.first_axis = axis_of_longest_rows();
    const std::vector<std::uint64_t> of_rows = count_nodes();
    map.count = std::accumulate(of_rows.begin(), of_rows.end(), std::uint64_t{0});
    cut_into_strips(map.count);
    require_numbers(map.count);
    const std::vector<std::uint64_t> first = first_numbers(of_rows);
    map.number_of_planes = static_cast<NodeIndex>(planes());
    for (const std::uint64_t number : first)
      map.part_begin.push_back(static_cast<NodeIndex>(number));
    assign_numbers(of_rows, first);
    if (!domain.shared) link_nodes();
  }
};

}  // namespace

void NumberTable::assign(const Extents& extents, int axis) {
  extents_ = {static_cast<int>(extents.nx), static_cast<int>(extents.ny),
              static_cast<int>(extents.nz)};
  for (std::size_t i = 0; i < 3; ++i) axes_[i] = (static_cast<std::size_t>(axis) + i) % 3;
  length_ = extents_[axes_[0]];
  words_ = (static_cast<std::size_t>(length_) + 63) / 64;
  const std::size_t rows =
      static_cast<std::size_t>(extents_[axes_[1]]) * static_cast<std::size_t>(extents_[axes_[2]]);
  bits_.assign(rows * words_, 0);
  first_.assign(rows * words_, 0);
}

void number_nodes(const Domain& domain, NodeMap& map) { Numbering{{domain, map}}.number_nodes(); }

}  // namespace knudsen::lbm_d3q27
