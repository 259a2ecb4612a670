#include "methods/lbm_d2q9/node_map.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>

#include "core/error.hpp"
#include "methods/lattice/slip.hpp"

namespace knudsen::lbm_d2q9 {
namespace {

constexpr std::int16_t fluid = -1;
/// Body index of ghost nodes of a full-way wall on side s: first_side_wall - s.
constexpr std::int16_t first_side_wall = -2;

struct Builder {
  NodeMap map;
  std::vector<std::int16_t> body;  ///< of the whole lattice, ghosts included
  const std::vector<std::array<double, 2>>& body_velocities;
  const std::array<SideCondition, side_count>& sides;
  WallTreatment treatment;
  const WallDistance& wall_distance;
  const lbm::Heat* heat;
  const WallDistance& wall_facing;
  const SolidSlip* slip;
  std::unordered_map<std::string, std::uint16_t> known_classes;
  std::unordered_map<std::string, std::uint16_t> known_slip;

  std::int16_t body_at(int x, int y) const {
    return body[static_cast<std::size_t>(y) * static_cast<std::size_t>(map.extents.nx) +
                static_cast<std::size_t>(x)];
  }

  std::array<double, 2> velocity_of(std::int16_t index) const {
    return index <= first_side_wall
               ? sides[static_cast<std::size_t>(first_side_wall - index)].velocity
               : body_velocities[static_cast<std::size_t>(index)];
  }

  std::uint16_t index_of(const NodeClass<double>& node, const ScalarClass<double>& scalar) {
    std::string key(sizeof(node) + sizeof(scalar), '\0');
    std::memcpy(key.data(), &node, sizeof(node));
    std::memcpy(key.data() + sizeof(node), &scalar, sizeof(scalar));
    const auto [entry, is_new] =
        known_classes.try_emplace(key, static_cast<std::uint16_t>(map.classes.size()));
    if (is_new) {
      if (map.classes.size() > 65535) {
        throw InputError(
            "geometry: more than 65535 kinds of boundary nodes; use \"half-way\" walls instead of "
            "\"interpolated\" ones, or fewer moving bodies");
      }
      map.classes.push_back(node);
      if (heat != nullptr) map.scalar_classes.push_back(scalar);
    }
    return entry->second;
  }

  /// A class with all bytes set, so that equal classes compare equal as bytes.
  static NodeClass<double> blank() {
    NodeClass<double> node;
    std::memset(static_cast<void*>(&node), 0, sizeof(node));
    std::fill(std::begin(node.wall_distance), std::end(node.wall_distance), -1.0);
    return node;
  }

  static ScalarClass<double> blank_scalar() {
    ScalarClass<double> scalar;
    std::memset(static_cast<void*>(&scalar), 0, sizeof(scalar));
    std::fill(std::begin(scalar.factor), std::end(scalar.factor), 1.0);
    scalar.capacity = 1;
    return scalar;
  }

  /// Momentum that a wall with this velocity adds to incoming population q (Ladd 1994):
  /// 6 w_q rho_0 c_q.u, with rho_0 = 1 so that the walls of a closed domain add no mass.
  static double moving_wall(int q, const std::array<double, 2>& velocity) {
    return 6 * D2Q9::weight<double>(q) * (D2Q9::cx(q) * velocity[0] + D2Q9::cy(q) * velocity[1]);
  }

  /// True for fluid nodes far enough from sides and solids to be certainly of class 0.
  bool is_plain(int x, int y) const {
    if (x < 2 || y < 2 || x + 2 >= map.extents.nx || y + 2 >= map.extents.ny) return false;
    for (int q = 0; q < 9; ++q) {
      if (body_at(x + D2Q9::cx(q), y + D2Q9::cy(q)) != fluid) return false;
    }
    return true;
  }

  bool is_open(Side side) const { return map.open_kind[side] != OpenKind::none; }
  /// Whether (x, y) is outside of the lattice along a non-periodic axis. Periodic addressing would
  /// wrap a link to such a point to a node at the opposite side.
  bool is_outside(int x, int y) const {
    return (!map.periodic[0] && (x < 0 || x >= map.extents.nx)) ||
           (!map.periodic[1] && (y < 0 || y >= map.extents.ny));
  }

