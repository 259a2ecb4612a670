#include "methods/lattice/passive_scalars.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "device/instantiate.hpp"
#include "device/to_list.hpp"
#include "lattice/row_velocity.hpp"

namespace knudsen::lbm {

ScalarGrid::Neighbour ScalarGrid::neighbour(const Coordinates& at, const Coordinates& offset,
                                            std::size_t sides) const {
  Neighbour found{true, at, at, 0};
  for (std::size_t a = 0; a < 3; ++a) {
    found.beside[a] += offset[a];
    found.at[a] = found.beside[a];
    if (found.at[a] >= 0 && found.at[a] < cells[a]) continue;
    if (periodic[a]) {
      found.at[a] -= offset[a] * cells[a];
    } else if (found.fluid) {
      found.fluid = false;
      found.surface = 2 * a + (offset[a] < 0 ? 0 : 1);
    }
  }
  if (!found.fluid || is_fluid(found.at)) return found;
  found.fluid = false;
  found.surface = sides + static_cast<std::size_t>((*body)[cell(found.at)]);
  return found;
}

namespace {

/// Threads of a GPU's team, which works on a run of regular nodes.
constexpr int run_team = 128;
/// Nodes of a run. Longer ones are cut, so that teams have about as much work.
constexpr std::uint32_t longest_run = 512;

/// Calls body(n, h) for the regular nodes of each run with what arrives there.
template <class Populations, class ExecutionSpace, class Body>
struct OverRuns {
  Populations populations;
  View<ScalarRun*, ExecutionSpace> runs;
  Body body;

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const ScalarRun run = runs.data()[team.league_rank()];
    if constexpr (is_host_backend<ExecutionSpace> && Body::has_rows) {
      body.row(run.first, static_cast<int>(run.end - run.first));
      return;
    }
    team_for(team, 0, static_cast<int>(run.end - run.first), [&](int i) {
      const std::size_t n = std::size_t{run.first} + std::size_t(i);
      typename Body::Values h;
      populations.load_regular(n, h);
      body(n, h);
    });
  }
};

/// The same for listed nodes.
template <class Populations, class Body>
struct OverList {
  Populations populations;
  Body body;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    typename Body::Values h;
    populations.load_listed(std::size_t(i), h);
    body(populations.node_of(std::size_t(i)), h);
  }
};

/// Collides what has arrived and stores what leaves.
template <class ExecutionSpace, class Real, class Scalar>
struct CollideScalar {
  using Values = Real[Scalar::populations];
  static constexpr bool has_rows = true;
  ScalarPopulations<ExecutionSpace, Real, Scalar> populations;

  /// On the host: a row of regular nodes.
  KOKKOS_INLINE_FUNCTION void row(std::size_t n, int nodes) const {
    if constexpr (is_host_backend<ExecutionSpace>) {
      const Real* from[Scalar::populations];
      Real* to[Scalar::populations];
      const Real* velocity[Scalar::dimensions];
      for (int q = 0; q < Scalar::populations; ++q) {
        const std::size_t place = std::size_t(q) * populations.plane + n;
        from[q] = populations.sent.data() + place + std::size_t(populations.from[q]);
        to[q] = populations.next.data() + place;
      }
      for (int a = 0; a < Scalar::dimensions; ++a) velocity[a] = populations.velocity_at(n, a);
      collide_scalar_row<Scalar>(from, to, velocity, nodes, populations.parameters);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::size_t n, Values& h) const {
    Real velocity[Scalar::dimensions];
    for (int a = 0; a < Scalar::dimensions; ++a) velocity[a] = *populations.velocity_at(n, a);
    collide_passive<Scalar>(h, passive_value<Scalar>(h), velocity, populations.parameters);
    for_populations<Scalar>([&](auto q) KNUDSEN_INLINE_LAMBDA {
      populations.next.data()[std::size_t(q) * populations.plane + n] = h[q];
    });
  }
};

/// Stores the value of a node.
template <class ExecutionSpace, class Real, class Scalar>
struct StoreValue {
  using Values = Real[Scalar::populations];
  static constexpr bool has_rows = false;
  View<Real*, ExecutionSpace> values;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::size_t n, Values& h) const {
    values.data()[n] = passive_value<Scalar>(h);
  }
};

/// What comes in over each cut link of a listed node, less what went out.
template <class Populations, class Real, class Scalar, class ExecutionSpace>
struct FlowOfLinks {
  Populations populations;
  std::size_t first;
  View<double*, ExecutionSpace> flows;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t index) const {
    const std::size_t i = first + std::size_t(index);
    Real h[Scalar::populations];
    populations.load_listed(i, h);
    const auto cut = populations.links.data()[populations.kinds.data()[i]].cut;
    for (int q = 0; q < Scalar::populations; ++q) {
      double flow = 0;
      if (((cut >> q) & 1) != 0) {
        const auto& of_kind = populations.links.data()[populations.kinds.data()[i]];
        flow = double(h[q]) - double(populations.source(i, of_kind, q));
      }
      flows.data()[index * Scalar::populations + q] = flow;
    }
  }
};

/// Copies populations of listed places to or from a buffer, or to other places.
template <class ExecutionSpace, class Real>
struct CopyPlaces {
  const Real* from;
  Real* to;
  View<std::uint32_t*, ExecutionSpace> from_places, to_places;  ///< empty: (population, place)
  ScalarCrossing crossing;
  std::size_t plane;
  std::int64_t count;  ///< of places

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const std::int64_t k = i / count;
    const std::int64_t place = i - k * count;
    const std::size_t base = std::size_t(crossing.population[k]) * plane;
    const std::size_t source =
        from_places.extent(0) > 0 ? base + from_places.data()[place] : std::size_t(i);
    const std::size_t target =
        to_places.extent(0) > 0 ? base + to_places.data()[place] : std::size_t(i);
    to[target] = from[source];
  }
};

template <class ExecutionSpace, class Body>
void run_over(const ExecutionSpace& execution, const char* label, std::size_t count,
              const Body& body) {
  if (count == 0) return;
  Kokkos::parallel_for(label,
                       Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(
                           execution, 0, static_cast<std::int64_t>(count)),
                       body);
}

