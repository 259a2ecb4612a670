#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "methods/lattice/slab.hpp"
#include "methods/lbm_d3q27/node_walk.hpp"

namespace knudsen::lbm_d3q27 {
namespace {

struct Numbering : NodeWalk {
  bool conducts = domain.heat != nullptr && domain.heat->any_conduction();

  int held_planes() const { return map.cut.held_planes(); }

  /// Cuts the planes, which have `nodes` nodes in total, into strips of equal height with about
  /// `strip_nodes` nodes per plane.
  void cut_into_strips(std::uint64_t nodes) {
    const double of_row = static_cast<double>(nodes) / planes() / rows();
    const double high = std::max(1.0, std::round(domain.strip_nodes / of_row));
    const int count = static_cast<int>(std::max(1.0, std::round(rows() / high)));
    map.strip_rows = (rows() + count - 1) / count;
  }

  std::size_t row_at(int number_of_plane, int row) const {
    return static_cast<std::size_t>(number_of_plane) * static_cast<std::size_t>(rows()) +
           static_cast<std::size_t>(row);
  }
  /// Calls body(plane, row, place) for all rows, by the number of their plane in the part. `place`
  /// is that of row_at.
  template <class Body>
  void for_all_rows(const char* label, const Body& body) const {
    for_each(label, std::int64_t{held_planes()} * rows(), [&](std::int64_t i) {
      body(static_cast<int>(i / rows()), static_cast<int>(i % rows()), static_cast<std::size_t>(i));
    });
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
    std::vector<std::uint64_t> of_rows(row_at(held_planes(), 0));
    for_all_rows("knudsen/lbm_d3q27/count_nodes",
                 [&](int number_of_plane, int row, std::size_t place) {
                   for_row(plane(number_of_plane), row, [&](const Coordinates& at) {
                     if (has_number(at)) ++of_rows[place];
                   });
                 });
    return of_rows;
  }

  /// Replaces the numbers of nodes in rows by the first number of each row. Sets the first numbers
  /// of pieces.
  void set_first_numbers(std::vector<std::uint64_t>& of_rows) {
    std::vector<std::uint64_t> of_pieces(static_cast<std::size_t>(strips()) *
                                         static_cast<std::size_t>(planes()));
    std::uint64_t next = 0;
    map.part_begin.assign(of_pieces.size(), 0);
    const auto number_piece = [&](const Piece& piece, int number_of_plane) {
      map.part_begin[whole_number(piece)] = static_cast<NodeIndex>(next);
      for_rows(piece.strip, [&](int row) {
        std::uint64_t& of_row = of_rows[row_at(number_of_plane, row)];
        next += std::exchange(of_row, next);
      });
    };
    for (int i = 0; i < pieces(); ++i) {
      if (i == end_pieces()) map.end_planes = next;
      const std::uint64_t first = next;
      number_piece(piece(i), piece(i).plane - map.cut.own_begin());
      of_pieces[whole_number(piece(i))] = next - first;
    }
    map.owned = next;
    if (held_planes() > owned_planes()) {
      for (int strip = 0; strip < strips(); ++strip) {
        number_piece({strip, plane(owned_planes())}, owned_planes());
      }
    }
    map.count = next;
    domain.sharing.sum(of_pieces);
    std::uint64_t first = 0;
    for (const std::uint64_t nodes : of_pieces) {
      map.whole_begin.push_back(static_cast<NodeIndex>(first));
      first += nodes;
    }
    map.whole_begin.push_back(static_cast<NodeIndex>(first));
  }

  void assign_numbers(const std::vector<std::uint64_t>& first) {
    map.number.assign(map.whole, map.cut.first_axis, map.cut.own_begin(), held_planes());
    for_all_rows("knudsen/lbm_d3q27/number_nodes",
                 [&](int number_of_plane, int row, std::size_t place) {
                   Coordinates at{};
                   at[axis(2)] = plane(number_of_plane);
                   at[axis(1)] = row;
                   map.number.set_row(at, first[place], [&](int i) {
                     Coordinates node = at;
                     node[axis(0)] = i;
                     return has_number(node);
                   });
                 });
  }

