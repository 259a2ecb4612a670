#include "methods/lbm_d3q27/node_map.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "core/error.hpp"
#include "core/text.hpp"
#include "methods/lattice/slip.hpp"
#include "methods/lbm_d3q27/node_walk.hpp"

namespace knudsen::lbm_d3q27 {
namespace {

/// Momentum that a wall with this velocity adds to incoming population q (Ladd 1994):
/// 6 w_q rho_0 c_q.u, with rho_0 = 1 so that the walls of a closed domain add no mass.
double moving_wall(int populations, int q, const std::array<double, 3>& velocity) {
  double along = 0;
  for (int axis = 0; axis < 3; ++axis) {
    along += D3Q27::velocity(q, axis) * velocity[static_cast<std::size_t>(axis)];
  }
  const double weight = populations == 27 ? D3Q27::weight<double>(q) : D3Q19::weight<double>(q);
  return 6 * weight * along;
}

/// Classes of slip along solids, without repetitions.
struct SlipClasses {
  std::vector<lbm::SlipClass<double, 3>> classes;
  std::unordered_map<std::string, std::uint32_t> known;

  std::uint32_t number_of(const lbm::SlipClass<double, 3>& slip) {
    const std::string key(reinterpret_cast<const char*>(&slip), sizeof(slip));
    const auto [entry, is_new] = known.try_emplace(key, static_cast<std::uint32_t>(classes.size()));
    if (is_new) classes.push_back(slip);
    return entry->second;
  }
};

/// Contribution of one piece of the nodes (NodeWalk::Piece) to a node map.
struct Part {
  std::vector<BoundaryNode> special;
  std::vector<NodeIndex> reversing;
  std::vector<BoundaryLink<double>> links;
  std::vector<ScalarLink<double>> scalar_links;
  std::vector<ScalarShare<double>> scalar_shares;
  std::vector<HeatLink> heat_links;
  std::vector<ConductingNode> conducting;
  std::vector<ScalarLink<double>> conducting_links;
  std::vector<SlipShares<double>> slip_shares;
  SlipClasses slips;
  std::vector<std::uint32_t> link_slips;
  std::vector<std::int32_t> link_faces;
  std::vector<OpenFace<double>> faces;
  std::vector<std::uint32_t> face_places;
  std::int64_t fluid_nodes = 0;
  std::int64_t isolated_nodes = 0;
  std::int64_t slot_nodes = 0;
  std::int64_t in_gaps = 0;
  std::string refused;  ///< why the walls at a node do not go with slip; empty: they do
};

/// 1 + index of these shares in a list, to which they are added if need be; 0: no slip.
std::uint16_t number_of_shares(std::vector<SlipShares<double>>& list,
                               const std::array<double, 6>& shares) {
  if (shares == std::array<double, 6>{}) return 0;
  const auto known = std::find_if(list.begin(), list.end(), [&](const SlipShares<double>& slip) {
    return std::equal(shares.begin(), shares.end(), slip.of_side);
  });
  const auto index = static_cast<std::uint16_t>(known - list.begin());
  if (known == list.end()) std::copy(shares.begin(), shares.end(), list.emplace_back().of_side);
  return static_cast<std::uint16_t>(index + 1);
}

/// Sorts the nodes into kinds.
struct Sorter : NodeWalk {
  bool two_array;
  bool has_shares = false;  ///< of the scalar at some wall