/// Calls body(n, h) for all nodes.
template <class ExecutionSpace, class Populations, class Body>
void for_nodes(const ExecutionSpace& execution, const char* label, const Populations& populations,
               const View<ScalarRun*, ExecutionSpace>& runs, const Body& body) {
  if (runs.extent(0) > 0) {
    constexpr int team_size = is_host_backend<ExecutionSpace> ? 1 : run_team;
    Kokkos::parallel_for(
        label,
        TeamPolicy<ExecutionSpace>(execution, static_cast<int>(runs.extent(0)), team_size, 1),
        OverRuns<Populations, ExecutionSpace, Body>{populations, runs, body});
  }
  run_over(execution, label, populations.kinds.extent(0),
           OverList<Populations, Body>{populations, body});
}

/// From a node to the one from which its incoming population q comes.
template <class Scalar>
ScalarGrid::Coordinates upstream_of(int q) {
  ScalarGrid::Coordinates offset{};
  for (int a = 0; a < Scalar::dimensions; ++a) {
    offset[static_cast<std::size_t>(a)] = -Scalar::velocity(q, a);
  }
  return offset;
}

/// The population that moves along an axis alone, up (1) or down (-1).
template <class Scalar>
int crossing_along(int axis, int by) {
  int q = 1;
  while (Scalar::velocity(q, axis) != by) ++q;  // these come first
  return q;
}

/// A link as the sum of links along axes: one, or two if it is a diagonal.
struct LinkParts {
  int count = 0;
  int axis[2] = {0, 0};
  int population[2] = {0, 0};
};
template <class Scalar>
LinkParts parts_of(int q) {
  LinkParts parts;
  for (int a = 0; a < Scalar::dimensions; ++a) {
    const int c = Scalar::velocity(q, a);
    if (c == 0) continue;
    parts.axis[parts.count] = a;
    parts.population[parts.count++] = crossing_along<Scalar>(a, c);
  }
  return parts;
}

/// What population q is in a mirror across an axis.
template <class Scalar>
int mirrored(int q, int axis) {
  for (int p = 0; p < Scalar::populations; ++p) {
    bool same = true;
    for (int a = 0; a < Scalar::dimensions; ++a) {
      same = same && Scalar::velocity(p, a) == (a == axis ? -1 : 1) * Scalar::velocity(q, a);
    }
    if (same) return p;
  }
  return q;
}

/// From a node to the next one along a flat wall that a diagonal link of it crosses: one of whose
/// two neighbours along axes is fluid.
template <class Scalar, class Surfaces>
std::optional<ScalarGrid::Coordinates> along_wall(const Surfaces& surfaces, int q) {
  const LinkParts parts = parts_of<Scalar>(q);
  if (parts.count < 2) return {};
  const auto is_fluid = [&](int i) {
    return surfaces[static_cast<std::size_t>(parts.population[i])] < 0;
  };
  if (is_fluid(0) == is_fluid(1)) return {};
  return upstream_of<Scalar>(parts.population[is_fluid(0) ? 0 : 1]);
}

/// Of what passes through a square of a flat wall, what passes over a link of population q.
template <class Scalar>
double share_of_link(int q) {
  return 2 * Scalar::template weight<double>(q) / scalar_variance<Scalar>;
}

/// second_order of population q on the host.
template <class Scalar>
double square_of_velocity(int q, const std::array<double, 3>& velocity) {
  double along = 0;
  double square = 0;
  for (int a = 0; a < Scalar::dimensions; ++a) {
    const double u = velocity[static_cast<std::size_t>(a)];
    along += Scalar::velocity(q, a) * u;
    square += u * u;
  }
  return 4.5 * along * along - 1.5 * square;
}

template <class ExecutionSpace, class Value>
View<Value*, ExecutionSpace> uploaded(const std::string& label, const std::vector<Value>& values) {
  View<Value*, ExecutionSpace> view(label, values.size());
  Kokkos::deep_copy(view, HostView<const Value*>(values.data(), values.size()));
  return view;
}

}  // namespace

template <class ExecutionSpace, class Real, class Scalar>
PassiveScalars<ExecutionSpace, Real, Scalar>::PassiveScalars(
    std::vector<PassiveScalar> scalars, ScalarGrid grid, const Velocity& velocity,
    const std::function<std::int32_t(const Coordinates&)>& open_place, KernelTimers& timers,
    double fluid_nodes)
    : scalars_(std::move(scalars)), grid_(std::move(grid)) {
  if (scalars_.empty()) return;
  const std::vector<Kind> kinds = sort_nodes(open_place);
  for (const Kind& kind : kinds) surfaces_.push_back(kind.surfaces);
  shared_.plane = grid_.places;
  shared_.first_velocity = grid_.first_velocity;
  shared_.velocity = velocity;
  for (int q = 0; q < Scalar::populations; ++q) {
    for (std::size_t a = 0; a < static_cast<std::size_t>(Scalar::dimensions); ++a) {
      shared_.from[q] -=
          Scalar::velocity(q, static_cast<int>(a)) * static_cast<std::ptrdiff_t>(grid_.strides[a]);
    }
  }
  for (const PassiveScalar& scalar : scalars_) {
    const View<ScalarLinks<Scalar, Real>*, ExecutionSpace> links("links of scalar " + scalar.name,
                                                                 kinds.size());
    const auto on_host = Kokkos::create_mirror_view(links);
    for (std::size_t number = 0; number < kinds.size(); ++number) {
      const Kind& kind = kinds[number];
      ScalarLinks<Scalar, Real>& of_kind = on_host.data()[number];
      of_kind = {};
      for (int q = 0; q < Scalar::populations; ++q) {
        of_kind.factor[q] = 1;
        of_kind.addition[q] = 0;
        if (kind.surfaces[static_cast<std::size_t>(q)] < 0) continue;
        const auto [cut, link] = condition(scalar, kind, q);
        const SurfaceHeat::Kind given = surface_of(scalar, cut.surface).kind;
        of_kind.factor[q] = static_cast<Real>(link.factor);
        of_kind.addition[q] = static_cast<Real>(link.addition);
        of_kind.share[q] = {static_cast<Real>(link.share.of_value),
                            static_cast<Real>(link.share.carried)};
        of_kind.shares = of_kind.shares || link.has_share();
        const auto bit = static_cast<typename ScalarLinks<Scalar, Real>::Bits>(1U << q);
        of_kind.cut |= bit;
        if (given == SurfaceHeat::Kind::outflow) of_kind.outflow |= bit;
        if constexpr (has_diagonals<Scalar>) {
          of_kind.area[q] = static_cast<Real>(cut.share);
          of_kind.normal[q] = static_cast<std::uint8_t>(cut.normal);
          of_kind.source[q] = static_cast<std::uint8_t>(
              cut.mirrors ? mirrored<Scalar>(q, cut.normal) : Scalar::opposite(q));
          if (given == SurfaceHeat::Kind::temperature) of_kind.values |= bit;
        }
      }
    }
    Kokkos::deep_copy(links, on_host);
    const std::size_t values = grid_.places * Scalar::populations;
    of_scalars_.push_back({View<Real*, ExecutionSpace>("scalar " + scalar.name, values),
                           View<Real*, ExecutionSpace>("next scalar " + scalar.name, values),
                           links});
  }
  step_kernel_ = timers.declare(
      has_diagonals<Scalar> ? "scalar_on_diagonals" : "scalar",
      fluid_nodes *
          static_cast<double>((2 * Scalar::populations + Scalar::dimensions) * sizeof(Real)),
      0);
}