  NodeClass<double> classify(int x, int y) {
    NodeClass<double> node = blank();
    const Extents& extents = map.extents;
    const std::int16_t own = body_at(x, y);
    if (own != fluid) {
      node.kind = NodeKind::solid;
      if (treatment != WallTreatment::full_way) return node;
      std::uint16_t links = 0;
      for (int q = 1; q < 9; ++q) {
        const int up_x = x - D2Q9::cx(q);
        const int up_y = y - D2Q9::cy(q);
        if (is_outside(up_x, up_y)) {
          node.cut |= static_cast<std::uint16_t>(1U << q);
        } else if (body_at(extents.wrap_x(up_x), extents.wrap_y(up_y)) == fluid) {
          links |= static_cast<std::uint16_t>(1U << q);
        }
      }
      if (links == 0) {
        node.cut = 0;
        return node;
      }
      node.kind = NodeKind::reversing;
      for (int q = 1; q < 9; ++q) {
        // Nothing arrives from outside, so the wall transfers no momentum there.
        const bool from_outside = ((node.cut >> q) & 1) != 0;
        if (!from_outside) node.correction[q] = moving_wall(D2Q9::opposite(q), velocity_of(own));
      }
      if (own >= 0) {
        map.body_links.push_back({x, y, static_cast<std::uint16_t>(own), links});
      }
      return node;
    }
    ++map.fluid_nodes;

    classify_open(node, x, y);
    classify_slip(node, x, y);
    for (int q = 1; q < 9; ++q) classify_link(node, x, y, q);
    classify_solid_slip(node, x, y);
    return node;
  }

  /// Slip of the walls at a node. Open sides set what walls would mirror there.
  void classify_slip(NodeClass<double>& node, int x, int y) const {
    if (node.open_side != 0 || node.open_corner != 0) return;
    const auto share = [&](bool at_side, Side side) { return at_side ? sides[side].mirrored : 0; };
    const std::array<double, side_count> shares =
        lbm::shares_at_node<side_count>({share(x == first(0), west), share(x == last(0), east),
                                         share(y == first(1), south), share(y == last(1), north)});
    std::copy(shares.begin(), shares.end(), node.mirrored);
    node.slips = shares != std::array<double, side_count>{};
  }

  /// Slip along solids at a node. There is none beside open sides, in corners between walls, and
  /// where a wall side of the domain is as near.
  void classify_solid_slip(NodeClass<double>& node, int x, int y) {
    if (slip == nullptr || node.open_side != 0 || node.open_corner != 0) return;
    lbm::WallsAtNode<2> walls;
    bool any = false;
    for (int q = 1; q < 9; ++q) {
      if (((node.cut >> q) & 1) == 0) continue;
      const int up_x = x - D2Q9::cx(q);
      const int up_y = y - D2Q9::cy(q);
      if (is_outside(up_x, up_y)) {
        walls.corner = true;
        if (up_x < 0) walls.others.push_back({1, 0});
        if (up_x >= map.extents.nx) walls.others.push_back({-1, 0});
        if (up_y < 0) walls.others.push_back({0, 1});
        if (up_y >= map.extents.ny) walls.others.push_back({0, -1});
        continue;
      }
      const std::int16_t solid = body_at(map.extents.wrap_x(up_x), map.extents.wrap_y(up_y));
      const auto surface =
          slip->surface(x - map.offset[0], y - map.offset[1], D2Q9::opposite(q), solid);
      any = any || slip->slips(solid);
      if (surface) {
        walls.links.push_back({q, node.wall_distance[q], solid, surface->normal});
        continue;
      }
      if (slip->slips(solid)) {
        refuse_slip(x, y,
                    "has a link through a periodic side to a solid with slip (\"accommodation\") "
                    "whose shape ends there; extend the shape beyond the side, or keep it away "
                    "from the side");
      }
      const double length = std::hypot(D2Q9::cx(q), D2Q9::cy(q));
      walls.others.push_back({D2Q9::cx(q) / length, D2Q9::cy(q) / length});
    }
    if (!any) return;
    const auto nearest = [&](const lbm::SlipLink<2>& link) {
      const WallFrame frame =
          slip->frame(x - map.offset[0], y - map.offset[1], D2Q9::opposite(link.q), link.solid);
      const Point2D& n = frame.surface.normal;
      const double curvature = frame.surface.curvature;
      return lbm::SlipWall<2>{n,
                              frame.distance,
                              {{{curvature * n[1] * n[1], -curvature * n[0] * n[1]},
                                {-curvature * n[0] * n[1], curvature * n[0] * n[0]}}}};
    };
    const lbm::SlipAtNode<2> found = slip->at_node<D2Q9>(walls, nearest);
    if (found.in_gap) {
      refuse_slip(x, y,
                  "is in a gap one node wide between walls of which one has slip "
                  "(\"accommodation\"); give gaps at least two nodes");
    }
    if (!found.added) return;
    const std::string key(reinterpret_cast<const char*>(&*found.added), sizeof(*found.added));
    const auto [entry, is_new] =
        known_slip.try_emplace(key, static_cast<std::uint16_t>(map.slip_classes.size() + 1));
    // No more of them than classes, whose number is checked.
    if (is_new) map.slip_classes.push_back(*found.added);
    node.solid_slip = entry->second;
  }