  /// Numbers nodes in spatial order, row by row, so that the next node along a row mostly has the
  /// next number. (Slot nodes numbered apart from the rows would leave fewer threads idle, but were
  /// slower in a packed bed.)
  void number_nodes() {
    std::vector<std::uint64_t> of_rows = count_nodes();
    std::vector<std::uint64_t> all{std::accumulate(
        of_rows.begin(), of_rows.begin() + static_cast<std::ptrdiff_t>(row_at(owned_planes(), 0)),
        std::uint64_t{0})};
    domain.sharing.sum(all);
    map.all.numbers = all[0];
    cut_into_strips(map.all.numbers);
    require_numbers(map.all.numbers);
    set_first_numbers(of_rows);
    assign_numbers(of_rows);
  }
};

/// Counts in some planes across z: the ends of rows of fluid nodes along each axis, and the fluid
/// nodes in each plane across each axis.
struct FluidCounts : DomainNodes {
  std::array<std::uint64_t, 3> ends{};
  std::array<std::vector<std::uint64_t>, 3> of_planes;

  void count(int begin, int end) {
    const Coordinates& n = counts;
    struct InPlane {
      std::array<std::uint64_t, 3> ends{};
      std::array<std::vector<std::uint64_t>, 2> of_planes;
      std::uint64_t fluid = 0;
    };
    std::vector<InPlane> found(static_cast<std::size_t>(end - begin));
    for_each("knudsen/lbm_d3q27/count_rows", end - begin, [&](std::int64_t i) {
      InPlane& plane = found[static_cast<std::size_t>(i)];
      for (std::size_t a = 0; a < 2; ++a) {
        plane.of_planes[a].assign(static_cast<std::size_t>(n[a]), 0);
      }
      Coordinates at{0, 0, begin + static_cast<int>(i)};
      for (at[1] = 0; at[1] < n[1]; ++at[1]) {
        for (at[0] = 0; at[0] < n[0]; ++at[0]) {
          if (!is_fluid(at)) continue;
          ++plane.fluid;
          ++plane.of_planes[0][static_cast<std::size_t>(at[0])];
          ++plane.of_planes[1][static_cast<std::size_t>(at[1])];
          for (std::size_t a = 0; a < 3; ++a) {
            Coordinates up{};
            up[a] = 1;
            if (!is_fluid(moved(at, up))) ++plane.ends[a];
          }
        }
      }
    });
    for (std::size_t a = 0; a < 3; ++a) of_planes[a].assign(static_cast<std::size_t>(n[a]), 0);
    for (std::size_t i = 0; i < found.size(); ++i) {
      of_planes[2][static_cast<std::size_t>(begin) + i] = found[i].fluid;
      for (std::size_t a = 0; a < 3; ++a) ends[a] += found[i].ends[a];
      for (std::size_t a = 0; a < 2; ++a) {
        for (std::size_t p = 0; p < of_planes[a].size(); ++p) {
          of_planes[a][p] += found[i].of_planes[a][p];
        }
      }
    }
  }