/// Up (1) or down (-1) an axis.
template <class ExecutionSpace, class Real, class Scalar>
ScalarCrossing PassiveScalars<ExecutionSpace, Real, Scalar>::crossing(int axis, int by) {
  ScalarCrossing found;
  for (int q = 1; q < Scalar::populations; ++q) {
    if (Scalar::velocity(q, axis) == by) found.population[found.count++] = q;
  }
  return found;
}

/// Where a surface cuts the link of a node.
template <class ExecutionSpace, class Real, class Scalar>
WallPlace PassiveScalars<ExecutionSpace, Real, Scalar>::wall_place(const Coordinates& at,
                                                                   const Coordinates& offset,
                                                                   std::size_t surface) const {
  WallPlace place;
  if (surface < sides || !grid_.wall_distance) return place;
  const std::size_t body = surface - sides;
  const double distance = grid_.wall_distance(at, offset, static_cast<int>(body));
  if (distance < 0) return place;
  place.distance = distance;
  const bool along_axis = std::count(offset.begin(), offset.end(), 0) == 2;
  if (along_axis && std::any_of(scalars_.begin(), scalars_.end(), [&](const PassiveScalar& each) {
        return each.heat.solids[body].has_area();
      })) {
    place.facing = grid_.wall_facing(at, offset, static_cast<int>(body));
  }
  return place;
}

template <class ExecutionSpace, class Real, class Scalar>
typename PassiveScalars<ExecutionSpace, Real, Scalar>::Kind
PassiveScalars<ExecutionSpace, Real, Scalar>::kind_at(const Coordinates& at) const {
  Kind kind;
  for (int q = 0; q < Scalar::populations; ++q) {
    const auto number = static_cast<std::size_t>(q);
    const auto from = grid_.neighbour(at, upstream_of<Scalar>(q), sides);
    kind.surfaces[number] = -1;
    if (from.fluid) continue;
    kind.surfaces[number] = static_cast<std::int16_t>(from.surface);
    const WallPlace place = wall_place(at, upstream_of<Scalar>(q), from.surface);
    kind.distance[number] = place.distance;
    kind.facing[number] = place.facing;
  }
  if constexpr (has_diagonals<Scalar>) {
    // In an edge and at a corner a link belongs to two squares of the surface.
    for (int q = 1; q < Scalar::populations; ++q) {
      const LinkParts parts = parts_of<Scalar>(q);
      const auto number = static_cast<std::size_t>(q);
      if (kind.surfaces[number] < 0 || parts.count < 2) continue;
      const auto first = static_cast<std::size_t>(parts.population[0]);
      const auto second = static_cast<std::size_t>(parts.population[1]);
      const bool is_edge = kind.surfaces[first] >= 0;
      if (is_edge != (kind.surfaces[second] >= 0)) continue;
      const auto facing_beside = [&](std::size_t way, std::size_t across) {
        const auto from = grid_.neighbour(at, upstream_of<Scalar>(static_cast<int>(way)), sides);
        return wall_place(from.at, upstream_of<Scalar>(static_cast<int>(across)),
                          static_cast<std::size_t>(kind.surfaces[number]))
            .facing;
      };
      kind.facing[number] = is_edge ? kind.facing[first] + kind.facing[second]
                                    : facing_beside(first, second) + facing_beside(second, first);
    }
  }
  return kind;
}

/// The flux through a square of a surface goes over the links that cross it, by their weights. A
/// diagonal link is
/// - beside a flat wall if one of its two neighbours along axes is cut, too; what does not set a
///   value mirrors, so that transport along the wall does not see it;
/// - in an edge if both are cut: it is a part of both squares, of different surfaces of that which
///   sets more;
/// - at the corner of a solid if none is: it is a part of the squares that meet there.
/// A link along an axis has all of its square that no diagonal link has.
template <class ExecutionSpace, class Real, class Scalar>
typename PassiveScalars<ExecutionSpace, Real, Scalar>::CutLink
PassiveScalars<ExecutionSpace, Real, Scalar>::cut_link(const PassiveScalar& scalar,
                                                       const Surfaces& surfaces, int q) const {
  const auto surface = [&](int population) {
    return surfaces[static_cast<std::size_t>(population)];
  };
  const LinkParts parts = parts_of<Scalar>(q);
  CutLink link;
  link.surface = static_cast<std::size_t>(surface(q));
  link.normal = parts.axis[0];
  if (!has_diagonals<Scalar>) return link;
  if (parts.count == 1) {
    for (int d = 1; d < Scalar::populations; ++d) {
      const LinkParts other = parts_of<Scalar>(d);
      if (other.count < 2 || (other.population[0] != q && other.population[1] != q)) continue;
      if (surface(d) >= 0) {
        const CutLink diagonal = cut_link(scalar, surfaces, d);
        const bool has_it = diagonal.normal == link.normal || diagonal.normal == CutLink::none;
        if (has_it) link.share -= diagonal.share;
      } else if (surface(other.population[other.population[0] == q ? 1 : 0]) < 0) {
        link.share -= share_of_link<Scalar>(d);  // at the corner of this square
      }
    }
    return link;
  }
  link.share = share_of_link<Scalar>(q);
  const int across[2] = {surface(parts.population[0]), surface(parts.population[1])};
  if (across[0] >= 0 && across[1] >= 0 && across[0] != across[1]) {
    const auto order = [&](int i) {
      const SurfaceHeat& given = surface_of(scalar, static_cast<std::size_t>(across[i]));
      return given.kind == SurfaceHeat::Kind::temperature ? 4
             : given.kind == SurfaceHeat::Kind::exchange  ? 3
             : given.kind == SurfaceHeat::Kind::outflow   ? 2
             : given.value != 0                           ? 1
                                                          : 0;
    };
    const int chosen = order(1) > order(0) ? 1 : 0;
    link.surface = static_cast<std::size_t>(across[chosen]);
    link.normal = parts.axis[chosen];
    return link;
  }
  if ((across[0] >= 0) == (across[1] >= 0)) {
    if (across[0] >= 0) link.surface = static_cast<std::size_t>(across[0]);
    link.normal = CutLink::none;
    return link;
  }
  const int face = across[0] >= 0 ? 0 : 1;
  link.normal = parts.axis[face];
  if (across[face] == surface(q)) {
    link.mirrors = surface_of(scalar, link.surface).kind != SurfaceHeat::Kind::temperature;
  } else {
    link.share = 0;
  }
  return link;
}