  [[noreturn]] void refuse_slip(int x, int y, const std::string& why) const {
    throw InputError("geometry.solids: node (" + std::to_string(x - map.offset[0]) + ", " +
                     std::to_string(y - map.offset[1]) + ") " + why);
  }

  void classify_link(NodeClass<double>& node, int x, int y, int q) {
    const Extents& extents = map.extents;
    const int up_x = x - D2Q9::cx(q);
    const int up_y = y - D2Q9::cy(q);
    std::array<double, 2> velocity{0, 0};
    int walls = 0;
    const auto cross = [&](bool crossed, Side side) {
      if (!crossed) return;
      const SideCondition& condition = sides[side];
      if (condition.kind == SideKind::wall) {
        // What is mirrored has no momentum of the wall. In a corner this share is that of the rest
        // of the wall, so that its ends take in as much mass as they give off.
        const double bounced = node.slips ? 1 - condition.mirrored : 1;
        velocity[0] += bounced * condition.velocity[0];
        velocity[1] += bounced * condition.velocity[1];
        ++walls;
      }
    };
    cross(up_x < 0, west);
    cross(up_x >= extents.nx, east);
    cross(up_y < 0, south);
    cross(up_y >= extents.ny, north);
    if (walls > 0) {
      // A link through the corner between two walls takes the mean of their velocities.
      node.cut |= static_cast<std::uint16_t>(1U << q);
      node.correction[q] = moving_wall(q, {velocity[0] / walls, velocity[1] / walls});
      return;
    }
    if (is_outside(up_x, up_y)) {
      // The open side sets this population.
      node.cut |= static_cast<std::uint16_t>(1U << q);
      return;
    }
    const std::int16_t upstream = body_at(extents.wrap_x(up_x), extents.wrap_y(up_y));
    if (upstream == fluid || treatment == WallTreatment::full_way) return;
    node.cut |= static_cast<std::uint16_t>(1U << q);
    node.correction[q] = moving_wall(q, velocity_of(upstream));
    if (treatment == WallTreatment::interpolated) {
      const double distance =
          wall_distance(x - map.offset[0], y - map.offset[1], D2Q9::opposite(q), upstream);
      if (distance >= 0) {
        node.interpolated = true;
        node.wall_distance[q] = distance;
        node.correction[q] /= 1 + distance;
      }
    }
    auto& links = map.body_links;
    const auto index = static_cast<std::uint16_t>(upstream);
    const auto same = [&](const BodyLinks& entry) {
      return entry.x == x && entry.y == y && entry.body == index;
    };
    // The node's entries, one per body, are the last ones of the list, at most eight.
    const auto recent = links.end() - std::min<std::ptrdiff_t>(8, std::ssize(links));
    auto entry = std::find_if(recent, links.end(), same);
    if (entry == links.end()) entry = links.insert(links.end(), {x, y, index, 0});
    entry->links |= static_cast<std::uint16_t>(1U << q);
  }