  std::int32_t face_of(Part& part, std::size_t first_face, const Coordinates& at, int side) const {
    for (std::size_t i = first_face; i < part.faces.size(); ++i) {
      if (part.faces[i].side == side) return static_cast<std::int32_t>(i);
    }
    const SideCondition& condition = domain.sides[static_cast<std::size_t>(side)];
    double shape = 1;
    for (int axis = 0; axis < 3; ++axis) {
      if (!condition.parabolic || axis == axis_of(side) || domain.periodic(axis)) continue;
      const auto a = static_cast<std::size_t>(axis);
      const double position = (at[a] + 0.5) / domain.nodes[a];
      shape *= 4 * position * (1 - position);
    }
    OpenFace<double> face{};
    for (int a = 0; a < 3; ++a) {
      face.velocity[a] = shape * condition.velocity[static_cast<std::size_t>(a)];
    }
    face.density_deviation = condition.density - 1;
    const std::size_t low = axis_of(side) == 0 ? 1 : 0;
    const std::size_t high = axis_of(side) == 2 ? 1 : 2;
    const std::size_t place =
        static_cast<std::size_t>(at[high]) * static_cast<std::size_t>(domain.nodes[low]) +
        static_cast<std::size_t>(at[low]);
    if (condition.profile) {
      const lbm::Prescribed& given = condition.profile->at_start().at_nodes[place];
      std::copy_n(given.begin(), 3, face.velocity);
      face.density_deviation = given[3];
    }
    face.mean_rate = condition.mean_rate;
    face.kind = condition.kind == SideKind::velocity ? OpenKind::velocity
                : condition.frictionless             ? OpenKind::outflow
                                                     : OpenKind::pressure;
    face.side = static_cast<std::uint8_t>(side);
    part.faces.push_back(face);
    part.face_places.push_back(static_cast<std::uint32_t>(place));
    return static_cast<std::int32_t>(part.faces.size() - 1);
  }

  /// The surface at the upstream end of a link, as in HeatLink.
  std::size_t surface_of(const Upstream& from) const {
    const auto index = static_cast<std::size_t>(from.index);
    return from.kind == Upstream::Kind::side ? index : domain.sides.size() + index;
  }
  /// What that surface does to the scalar. Its populations move along the axes. `distance` as in
  /// BoundaryLink.
  lbm::SurfaceLink scalar_link(const Coordinates& at, int q, const Upstream& from,
                               double distance = -1) const {
    if (domain.heat == nullptr || q >= D3Q7::populations) return {};
    const std::size_t surface = surface_of(from);
    const std::size_t sides = domain.sides.size();
    const lbm::SurfaceHeat& given =
        surface < sides ? domain.heat->sides[surface] : domain.heat->solids[surface - sides];
    lbm::WallPlace place;
    if (distance >= 0) {
      place.distance = distance;
      if (given.has_area()) {
        place.facing = domain.wall_facing(at[0], at[1], at[2], D3Q27::opposite(q), from.index);
      }
    }
    lbm::SurfaceLink link = given.link(domain.heat->weight, domain.heat->diffusivity, place);
    link.addition /= domain.heat->stored_unit;
    return link;
  }
  /// Whether the scalar passes over a link, since a solid that conducts is at its upstream end.
  bool passes(int q, const Upstream& from) const {
    return from.kind == Upstream::Kind::body && domain.heat != nullptr && q < D3Q7::populations &&
           domain.heat->conduction(from.index) != nullptr;
  }

  /// The shares that walls at a node mirror, by side.
  std::array<double, 6> shares_at(const Coordinates& at) const {
    std::array<double, 6> shares{};
    for (std::size_t side = 0; side < 6; ++side) {
      const std::size_t axis = side / 2;
      if (at[axis] == (side % 2 == 0 ? 0 : domain.nodes[axis] - 1)) {
        shares[side] = domain.sides[side].mirrored;
      }
    }
    return lbm::shares_at_node<6>(shares);
  }

  /// Share of the bounce-back in what comes in along q from walls. See mirror_at_walls.
  double bounced(const Coordinates& at, int q, const std::array<double, 6>& shares) const {
    double bounced = 1;
    for (int axis = 0; axis < 3; ++axis) {
      const int c = D3Q27::velocity(q, axis);
      const int other = turned_about(q, axis);
      if (c == 0 || other == q) continue;
      const auto side = static_cast<std::size_t>(axis) * 2 + (c > 0 ? 0 : 1);
      const double share = shares[side];
      if (share > 0 && around.upstream(at, other).walls > 0) bounced -= share;
    }
    return bounced;
  }

  bool at_wall_across(const Coordinates& at, std::size_t axis) const {
    return (at[axis] == 0 && domain.sides[2 * axis].kind == SideKind::wall) ||
           (at[axis] == domain.nodes[axis] - 1 &&
            domain.sides[2 * axis + 1].kind == SideKind::wall);
  }