/// With diagonals a value holds where the surface cuts the link itself, and its flux is that of the
/// gradient along the link. So do a given flux and exchange where the link belongs to two squares;
/// else the link along the axis says where the surface is.
template <class ExecutionSpace, class Real, class Scalar>
typename PassiveScalars<ExecutionSpace, Real, Scalar>::Condition
PassiveScalars<ExecutionSpace, Real, Scalar>::condition(const PassiveScalar& scalar,
                                                        const Kind& kind, int q) const {
  CutLink cut = cut_link(scalar, kind.surfaces, q);
  const SurfaceHeat& given = surface_of(scalar, cut.surface);
  int of_place = q;
  if constexpr (has_diagonals<Scalar>) {
    if (given.kind == SurfaceHeat::Kind::temperature) {
      cut.share = share_of_link<Scalar>(q);
      cut.normal = CutLink::none;
    }
    if (cut.normal != CutLink::none) {
      of_place = crossing_along<Scalar>(cut.normal, Scalar::velocity(q, cut.normal));
    }
  }
  return {cut, given.link(Scalar::template weight<double>(q), scalar.heat.diffusivity,
                          kind.place(static_cast<std::size_t>(of_place)), cut.share)};
}

/// The place of a neighbour of an owned node. Ghosts are added to the lists of what is exchanged.
template <class ExecutionSpace, class Real, class Scalar>
std::size_t PassiveScalars<ExecutionSpace, Real, Scalar>::upstream_place(
    const Coordinates& at, const ScalarGrid::Neighbour& from) {
  const auto a = static_cast<std::size_t>(grid_.axis);
  const bool dense = grid_.strides[0] > 0;
  if (from.beside[a] == at[a] || (grid_.owns(from.beside) && grid_.owns(at))) {
    return grid_.place(from.at);
  }
  const bool after = from.beside[a] > at[a];
  if (!dense && grid_.whole) return grid_.place(from.at);
  if constexpr (has_diagonals<Scalar>) {
    // Listed plane by plane, since several links lead to a ghost.
    if (!dense) return ghosts_[after ? 1 : 0].at(grid_.cell(from.at));
    Coordinates beside = from.at;
    beside[a] = from.beside[a];
    return grid_.place(beside);
  }
  // A ghost. What it receives, and the node that sends in the other direction.
  std::size_t ghost = 0;
  if (dense) {
    Coordinates beside = from.at;
    beside[a] = from.beside[a];
    ghost = grid_.place(beside);
  } else {
    ghost = grid_.places++;
  }
  lists_[after ? 1 : 0].push_back(static_cast<std::uint32_t>(grid_.place(at)));
  lists_[after ? 3 : 2].push_back(static_cast<std::uint32_t>(ghost));
  return ghost;
}

/// With diagonals: lists the fluid nodes of the outermost planes and of those beside them.
template <class ExecutionSpace, class Real, class Scalar>
void PassiveScalars<ExecutionSpace, Real, Scalar>::list_planes() {
  const auto axis = static_cast<std::size_t>(grid_.axis);
  const bool dense = grid_.strides[0] > 0;
  if (!dense && grid_.whole) return;
  // A rank may own the layer beyond a side alone.
  if (grid_.planes[0] >= grid_.planes[1]) return;
  const int count = grid_.cells[axis];
  for (const int after : {0, 1}) {
    const int plane = after == 0 ? grid_.planes[0] : grid_.planes[1] - 1;
    const int beside = after == 0 ? plane - 1 : plane + 1;
    if (!grid_.periodic[axis] && (beside < 0 || beside >= count)) continue;
    const auto for_plane = [&](int of_domain, const auto& visit) {
      Coordinates begin{};
      Coordinates end = grid_.cells;
      begin[axis] = of_domain;
      end[axis] = of_domain + 1;
      Coordinates at{};
      for (at[2] = begin[2]; at[2] < end[2]; ++at[2]) {
        for (at[1] = begin[1]; at[1] < end[1]; ++at[1]) {
          for (at[0] = begin[0]; at[0] < end[0]; ++at[0]) {
            if (grid_.is_fluid(at)) visit(at);
          }
        }
      }
    };
    for_plane(plane, [&](const Coordinates& at) {
      lists_[after].push_back(static_cast<std::uint32_t>(grid_.place(at)));
    });
    for_plane((beside + count) % count, [&](Coordinates at) {
      std::size_t ghost = grid_.places;
      if (dense) {
        at[axis] = beside;
        ghost = grid_.place(at);
      } else {
        ghosts_[after].emplace(grid_.cell(at), grid_.places++);
      }
      lists_[2 + after].push_back(static_cast<std::uint32_t>(ghost));
    });
  }
}