  /// What the links of a node do to the scalar.
  ScalarClass<double> classify_scalar(const NodeClass<double>& node, int x, int y) {
    ScalarClass<double> scalar = blank_scalar();
    if (heat == nullptr) return scalar;
    const lbm::Conduction* own = heat->conduction(body_at(x, y));
    if (own == nullptr && node.kind != NodeKind::fluid) return scalar;
    if (own != nullptr) {
      const ScalarParameters<double> parameters = heat->parameters(own->conductivity);
      scalar.conducts = true;
      scalar.capacity = own->heat_capacity;
      scalar.antisymmetric_rate = parameters.antisymmetric_rate;
      scalar.symmetric_rate = parameters.symmetric_rate;
      map.conducting.push_back({x, y, static_cast<std::uint16_t>(body_at(x, y))});
    }
    for (int q = 1; q < D2Q5::populations; ++q) {
      if (own == nullptr && ((node.cut >> q) & 1) == 0) continue;
      const int up_x = x - D2Q5::cx(q);
      const int up_y = y - D2Q5::cy(q);
      int surface = q == inward_population(west)    ? west
                    : q == inward_population(east)  ? east
                    : q == inward_population(south) ? south
                                                    : north;
      const bool at_side = is_outside(up_x, up_y);
      const auto add_heat_link = [&] {
        map.heat_links.push_back(
            {x, y, static_cast<std::uint16_t>(surface), static_cast<std::uint16_t>(1U << q)});
      };
      if (!at_side) {
        const int upstream = body_at(map.extents.wrap_x(up_x), map.extents.wrap_y(up_y));
        surface = side_count + upstream;
        if (heat->conduction(upstream) != nullptr || upstream == fluid) {
          // The scalar passes.
          if (own == nullptr) add_heat_link();
          continue;
        }
      }
      scalar.cut |= static_cast<std::uint8_t>(1U << q);
      // No heat leaves a solid through an open side.
      if (own != nullptr && at_side && is_open(static_cast<Side>(surface))) continue;
      const auto index = static_cast<std::size_t>(surface);
      const lbm::SurfaceHeat& given =
          at_side ? heat->sides[index] : heat->solids[index - side_count];
      lbm::WallPlace place;
      if (node.wall_distance[q] >= 0) {
        place.distance = node.wall_distance[q];
        if (given.has_area()) {
          place.facing = wall_facing(x - map.offset[0], y - map.offset[1], D2Q5::opposite(q),
                                     static_cast<int>(index) - side_count);
        }
      }
      const lbm::SurfaceLink link = given.link(heat->weight, heat->diffusivity, place);
      scalar.factor[q] = link.factor;
      scalar.addition[q] = link.addition;
      scalar.share[q] = link.share;
      scalar.shares = scalar.shares || link.has_share();
      add_heat_link();
    }
    return scalar;
  }

  /// The domain's first and last node along x and y, in lattice coordinates.
  int first(int axis) const { return map.offset[static_cast<std::size_t>(axis)]; }
  int last(int axis) const { return first(axis) + map.nodes[static_cast<std::size_t>(axis)] - 1; }