  /// Adds the link of incoming population q to the node if it needs data.
  void classify_link(const Coordinates& at, int q, const Upstream& from, std::size_t first_face,
                     const std::array<double, 6>& shares, BoundaryNode& node, Part& part) const {
    BoundaryLink<double> link{0, -1};
    std::int32_t face = -1;
    bool cut = domain.treatment == WallTreatment::half_way;
    if (from.kind == Upstream::Kind::side && from.walls == 0) {
      face = face_of(part, first_face, at, from.index);
      node.kind = BoundaryKind::open;
      cut = true;
    } else if (from.kind == Upstream::Kind::side) {
      // A link through an edge between walls takes the mean of their velocities.
      std::array<double, 3> velocity{0, 0, 0};
      const double along = node.slip != 0 ? bounced(at, q, shares) : 1;
      for (int i = 0; i < from.walls; ++i) {
        const auto side = static_cast<std::size_t>(from.wall_sides[static_cast<std::size_t>(i)]);
        // What is mirrored has no momentum of the wall. Towards another wall at the node this share
        // is that of the rest of the wall, so that its ends take in as much mass as they give off.
        for (std::size_t a = 0; a < 3; ++a) {
          const double share = at_wall_across(at, a) ? 1 - domain.sides[side].mirrored : along;
          velocity[a] += share * domain.sides[side].velocity[a] / from.walls;
        }
        cut = cut || domain.sides[side].mirrored > 0;
      }
      link.correction = moving_wall(domain.populations, q, velocity);
    } else {
      link.correction = moving_wall(domain.populations, q,
                                    domain.body_velocities[static_cast<std::size_t>(from.index)]);
      if (domain.treatment == WallTreatment::interpolated) {
        const double distance =
            domain.wall_distance(at[0], at[1], at[2], D3Q27::opposite(q), from.index);
        if (distance >= 0) {
          link.wall_distance = distance;
          link.correction /= 1 + distance;
          cut = true;
        }
      }
    }
    const lbm::SurfaceLink scalar = scalar_link(at, q, from, link.wall_distance);
    const bool heats = scalar.factor != 1 || scalar.addition != 0;
    const bool conducts = passes(q, from);
    if (conducts) {
      part.heat_links.push_back(
          {node.node, static_cast<std::uint16_t>(q), static_cast<std::uint16_t>(surface_of(from))});
    }
    if (!cut && link.correction == 0 && !heats) return;
    node.cut |= std::uint32_t{1} << q;
    part.links.push_back(link);
    if (conducts) {
      node.passes |= static_cast<std::uint8_t>(1U << q);
      if (node.kind == BoundaryKind::walls) node.kind = BoundaryKind::slip;
    }
    if (domain.heat != nullptr) {
      part.scalar_links.push_back(scalar);
      // The flow through an outflow has a velocity of its own (node_update.hpp).
      const bool flows_out = face >= 0 && scalar.factor == 1;
      part.scalar_shares.push_back(flows_out ? ScalarShare<double>{} : scalar.share);
      if (face < 0 && scalar.has_share() && node.kind == BoundaryKind::walls) {
        node.kind = BoundaryKind::slip;
      }
      if (heats || (face >= 0 && q < D3Q7::populations)) {
        part.heat_links.push_back({node.node, static_cast<std::uint16_t>(q),
                                   static_cast<std::uint16_t>(surface_of(from))});
      }
    }
    part.link_faces.push_back(face);
    if (domain.slip) part.link_slips.push_back(0);
  }