/// Returns the kinds of links of the nodes. At interpolated walls most nodes have one of their own.
template <class ExecutionSpace, class Real, class Scalar>
auto PassiveScalars<ExecutionSpace, Real, Scalar>::sort_nodes(
    const std::function<std::int32_t(const Coordinates&)>& open_place) -> std::vector<Kind> {
  constexpr auto populations = static_cast<std::size_t>(Scalar::populations);
  std::vector<ScalarRun> runs;
  // Without links to surfaces, with such links, and at open sides with velocities of their own.
  struct Group {
    std::vector<std::uint32_t> upstream, kinds;
    std::vector<std::size_t> cells;
  } groups[3];
  std::vector<std::int32_t> open_places;
  std::vector<Kind> kinds;
  const auto before = [&](std::uint32_t a, std::uint32_t b) { return kinds[a] < kinds[b]; };
  std::set<std::uint32_t, decltype(before)> known(before);
  const auto number_of = [&](const Kind& kind) {
    kinds.push_back(kind);
    const auto [entry, is_new] = known.insert(static_cast<std::uint32_t>(kinds.size() - 1));
    if (!is_new) kinds.pop_back();
    return *entry;
  };
  Kind none{};
  none.surfaces.fill(-1);
  number_of(none);
  if constexpr (has_diagonals<Scalar>) list_planes();
  grid_.for_owned([&](const Coordinates& at) {
    if (!grid_.is_fluid(at)) return;
    const std::size_t here = grid_.place(at);
    const Kind kind = kind_at(at);
    const Surfaces& surfaces = kind.surfaces;
    std::array<std::uint32_t, populations> upstream{};
    upstream[0] = static_cast<std::uint32_t>(here);
    bool regular = grid_.strides[0] > 0;
    bool cut = false;
    for (int q = 1; q < Scalar::populations; ++q) {
      const auto number = static_cast<std::size_t>(q);
      if (surfaces[number] >= 0) {
        cut = true;
        upstream[number] = upstream[0];
        if (const auto along = along_wall<Scalar>(surfaces, q)) {
          upstream[number] =
              static_cast<std::uint32_t>(upstream_place(at, grid_.neighbour(at, *along, sides)));
        }
        continue;
      }
      const auto from = grid_.neighbour(at, upstream_of<Scalar>(q), sides);
      const std::size_t place = upstream_place(at, from);
      upstream[number] = static_cast<std::uint32_t>(place);
      std::ptrdiff_t offset = 0;
      for (int a = 0; a < Scalar::dimensions; ++a) {
        offset -= Scalar::velocity(q, a) *
                  static_cast<std::ptrdiff_t>(grid_.strides[static_cast<std::size_t>(a)]);
      }
      regular = regular && place == here + static_cast<std::size_t>(offset);
    }
    if (regular && !cut) {
      const auto n = static_cast<std::uint32_t>(here);
      const bool longer =
          !runs.empty() && runs.back().end == n && n - runs.back().first < longest_run;
      if (longer) {
        ++runs.back().end;
      } else {
        runs.push_back({n, n + 1});
      }
      return;
    }
    const std::int32_t open = cut && open_place ? open_place(at) : -1;
    Group& group = groups[open >= 0 ? 2 : (cut ? 1 : 0)];
    group.upstream.insert(group.upstream.end(), upstream.begin(), upstream.end());
    group.kinds.push_back(number_of(kind));
    group.cells.push_back(grid_.cell(at));
    if (open >= 0) open_places.push_back(open);
  });
  if (grid_.places > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("scalars: the lattice has more than 4294967295 nodes with scalars");
  }
  first_cut_ = groups[0].kinds.size();
  shared_.first_open = first_cut_ + groups[1].kinds.size();
  for (std::size_t i = 1; i < 3; ++i) {
    const auto append = [](auto& to, const auto& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    append(groups[0].upstream, groups[i].upstream);
    append(groups[0].kinds, groups[i].kinds);
    append(cut_cells_, groups[i].cells);
    append(cut_kinds_, groups[i].kinds);
  }
  runs_ = uploaded<ExecutionSpace>("runs of regular nodes", runs);
  shared_.listed = uploaded<ExecutionSpace>("listed nodes", groups[0].upstream);
  shared_.kinds = uploaded<ExecutionSpace>("kinds of listed nodes", groups[0].kinds);
  shared_.open_places = uploaded<ExecutionSpace>("nodes at open sides", open_places);
  first_ = uploaded<ExecutionSpace>("first plane", lists_[0]);
  last_ = uploaded<ExecutionSpace>("last plane", lists_[1]);
  before_first_ = uploaded<ExecutionSpace>("plane before", lists_[2]);
  after_last_ = uploaded<ExecutionSpace>("plane after", lists_[3]);
  if (grid_.whole) return kinds;
  // Messages to the rank after have tag 2, those to the rank before tag 3.
  const auto crossing_populations =
      static_cast<std::size_t>(crossing(grid_.axis, 1).count);  // as many as go down
  const auto add = [&](std::size_t list, int rank, int tag) {
    const std::size_t values = lists_[list].size() * crossing_populations;
    if (values == 0) return ExchangedMessage<Real>{};
    return list < 2 ? exchange_.template add_send<Real>(rank, tag, values)
                    : exchange_.template add_receive<Real>(rank, tag, values);
  };
  to_after_ = add(1, grid_.rank_after, 2);
  to_before_ = add(0, grid_.rank_before, 3);
  from_before_ = add(2, grid_.rank_before, 2);
  from_after_ = add(3, grid_.rank_after, 3);
  return kinds;
}

template <class ExecutionSpace, class Real, class Scalar>
ScalarPopulations<ExecutionSpace, Real, Scalar>
PassiveScalars<ExecutionSpace, Real, Scalar>::populations_of(std::size_t scalar) const {
  Populations populations = shared_;
  populations.sent = of_scalars_[scalar].sent;
  populations.next = of_scalars_[scalar].next;
  populations.links = of_scalars_[scalar].links;
  populations.open = open_;
  populations.parameters = rounded<Real>(scalars_[scalar].heat.parameters());
  return populations;
}

template <class ExecutionSpace, class Real, class Scalar>
void PassiveScalars<ExecutionSpace, Real, Scalar>::step(const ExecutionSpace& execution,
                                                        std::size_t scalar) {
  const Populations populations = populations_of(scalar);
  for_nodes(execution, "knudsen/lattice/scalar", populations, runs_,
            CollideScalar<ExecutionSpace, Real, Scalar>{populations});
  std::swap(of_scalars_[scalar].sent, of_scalars_[scalar].next);
}

/// Copies what goes from one plane of a rank to the next plane of another one, or to the other end
/// of a periodic domain.
template <class ExecutionSpace, class Real, class Scalar>
void PassiveScalars<ExecutionSpace, Real, Scalar>::exchange(const ExecutionSpace& execution,
                                                            std::size_t scalar) {
  const auto counts = [](const auto& list) { return static_cast<std::int64_t>(list.extent(0)); };
  if (counts(first_) + counts(last_) + counts(before_first_) + counts(after_last_) == 0) return;
  using Copy = CopyPlaces<ExecutionSpace, Real>;
  const char* label = "knudsen/lattice/scalar_ghosts";
  const View<std::uint32_t*, ExecutionSpace> in_order;
  Real* const sent = of_scalars_[scalar].sent.data();
  const ScalarCrossing up = crossing(grid_.axis, 1);
  const ScalarCrossing down = crossing(grid_.axis, -1);
  const std::size_t plane = grid_.places;
  const auto copy_both = [&](const Copy& a, const Copy& b) {
    launch_both(execution, label, a.count * up.count, a, b.count * down.count, b);
  };
  if (grid_.whole) {
    copy_both({sent, sent, last_, before_first_, up, plane, counts(last_)},
              {sent, sent, first_, after_last_, down, plane, counts(first_)});
    return;
  }
  const auto buffer = [&](const ExchangedMessage<Real>& message, const auto& list) -> Real* {
    return list.extent(0) > 0 ? exchange_.buffer(message) : nullptr;
  };
  copy_both({sent, buffer(to_after_, last_), last_, in_order, up, plane, counts(last_)},
            {sent, buffer(to_before_, first_), first_, in_order, down, plane, counts(first_)});
  exchange_.begin(execution);
  exchange_.end(execution);
  copy_both({buffer(from_before_, before_first_), sent, in_order, before_first_, up, plane,
             counts(before_first_)},
            {buffer(from_after_, after_last_), sent, in_order, after_last_, down, plane,
             counts(after_last_)});
}

template <class ExecutionSpace, class Real, class Scalar>
void PassiveScalars<ExecutionSpace, Real, Scalar>::initialise(
    const ExecutionSpace& execution, const GivenFields& given,
    const std::function<std::array<double, 3>(const Coordinates&)>& initial_velocity) {
  constexpr int dimensions = Scalar::dimensions;
  const auto axis = static_cast<std::size_t>(grid_.axis);
  for (std::size_t i = 0; i < scalars_.size(); ++i) {
    const PassiveScalar& scalar = scalars_[i];
    std::vector<double> values(grid_.size());
    const auto found = given.scalars.find(scalar.name);
    const bool is_given = found != given.scalars.end() && !found->second.empty();
    Coordinates at{};
    std::size_t cell = 0;
    for (at[2] = 0; at[2] < grid_.cells[2]; ++at[2]) {
      for (at[1] = 0; at[1] < grid_.cells[1]; ++at[1]) {
        for (at[0] = 0; at[0] < grid_.cells[0]; ++at[0], ++cell) {
          if (!grid_.is_fluid(at)) continue;
          values[cell] = is_given ? found->second[cell] - scalar.heat.reference
                                  : scalar.initial_at(at[0], at[1], at[2]);
        }
      }
    }
    const auto sent = Kokkos::create_mirror_view(of_scalars_[i].sent);
    Kokkos::deep_copy(sent, Real(0));
    const double rate = scalar.heat.parameters().antisymmetric_rate;
    // What has been sent so that in the first step a node receives its equilibrium and the part of
    // first order of the gradient. The owned nodes, and those of the planes beside.
    const auto set_node = [&](const Coordinates& here) {
      if (!grid_.is_fluid(here)) return;
      const double value = values[grid_.cell(here)];
      const std::array<double, 3> velocity = initial_velocity(here);
      const Kind kind = kind_at(here);
      double along[3] = {0, 0, 0};
      for (int a = 0; a < dimensions; ++a) {
        const auto before = grid_.neighbour(here, a, -1, sides);
        const auto after = grid_.neighbour(here, a, 1, sides);
        const int distance = int(before.fluid) + int(after.fluid);
        const double low = before.fluid ? values[grid_.cell(before.at)] : value;
        const double high = after.fluid ? values[grid_.cell(after.at)] : value;
        along[a] = value * velocity[static_cast<std::size_t>(a)] / scalar_variance<Scalar>;
        if (distance > 0) along[a] -= (high - low) / distance / rate;
      }
      for (int q = 0; q < Scalar::populations; ++q) {
        double slot = value;
        for (int a = 0; a < dimensions; ++a) slot += Scalar::velocity(q, a) * along[a];
        const double square = has_diagonals<Scalar> ? square_of_velocity<Scalar>(q, velocity) : 0;
        slot += value * square;
        slot *= Scalar::template weight<double>(q);
        int population = q;
        const auto upstream = grid_.neighbour(here, upstream_of<Scalar>(q), sides);
        Coordinates from = upstream.at;
        if (!upstream.fluid) {
          const auto [cut, link] = condition(scalar, kind, q);
          from = here;
          population = Scalar::opposite(q);
          if (cut.mirrors) {
            from = grid_.neighbour(here, *along_wall<Scalar>(kind.surfaces, q), sides).at;
            population = mirrored<Scalar>(q, cut.normal);
          }
          const bool of_value =
              surface_of(scalar, cut.surface).kind == SurfaceHeat::Kind::temperature;
          const double even = of_value ? 1 + square : 1;
          double inward = 0;
          for (int a = 0; a < dimensions; ++a) {
            if (has_diagonals<Scalar> && cut.normal < dimensions && a != cut.normal) continue;
            inward += Scalar::velocity(q, a) * velocity[static_cast<std::size_t>(a)];
          }
          slot -= link.addition * even;
          slot -= (link.share.of_value * even + link.share.carried * cut.share * inward) * value;
          // Where exchange leaves nothing of what went out, that has no effect.
          if (link.factor != 0) slot /= link.factor;
        }
        if (!grid_.owns(from)) continue;
        sent.data()[static_cast<std::size_t>(population) * grid_.places + grid_.place(from)] =
            static_cast<Real>(slot);
      }
    };
    const int beside = grid_.whole ? 0 : 1;
    for (int plane = grid_.planes[0] - beside; plane < grid_.planes[1] + beside; ++plane) {
      Coordinates here{};
      Coordinates end = grid_.cells;
      const int count = grid_.cells[axis];
      if (!grid_.periodic[axis] && (plane < 0 || plane >= count)) continue;
      here[axis] = (plane + count) % count;
      end[axis] = here[axis] + 1;
      const Coordinates begin = here;
      for (here[2] = begin[2]; here[2] < end[2]; ++here[2]) {
        for (here[1] = begin[1]; here[1] < end[1]; ++here[1]) {
          for (here[0] = begin[0]; here[0] < end[0]; ++here[0]) set_node(here);
        }
      }
    }
    Kokkos::deep_copy(of_scalars_[i].sent, sent);
    exchange(execution, i);
  }
  find_given(execution);
  forget_results();
}

/// Values of the owned cells, less the reference value; NaN in solids.
template <class ExecutionSpace, class Real, class Scalar>
std::vector<Real> PassiveScalars<ExecutionSpace, Real, Scalar>::own_values(
    const ExecutionSpace& execution, std::size_t scalar) const {
  const View<Real*, ExecutionSpace> values("values of a scalar", grid_.places);
  for_nodes(execution, "knudsen/lattice/scalar_values", populations_of(scalar), runs_,
            StoreValue<ExecutionSpace, Real, Scalar>{values});
  execution.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
  std::vector<Real> own;
  grid_.for_owned([&](const Coordinates& at) {
    own.push_back(grid_.is_fluid(at) ? host.data()[grid_.place(at)] : Real(NAN));
  });
  return own;
}

template <class ExecutionSpace, class Real, class Scalar>
std::vector<Real> PassiveScalars<ExecutionSpace, Real, Scalar>::field(
    const ExecutionSpace& execution, std::size_t scalar) const {
  std::vector<Real> values = own_values(execution, scalar);
  const double reference = scalars_[scalar].heat.reference;
  for (Real& value : values) value = static_cast<Real>(reference + double(value));
  return values;
}

template <class ExecutionSpace, class Real, class Scalar>
ScalarRange PassiveScalars<ExecutionSpace, Real, Scalar>::range(const ExecutionSpace& execution,
                                                                std::size_t scalar) {
  if (const auto known = ranges_.find(scalar); known != ranges_.end()) return known->second;
  const std::vector<Real> own = own_values(execution, scalar);
  double sum = 0;
  double count = 0;
  ScalarRange range{0, std::numeric_limits<double>::infinity(),
                    -std::numeric_limits<double>::infinity()};
  std::size_t cell = 0;
  grid_.shared_cells().for_pieces(own.data(), 1, [&](const Real* values, std::size_t cells) {
    for (std::size_t i = 0; i < cells; ++i, ++cell) {
      if (grid_.body != nullptr && !grid_.body->empty() && (*grid_.body)[cell] >= 0) continue;
      ++count;
      sum += double(values[i]);
      range.lowest = std::min(range.lowest, double(values[i]));
      range.highest = std::max(range.highest, double(values[i]));
    }
  });
  const double reference = scalars_[scalar].heat.reference;
  range = {reference + sum / count, reference + range.lowest, reference + range.highest};
  ranges_.emplace(scalar, range);
  return range;
}

template <class ExecutionSpace, class Real, class Scalar>
double PassiveScalars<ExecutionSpace, Real, Scalar>::flow(const ExecutionSpace& execution,
                                                          std::size_t scalar, std::size_t surface) {
  if (flows_.empty()) {
    struct LinkFlow {
      std::size_t cell;
      std::size_t surface;
      double flow;
    };
    flows_.assign(scalars_.size(), {});
    for (std::size_t i = 0; i < scalars_.size(); ++i) {
      const View<double*, ExecutionSpace> flows("flows of a scalar",
                                                cut_cells_.size() * Scalar::populations);
      const Populations populations = populations_of(i);
      run_over(
          execution, "knudsen/lattice/scalar_flows", cut_cells_.size(),
          FlowOfLinks<Populations, Real, Scalar, ExecutionSpace>{populations, first_cut_, flows});
      execution.fence();
      const auto host = to_list(flows);
      std::vector<LinkFlow> own;
      for (std::size_t node = 0; node < cut_cells_.size(); ++node) {
        for (std::size_t q = 0; q < Scalar::populations; ++q) {
          const Surfaces& surfaces = surfaces_[cut_kinds_[node]];
          if (surfaces[q] < 0) continue;
          own.push_back({cut_cells_[node],
                         cut_link(scalars_[i], surfaces, static_cast<int>(q)).surface,
                         host[node * Scalar::populations + q]});
        }
      }
      // In the order of cells, whatever the ranks.
      std::vector<LinkFlow> all = world().concatenate_on_first(std::move(own));
      std::stable_sort(all.begin(), all.end(),
                       [](const LinkFlow& a, const LinkFlow& b) { return a.cell < b.cell; });
      flows_[i].assign(sides + scalars_[i].heat.solids.size(), 0);
      for (const LinkFlow& each : all) flows_[i][each.surface] += each.flow;
    }
  }
  return flows_[scalar][surface];
}

template <class ExecutionSpace, class Real, class Scalar>
void PassiveScalars<ExecutionSpace, Real, Scalar>::find_given(const ExecutionSpace& execution) {
  given_.clear();
  for (std::size_t i = 0; i < scalars_.size(); ++i) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    GivenRange range{infinity, -infinity, true};
    const auto add = [&](double value) {
      range.least = std::min(range.least, value);
      range.greatest = std::max(range.greatest, value);
    };
    for (const Real value : own_values(execution, i)) {
      if (std::isfinite(value)) add(static_cast<double>(value));
    }
    for (std::size_t number = 0; number < sides + scalars_[i].heat.solids.size(); ++number) {
      const SurfaceHeat& surface = surface_of(scalars_[i], number);
      if (!surface.heats()) continue;
      if (surface.kind == SurfaceHeat::Kind::flux) {
        range.bounds = false;
      } else {
        add(surface.value);
      }
    }
    for (const double each : world().concatenate(std::vector{range.least, range.greatest})) {
      if (std::isfinite(each)) add(each);
    }
    given_.push_back(range);
  }
}