  void classify_open(NodeClass<double>& node, int x, int y) {
    const bool at_west = x == first(0) && is_open(west);
    const bool at_east = x == last(0) && is_open(east);
    const bool at_south = y == first(1) && is_open(south);
    const bool at_north = y == last(1) && is_open(north);
    if ((at_west || at_east) && (at_south || at_north)) {
      node.open_corner =
          static_cast<std::uint8_t>(1 + (at_south ? (at_west ? south_west : south_east)
                                                  : (at_west ? north_west : north_east)));
      require_fluid(x + (at_west ? 1 : -1), y + (at_south ? 1 : -1), "an open corner");
    } else if (at_west || at_east || at_south || at_north) {
      const Side side = at_west ? west : (at_east ? east : (at_south ? south : north));
      node.open_side = static_cast<std::uint8_t>(1 + side);
      if (map.open_kind[side] == OpenKind::outflow) {
        const int normal = inward_population(side);
        require_fluid(x + D2Q9::cx(normal), y + D2Q9::cy(normal), "an outflow side");
      }
      if (map.open_kind[side] == OpenKind::pressure) {
        node.publish_sides |= static_cast<std::uint8_t>(1U << side);
      }
    }
    const auto inner_of_outflow = [&](Side side, bool inner) {
      if (inner && map.open_kind[side] == OpenKind::outflow) {
        node.publish_sides |= static_cast<std::uint8_t>(1U << side);
      }
    };
    inner_of_outflow(west, x == first(0) + 1);
    inner_of_outflow(east, x == last(0) - 1);
    inner_of_outflow(south, y == first(1) + 1);
    inner_of_outflow(north, y == last(1) - 1);
    for (const Corner corner : {south_west, south_east, north_west, north_east}) {
      const bool from_west = corner == south_west || corner == north_west;
      const bool from_south = corner == south_west || corner == south_east;
      if (is_open(from_west ? west : east) && is_open(from_south ? south : north) &&
          x == (from_west ? first(0) + 1 : last(0) - 1) &&
          y == (from_south ? first(1) + 1 : last(1) - 1)) {
        node.publish_corners |= static_cast<std::uint8_t>(1U << corner);
      }
    }
  }

  void require_fluid(int x, int y, const std::string& who) const {
    if (body_at(x, y) != fluid) {
      throw InputError("geometry: node (" + std::to_string(x - map.offset[0]) + ", " +
                       std::to_string(y - map.offset[1]) + ") is solid, but " + who +
                       " copies from it; keep solids at least two nodes away");
    }
  }