  /// Slip along solids at a node whose links are in the part. There is none beside open sides.
  void classify_solid_slip(const Coordinates& at, BoundaryNode& node, Part& part) const {
    if (!domain.slip || node.cut == 0 || node.kind == BoundaryKind::open) return;
    const SolidSlip& slip = *domain.slip;
    const auto ask = [&](const auto& function, int q, int solid) {
      return function(at[0], at[1], at[2], D3Q27::opposite(q), solid);
    };
    const auto is_cut = [&](int q) { return ((node.cut >> q) & 1) != 0; };
    bool any = false;
    for (int q = 1; q < domain.populations; ++q) {
      const Upstream from = around.upstream(at, q);
      any = any || (from.kind == Upstream::Kind::body && is_cut(q) && slip.slips(from.index));
    }
    if (!any) return;
    lbm::WallsAtNode<3> walls;
    std::uint32_t link = node.first_link;
    for (int q = 1; q < domain.populations; ++q) {
      const Upstream from = around.upstream(at, q);
      const double distance = is_cut(q) ? part.links[link++].wall_distance : -1;
      if (from.kind == Upstream::Kind::side) {
        walls.corner = true;
        for (std::size_t a = 0; a < 3; ++a) {
          const int to = at[a] - D3Q27::velocity(q, static_cast<int>(a));
          if (domain.periodic(static_cast<int>(a)) || (to >= 0 && to < domain.nodes[a])) continue;
          walls.others.emplace_back()[a] = to < 0 ? 1 : -1;
        }
      } else if (from.kind == Upstream::Kind::body && distance >= 0) {
        const std::optional<Point3D> normal = ask(slip.normal, q, from.index);
        walls.corner = walls.corner || !normal;
        if (normal) walls.links.push_back({q, distance, from.index, *normal});
      } else if (from.kind == Upstream::Kind::body) {
        Point3D& normal = walls.others.emplace_back();
        double square = 0;
        for (int a = 0; a < 3; ++a) square += std::abs(D3Q27::velocity(q, a));
        for (std::size_t a = 0; a < 3; ++a) {
          normal[a] = D3Q27::velocity(q, static_cast<int>(a)) / std::sqrt(square);
        }
      }
    }
    const auto nearest = [&](const lbm::SlipLink<3>& cut) {
      const WallFrame3D frame = ask(slip.frame, cut.q, cut.solid);
      return lbm::SlipWall<3>{frame.normal, frame.distance, frame.curvature};
    };
    const lbm::SlipAtNode<3> found = domain.populations == 27 ? slip.at_node<D3Q27>(walls, nearest)
                                                              : slip.at_node<D3Q19>(walls, nearest);
    part.in_gaps += found.in_gap ? 1 : 0;
    if (!found.added) return;
    if (!found.exact && slip.coefficients.second_order != 0 && part.refused.empty()) {
      part.refused = "geometry.solids: node (" + std::to_string(at[0]) + ", " +
                     std::to_string(at[1]) + ", " + std::to_string(at[2]) +
                     ") is beside a wall with slip (\"accommodation\") that is curved or oblique "
                     "to the axes and their diagonals, and has slip of the first order alone; give "
                     "\"fluid.slip\" a \"second_order\" of 0";
    }
    node.kind = BoundaryKind::solid_slip;
    part.link_slips[node.first_link] = part.slips.number_of(*found.added);
  }

  void classify(const Coordinates& at, std::uint64_t number, Part& part) const {
    BoundaryNode node{static_cast<NodeIndex>(number), 0,
                      static_cast<std::uint32_t>(part.links.size()), BoundaryKind::walls};
    const std::array<double, 6> shares = shares_at(at);
    node.slip = number_of_shares(part.slip_shares, shares);
    if (node.slip != 0) node.kind = BoundaryKind::slip;
    const std::size_t first_face = part.faces.size();
    bool isolated = true;
    for (int q = 1; q < domain.populations; ++q) {
      const Upstream from = around.upstream(at, q);
      isolated = isolated && from.kind != Upstream::Kind::fluid;
      if (from.kind == Upstream::Kind::fluid) continue;
      classify_link(at, q, from, first_face, shares, node, part);
    }
    classify_solid_slip(at, node, part);
    if (isolated) ++part.isolated_nodes;
    if (node.cut != 0) part.special.push_back(node);
  }