template <class ExecutionSpace, class Real, class Scalar>
std::optional<Divergence> PassiveScalars<ExecutionSpace, Real, Scalar>::find_divergence(
    const ExecutionSpace& execution) const {
  // Where a scalar is not well resolved it oscillates, but not that far.
  constexpr double beyond = 10;  // times the size of what is given
  struct Found {
    std::int64_t cell;
    double value;
  };
  for (std::size_t i = 0; i < scalars_.size(); ++i) {
    const std::vector<Real> values = own_values(execution, i);
    const GivenRange& given = given_[i];
    // Where all is given the same value, that range is one of rounding.
    const double size =
        std::max({given.greatest - given.least, std::abs(given.least), std::abs(given.greatest),
                  1e-3 * std::abs(scalars_[i].heat.reference)});
    const auto is_sound = [&](double value) {
      if (!std::isfinite(value)) return false;
      return !given.bounds || !(size > 0) ||
             (value >= given.least - beyond * size && value <= given.greatest + beyond * size);
    };
    Found first{-1, 0};
    std::size_t next = 0;
    grid_.for_owned([&](const Coordinates& at) {
      const auto value = static_cast<double>(values[next++]);
      if (first.cell < 0 && grid_.is_fluid(at) && !is_sound(value)) {
        first = {static_cast<std::int64_t>(grid_.cell(at)), value};
      }
    });
    Found lowest{-1, 0};
    for (const Found& each : world().concatenate(std::vector{first})) {
      if (each.cell >= 0 && (lowest.cell < 0 || each.cell < lowest.cell)) lowest = each;
    }
    if (lowest.cell < 0) continue;
    const std::int64_t row = lowest.cell / grid_.cells[0];
    const double reference = scalars_[i].heat.reference;
    const std::string what = std::isfinite(lowest.value)
                                 ? "is " + value_text(lowest.value + reference) +
                                       ", far from all that the case gives, " +
                                       value_text(given.least + reference) + " to " +
                                       value_text(given.greatest + reference)
                                 : "is not finite";
    return Divergence{{lowest.cell % grid_.cells[0], row % grid_.cells[1], row / grid_.cells[1]},
                      "the scalar " + scalars_[i].name + ' ' + what,
                      scalars_[i].diagonals
                          ? "leave out its lattice, which with small diffusivities is the less "
                            "stable one, raise its diffusivity (scalars), or use more nodes"
                          : "raise its diffusivity (scalars), or use more nodes"};
  }
  return {};
}