  void add_up(const Sharing& sharing) {
    std::vector<std::uint64_t> all(ends.begin(), ends.end());
    for (const auto& list : of_planes) all.insert(all.end(), list.begin(), list.end());
    sharing.sum(all);
    auto from = all.cbegin();
    const auto take = [&](auto& list) {
      for (std::uint64_t& number : list) number = *from++;
    };
    take(ends);
    for (auto& list : of_planes) take(list);
  }
};

}  // namespace

std::array<int, 2> counted_planes(const Domain& domain) {
  const auto first_of = [&](std::int64_t rank) {
    return static_cast<int>(domain.nodes[2] * rank / domain.sharing.ranks);
  };
  return {first_of(domain.sharing.rank), first_of(domain.sharing.rank + 1)};
}

LatticeCut cut_lattice(const Domain& domain, bool sparse) {
  const int ranks = domain.sharing.ranks;
  LatticeCut cut;
  cut.rank = domain.sharing.rank;
  std::vector<std::uint64_t> fluid;
  if (sparse) {
    FluidCounts counted{{domain}, {}, {}};
    const auto [begin, end] = counted_planes(domain);
    counted.count(begin, end);
    counted.add_up(domain.sharing);
    // Rows of fluid nodes have the fewest ends along this axis, hence are longest.
    cut.first_axis = static_cast<int>(std::min_element(counted.ends.begin(), counted.ends.end()) -
                                      counted.ends.begin());
    fluid = counted.of_planes[static_cast<std::size_t>(cut.axis())];
  }
  const auto planes = static_cast<std::uint32_t>(domain.planes(cut.axis()));
  for (int rank = 0; rank < ranks; ++rank) {
    cut.begin.push_back(lbm::cut_into_slabs(planes, 1, 1, "planes", rank, ranks).begin);
  }
  cut.begin.push_back(planes);
  if (sparse) cut.begin = balanced_planes(fluid, ranks);
  return cut;
}

void NumberTable::assign(const Extents& extents, int axis, int begin, int count) {
  extents_ = {static_cast<int>(extents.nx), static_cast<int>(extents.ny),
              static_cast<int>(extents.nz)};
  for (std::size_t i = 0; i < 3; ++i) axes_[i] = (static_cast<std::size_t>(axis) + i) % 3;
  length_ = extents_[axes_[0]];
  words_ = (static_cast<std::size_t>(length_) + 63) / 64;
  begin_ = begin;
  planes_ = count;
  const std::size_t rows =
      static_cast<std::size_t>(extents_[axes_[1]]) * static_cast<std::size_t>(planes_);
  bits_.assign(rows * words_, 0);
  first_.assign(rows * words_, 0);
}

UpperNeighbours::UpperNeighbours(const NodeMap& map) {
  if (!map.sparse) return;
  NodeNumbers* const next[3] = {&first, &second, &third};
  // One more entry, because the stencil reads ahead by one.
  for (NodeNumbers* list : next) list->assign(map.count + 1);
  for (NodeNumbers* list : next) list->set(map.count, 0);
  const Coordinates counts{static_cast<int>(map.whole.nx), static_cast<int>(map.whole.ny),
                           static_cast<int>(map.whole.nz)};
  const auto axis = [&](int i) { return static_cast<std::size_t>((map.first_axis + i) % 3); };
  const int rows = counts[axis(1)];
  for_each("knudsen/lbm_d3q27/link_nodes", std::int64_t{map.cut.held_planes()} * rows,
           [&](std::int64_t i) {
             Coordinates at{};
             at[axis(2)] = (map.cut.own_begin() + static_cast<int>(i / rows)) % map.cut.planes();
             at[axis(1)] = static_cast<int>(i % rows);
             for (at[axis(0)] = 0; at[axis(0)] < counts[axis(0)]; ++at[axis(0)]) {
               const std::uint64_t number = map.number(at);
               if (number == NodeMap::none) continue;
               for (int along = 0; along < 3; ++along) {
                 Coordinates up = at;
                 up[axis(along)] = (at[axis(along)] + 1) % counts[axis(along)];
                 const std::uint64_t upper = map.number(up);
                 // No fluid node of this rank needs this neighbour, so any index will do. Along the
                 // row it is the next number, because one thread that has to read its index delays
                 // its whole warp.
                 const std::uint64_t anywhere = along == 0 ? number + 1 : number;
                 next[along]->set(number, upper == NodeMap::none ? anywhere : upper);
               }
             }
           });
  in_row.assign(map.count / 32 + 1, 0);
  for (std::uint64_t n = 0; n < map.count; ++n) {
    if (first[n] == n + 1) in_row[n / 32] |= std::uint32_t{1} << (n % 32);
  }
}

void number_nodes(const Domain& domain, NodeMap& map) { Numbering{{{domain}, map}}.number_nodes(); }

}  // namespace knudsen::lbm_d3q27