  void classify_conducting(const Coordinates& at, std::uint64_t number, Part& part) const {
    ConductingNode node{static_cast<NodeIndex>(number),
                        static_cast<std::uint32_t>(part.conducting_links.size()),
                        static_cast<std::uint16_t>(around.body_at(at)), 0};
    for (int q = 1; q < D3Q7::populations; ++q) {
      const Upstream from = around.upstream(at, q);
      if (from.kind == Upstream::Kind::fluid || passes(q, from)) continue;
      node.cut |= static_cast<std::uint8_t>(1U << q);
      // No heat leaves a solid through an open side.
      const bool open = from.kind == Upstream::Kind::side && from.walls == 0;
      const ScalarLink<double> link = open ? ScalarLink<double>{} : scalar_link(at, q, from);
      part.conducting_links.push_back(link);
      if (link.factor == 1 && link.addition == 0) continue;
      part.heat_links.push_back(
          {node.node, static_cast<std::uint16_t>(q), static_cast<std::uint16_t>(surface_of(from))});
    }
    part.conducting.push_back(node);
  }

  bool at_side(const Coordinates& at) const {
    for (std::size_t a = 0; a < 3; ++a) {
      if (at[a] == 0 || at[a] == domain.nodes[a] - 1) return true;
    }
    return false;
  }

  void sort_piece(const Piece& piece, Part& part) const {
    const bool has_bodies = around.has_bodies();
    for_piece(piece, [&](const Coordinates& at) {
      const std::uint64_t number = number_of(at);
      if (is_fluid(at)) {
        ++part.fluid_nodes;
        if (has_bodies || at_side(at)) classify(at, number, part);
        return;
      }
      const bool conducts = conduction(at) != nullptr;
      if (conducts) classify_conducting(at, number, part);
      if (map.sparse) {
        if (!conducts && number != NodeMap::none) ++part.slot_nodes;
      } else if (two_array && any_fluid_at(at, -1, 1)) {
        part.reversing.push_back(static_cast<NodeIndex>(number));
      }
    });
  }

  /// Concatenates the parts and sets the bits of fluid and plain nodes.
  void sort_nodes() {
    std::vector<Part> found(static_cast<std::size_t>(pieces()));
    for_each("knudsen/lbm_d3q27/sort_nodes", pieces(), [&](std::int64_t number) {
      sort_piece(piece(static_cast<int>(number)), found[static_cast<std::size_t>(number)]);
    });
    for (const Part& part : found) {
      if (!part.refused.empty()) throw InputError(part.refused);
    }
    count_all(found);
    std::size_t listed_nodes = 0;
    std::size_t listed_links = 0;
    for (const Part& part : found) {
      listed_nodes += part.special.size();
      listed_links += part.links.size();
    }
    map.special.reserve(listed_nodes);
    map.links.reserve(listed_links);
    map.link_faces.reserve(listed_links);
    SlipClasses slips;
    for (Part& part : found) {
      const auto first_link = static_cast<std::uint32_t>(map.links.size());
      const auto first_face = static_cast<std::int32_t>(map.faces.size());
      const auto first_conducting_link = static_cast<std::uint32_t>(map.conducting_links.size());
      for (ConductingNode& node : part.conducting) node.first_link += first_conducting_link;
      for (auto& node : part.special) {
        if (node.kind == BoundaryKind::solid_slip) {
          std::uint32_t& slip = part.link_slips[node.first_link];
          slip = slips.number_of(part.slips.classes[slip]);
        }
        node.first_link += first_link;
        if (node.slip == 0) continue;
        std::array<double, 6> shares{};
        std::copy_n(part.slip_shares[node.slip - 1].of_side, 6, shares.begin());
        node.slip = number_of_shares(map.slip_shares, shares);
      }
      for (std::int32_t& face : part.link_faces) {
        if (face >= 0) face += first_face;
      }
      const auto append = [](auto& to, const auto& from) {
        to.insert(to.end(), from.begin(), from.end());
      };
      append(map.special, part.special);
      append(map.reversing, part.reversing);
      append(map.links, part.links);
      append(map.scalar_links, part.scalar_links);
      append(map.scalar_shares, part.scalar_shares);
      append(map.heat_links, part.heat_links);
      append(map.conducting, part.conducting);
      append(map.conducting_links, part.conducting_links);
      append(map.link_slips, part.link_slips);
      append(map.link_faces, part.link_faces);
      append(map.faces, part.faces);
      append(map.face_places, part.face_places);
      part = Part();
    }
    map.slip_classes = std::move(slips.classes);
    map.fluid.assign(map.count / 32 + 1, 0);
    // Serial, because adjacent pieces may share a word.
    for (int i = 0; i < pieces(); ++i) {
      for_piece(piece(i), [&](const Coordinates& at) {
        if (!is_fluid(at)) return;
        const std::uint64_t number = number_of(at);
        map.fluid[number / 32] |= std::uint32_t{1} << (number % 32);
      });
    }
    map.plain = map.fluid;
    for (const BoundaryNode& node : map.special) {
      map.plain[node.node / 32] &= ~(std::uint32_t{1} << (node.node % 32));
    }
  }