template <class ExecutionSpace, class Real, class Scalar>
void PassiveScalars<ExecutionSpace, Real, Scalar>::save(CheckpointWriter& checkpoint) const {
  const std::size_t cells = grid_.size();
  const std::size_t all = Scalar::populations * cells;
  const SharedCells shared = grid_.shared_cells();
  for (std::size_t i = 0; i < scalars_.size(); ++i) {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), of_scalars_[i].sent);
    std::vector<Real> own;  // a population of the owned cells
    checkpoint.shared_array<Real>(
        "scalar." + scalars_[i].name, {all},
        [&](const auto& body) {
          for (std::size_t q = 0; q < Scalar::populations; ++q) {
            const Real* const population = host.data() + q * grid_.places;
            own.clear();
            grid_.for_owned([&](const Coordinates& node) {
              own.push_back(grid_.is_fluid(node) ? population[grid_.place(node)] : Real(0));
            });
            shared.for_runs(world().rank(), 0, cells,
                            [&](std::size_t cell, std::size_t count, std::size_t place) {
                              body(q * cells + cell, count, place);
                            });
          }
        },
        [&](std::size_t place, std::size_t count, Real* to) {
          std::copy_n(own.data() + place, count, to);
        });
  }
}

template <class ExecutionSpace, class Real, class Scalar>
void PassiveScalars<ExecutionSpace, Real, Scalar>::load(const ExecutionSpace& execution,
                                                        const CheckpointReader& checkpoint) {
  const std::size_t cells = grid_.size();
  const std::size_t all = Scalar::populations * cells;
  const SharedCells shared = grid_.shared_cells();
  for (std::size_t i = 0; i < scalars_.size(); ++i) {
    const auto host = Kokkos::create_mirror_view(of_scalars_[i].sent);
    Kokkos::deep_copy(host, Real(0));
    checkpoint.shared_array<Real>(
        "scalar." + scalars_[i].name, {all},
        [&](const auto& body) {
          for (std::size_t q = 0; q < Scalar::populations; ++q) {
            shared.for_runs(world().rank(), 0, cells,
                            [&](std::size_t cell, std::size_t count, std::size_t) {
                              body(q * cells + cell, count, q * cells + cell);
                            });
          }
        },
        [&](std::size_t place, std::size_t size, const Real* values) {
          for_rows_of_piece(
              place, size, cells,
              [&](std::size_t q, std::size_t cell, std::size_t count, std::size_t at) {
                Real* const population = host.data() + q * grid_.places;
                for (std::size_t n = 0; n < count; ++n) {
                  const Coordinates node = grid_.at(cell + n);
                  if (grid_.is_fluid(node)) population[grid_.place(node)] = values[at + n];
                }
              });
        });
    Kokkos::deep_copy(of_scalars_[i].sent, host);
    exchange(execution, i);
  }
  find_given(execution);
  forget_results();
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)            \
  template class PassiveScalars<ExecutionSpace, Real, D2Q5>; \
  template class PassiveScalars<ExecutionSpace, Real, D2Q9>; \
  template class PassiveScalars<ExecutionSpace, Real, D3Q7>; \
  template class PassiveScalars<ExecutionSpace, Real, D3Q19>;
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::lbm