  void fill_open_values() {
    map.longest = std::max(map.extents.nx, map.extents.ny);
    map.open_values.assign(side_count * static_cast<std::size_t>(map.longest), {0, 0, 0});
    for (const Side side : {west, east, south, north}) {
      const SideCondition& condition = sides[side];
      const int axis = is_across_x(side) ? 1 : 0;
      const int count = map.nodes[static_cast<std::size_t>(axis)];
      for (int i = 0; i < count; ++i) {
        std::array<double, 3>& value =
            map.open_values[static_cast<std::size_t>(side) * static_cast<std::size_t>(map.longest) +
                            static_cast<std::size_t>(first(axis) + i)];
        if (condition.profile) {
          const lbm::Prescribed& given =
              condition.profile->at_start().at_nodes[static_cast<std::size_t>(i)];
          value = {given[0], given[1], given[3]};
          continue;
        }
        const double position = (i + 0.5) / count;
        const double shape = condition.parabolic ? 4 * position * (1 - position) : 1;
        value = {shape * condition.velocity[0], shape * condition.velocity[1],
                 condition.density - 1};
      }
    }
  }
};

}  // namespace

NodeMap make_node_map(int nx, int ny, const std::vector<std::int16_t>& body,
                      const std::vector<std::array<double, 2>>& body_velocities,
                      const std::array<SideCondition, side_count>& sides, WallTreatment treatment,
                      const WallDistance& wall_distance, const lbm::Heat* heat,
                      const WallDistance& wall_facing, const SolidSlip* slip) {
  Builder builder{{}, {}, body_velocities, sides, treatment, wall_distance, heat, wall_facing, slip,
                  {}, {}};
  NodeMap& map = builder.map;
  const auto ghost = [&](Side side) {
    return treatment == WallTreatment::full_way && sides[side].kind == SideKind::wall ? 1 : 0;
  };
  map.nodes = {nx, ny};
  map.offset = {ghost(west), ghost(south)};
  map.extents.nx = nx + ghost(west) + ghost(east);
  map.extents.ny = ny + ghost(south) + ghost(north);
  map.extents.pitch = (map.extents.nx + 31) / 32 * 32;
  for (const auto& [axis, low, high] : {std::tuple{0, west, east}, {1, south, north}}) {
    const bool periodic = sides[low].kind == SideKind::periodic;
    if (periodic != (sides[high].kind == SideKind::periodic)) {
      throw std::logic_error("make_node_map: a periodic side lies opposite another kind of side");
    }
    map.periodic[static_cast<std::size_t>(axis)] = periodic;
  }
  for (const Side side : {west, east, south, north}) {
    const SideKind kind = sides[side].kind;
    map.open_kind[side] = kind == SideKind::velocity   ? OpenKind::velocity
                          : kind == SideKind::pressure ? OpenKind::pressure
                          : kind == SideKind::outflow  ? OpenKind::outflow
                                                       : OpenKind::none;
  }

  const Extents& extents = map.extents;
  builder.body.resize(static_cast<std::size_t>(extents.nx) * static_cast<std::size_t>(extents.ny));
  for (int y = 0; y < extents.ny; ++y) {
    for (int x = 0; x < extents.nx; ++x) {
      const int in_x = x - map.offset[0];
      const int in_y = y - map.offset[1];
      std::int16_t& here =
          builder.body[static_cast<std::size_t>(y) * static_cast<std::size_t>(extents.nx) +
                       static_cast<std::size_t>(x)];
      if (in_y < 0) {
        here = first_side_wall - south;
      } else if (in_y >= ny) {
        here = first_side_wall - north;
      } else if (in_x < 0) {
        here = first_side_wall - west;
      } else if (in_x >= nx) {
        here = first_side_wall - east;
      } else {
        here = body.empty() ? fluid
                            : body[static_cast<std::size_t>(in_y) * static_cast<std::size_t>(nx) +
                                   static_cast<std::size_t>(in_x)];
      }
    }
  }

  builder.index_of(Builder::blank(), Builder::blank_scalar());
  map.node_class.assign(extents.nodes(), 0);
  for (int y = 0; y < extents.ny; ++y) {
    for (int x = 0; x < extents.nx; ++x) {
      if (builder.is_plain(x, y)) {
        ++map.fluid_nodes;
      } else {
        const NodeClass<double> node = builder.classify(x, y);
        map.node_class[extents.node(x, y)] =
            builder.index_of(node, builder.classify_scalar(node, x, y));
      }
    }
  }
  if (map.fluid_nodes == 0) throw InputError("geometry: there is no fluid node in the domain");
  builder.fill_open_values();
  return std::move(builder.map);
}

void require_slot_owners(const NodeMap& map) {
  const Extents& extents = map.extents;
  const auto class_at = [&](int x, int y) -> const NodeClass<double>& {
    return map.classes[map.node_class[extents.node(x, y)]];
  };
  for (int y = 0; y < extents.ny; ++y) {
    for (int x = 0; x < extents.nx; ++x) {
      const NodeClass<double>& node = class_at(x, y);
      if (node.cut == 0 || node.kind == NodeKind::solid) continue;
      for (int q = 1; q < 9; ++q) {
        if (((node.cut >> q) & 1) == 0) continue;
        const int up_x = extents.wrap_x(x - D2Q9::cx(q));
        const int up_y = extents.wrap_y(y - D2Q9::cy(q));
        const NodeClass<double>& upstream = class_at(up_x, up_y);
        if (upstream.kind == NodeKind::solid || ((upstream.cut >> D2Q9::opposite(q)) & 1) != 0) {
          continue;
        }
        throw std::logic_error("lbm_d2q9: nodes (" + std::to_string(x) + ", " + std::to_string(y) +
                               ") and (" + std::to_string(up_x) + ", " + std::to_string(up_y) +
                               ") share the slot of population " + std::to_string(q));
      }
    }
  }
}

}  // namespace knudsen::lbm_d2q9