  /// Collective: counts what all ranks have, and places the lists of this rank among those of all.
  void count_all(const std::vector<Part>& found) {
    constexpr std::size_t lists = 3;
    const auto sizes = [](const Part& part) {
      return std::array<std::size_t, lists>{part.faces.size(), part.heat_links.size(),
                                            part.conducting.size()};
    };
    const std::size_t of_list =
        static_cast<std::size_t>(strips()) * static_cast<std::size_t>(planes());
    // By list and piece.
    std::vector<std::uint64_t> numbers(lists * of_list, 0);
    std::uint64_t fluid = 0;
    std::uint64_t slots = 0;
    std::uint64_t isolated = 0;
    std::uint64_t special = 0;
    std::uint64_t links = 0;
    std::uint64_t reversing = 0;
    std::uint64_t in_gaps = 0;
    std::uint64_t at_walls = 0;
    bool shares = false;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const Part& part = found[i];
      for (std::size_t list = 0; list < lists; ++list) {
        numbers[list * of_list + whole_number(piece(static_cast<int>(i)))] = sizes(part)[list];
      }
      fluid += static_cast<std::uint64_t>(part.fluid_nodes);
      slots += static_cast<std::uint64_t>(part.slot_nodes);
      isolated += static_cast<std::uint64_t>(part.isolated_nodes);
      special += part.special.size();
      links += part.links.size();
      reversing += part.reversing.size();
      in_gaps += static_cast<std::uint64_t>(part.in_gaps);
      at_walls += static_cast<std::uint64_t>(
          std::count_if(part.special.begin(), part.special.end(),
                        [](const auto& node) { return node.kind == BoundaryKind::walls; }));
      shares =
          shares || std::any_of(part.scalar_shares.begin(), part.scalar_shares.end(),
                                [](const auto& s) { return s.of_value != 0 || s.carried != 0; });
    }
    for (const std::uint64_t number :
         {fluid, slots, isolated, special, links, reversing, in_gaps, at_walls}) {
      numbers.push_back(number);
    }
    numbers.push_back(shares ? 1 : 0);
    domain.sharing.sum(numbers);
    std::array<std::vector<std::size_t>*, lists> places{&map.whole_faces, &map.whole_heat_links,
                                                        &map.whole_conducting};
    std::vector<std::uint64_t> first[lists];  // nvcc 13.0 fails at a std::array of them
    std::array<std::uint64_t, lists> totals{};
    for (std::size_t list = 0; list < lists; ++list) {
      for (std::size_t i = 0; i < of_list; ++i) {
        first[list].push_back(totals[list]);
        totals[list] += numbers[list * of_list + i];
      }
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::size_t whole = whole_number(piece(static_cast<int>(i)));
      for (std::size_t list = 0; list < lists; ++list) {
        for (std::size_t n = 0; n < sizes(found[i])[list]; ++n) {
          places[list]->push_back(first[list][whole] + n);
        }
      }
    }
    const std::uint64_t* const sums = numbers.data() + lists * of_list;
    map.all.fluid = static_cast<std::int64_t>(sums[0]);
    map.all.slots = static_cast<std::int64_t>(sums[1]);
    map.all.isolated = static_cast<std::int64_t>(sums[2]);
    map.all.special = sums[3];
    map.all.links = sums[4];
    map.all.in_gaps = static_cast<std::int64_t>(sums[6]);
    map.all.at_walls = sums[7];
    has_shares = sums[8] != 0;
    map.all.faces = totals[0];
    map.all.conducting = totals[2];
    constexpr std::size_t max_links = 0xffffffffU;
    constexpr std::size_t max_entries = 0x7fffffffU;
    if (map.all.links > max_links || map.all.special > max_entries || sums[5] > max_entries) {
      throw InputError(
          "geometry: more than 2147483647 boundary nodes or 4294967295 boundary links; use "
          "\"implicit\" walls, or fewer nodes");
    }
  }
};

}  // namespace

std::vector<std::uint32_t> balanced_planes(const std::vector<std::uint64_t>& fluid, int ranks) {
  const auto planes = static_cast<std::uint32_t>(fluid.size());
  const std::uint64_t all = std::accumulate(fluid.begin(), fluid.end(), std::uint64_t{0});
  std::vector<std::uint32_t> begin{0};
  std::uint64_t before = 0;
  for (std::uint32_t plane = 0; plane < planes; ++plane) {
    const auto rank = begin.size();  // the next one to begin
    const auto left = static_cast<std::uint32_t>(static_cast<std::size_t>(ranks) - rank);
    const bool enough = before + fluid[plane] / 2 >= all * rank / static_cast<std::uint64_t>(ranks);
    const bool must = planes - plane <= left;
    if (plane > begin.back() && left > 0 && (enough || must)) begin.push_back(plane);
    before += fluid[plane];
  }
  begin.push_back(planes);
  return begin;
}

Extents Domain::extents(NodeIndex row_multiple, bool sparse) const {
  std::array<double, 3> counts{};
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    counts[a] = nodes[a] + (periodic(axis) ? 0 : 1);
  }
  const double pitch = std::ceil(counts[0] / row_multiple) * row_multiple;
  if (!sparse && pitch * counts[1] * counts[2] > max_nodes) {
    throw InputError("domain: the grid, with padding, has more than " + number_text(max_nodes) +
                     " nodes, the limit of a dense lattice");
  }
  return {static_cast<NodeIndex>(counts[0]), static_cast<NodeIndex>(counts[1]),
          static_cast<NodeIndex>(counts[2]), static_cast<NodeIndex>(pitch)};
}

void require_numbers(std::uint64_t nodes) {
  if (static_cast<double>(nodes) <= max_nodes) return;
  throw InputError("geometry: the sparse lattice has " + std::to_string(nodes) +
                   " nodes, may have at most " + number_text(max_nodes) +
                   "; use a coarser grid or a smaller domain");
}

NodeMap make_node_map(const Domain& domain, bool sparse, bool two_array, NodeIndex row_multiple) {
  NodeMap map;
  map.nodes = domain.nodes;
  map.whole = domain.extents(row_multiple, sparse);
  map.extents = map.whole;
  map.sparse = sparse;
  map.cut = domain.cut ? *domain.cut : cut_lattice(domain, sparse);
  map.first_axis = map.cut.first_axis;
  if (sparse) {
    number_nodes(domain, map);
  } else {
    const auto owned = static_cast<NodeIndex>(map.cut.own_end() - map.cut.own_begin());
    const NodeIndex ghost = map.cut.ranks() > 1 ? 1 : 0;
    map.extents.nz = owned + ghost;
    map.all.numbers = map.whole.nodes();
    map.count = map.extents.nodes();
    map.owned = std::uint64_t{map.extents.pitch} * map.extents.ny * owned;
  }
  if (domain.heat != nullptr && domain.heat->any_conduction()) {
    for (const lbm::SurfaceHeat& solid : domain.heat->solids) {
      const lbm::Conduction own = solid.conduction.value_or(lbm::Conduction{});
      map.conducting_solids.push_back(
          {domain.heat->parameters(own.conductivity), own.heat_capacity});
    }
  }
  Sorter sorter{{{domain}, map}, two_array};
  sorter.sort_nodes();
  if (!sorter.has_shares) map.scalar_shares.clear();
  if (map.all.fluid == 0) throw InputError("geometry: there is no fluid node in the domain");
  if (map.all.isolated == map.all.fluid) {
    throw InputError("geometry: no fluid node has a fluid neighbour (" +
                     std::to_string(map.all.fluid) + " isolated fluid node" +
                     (map.all.fluid == 1 ? "" : "s") + "), so nothing can flow");
  }
  return map;
}

}  // namespace knudsen::lbm_d3q27
