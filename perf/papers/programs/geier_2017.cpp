// Geier and Schoenherr 2017, section 4.1: the sparse AA pattern with pointer chasing beside
// Esoteric Twist, both in the same plain kernel, and the kernel of `knudsen run`.
//
//   paper_geier_2017 duct|box|bed NODES [SPHERES]
//
// prints a table of comma-separated values: what each scheme keeps and how fast it is. `bed` is
// periodic and at random, of porosity 0.4. All runs start at rest under a body force; that the
// schemes have the same momentum after some steps is checked.

#include <array>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "command_line.hpp"
#include "geometry/sphere_packing.hpp"
#include "methods/lbm_d3q27/diagnostics.hpp"
#include "methods/lbm_d3q27/make_lattice.hpp"

namespace knudsen::lbm_d3q27 {
namespace {

using Execution = DeviceExecutionSpace;
using Real = float;
using Collision = NodeCollision<Bgk, Forcing::guo>;
using Layout = PopulationLayout<Execution, D3Q27>;
constexpr int steps_compared = 20;

/// A sparse lattice with links to the six axial neighbours, or to the upper three.
struct SparseLattice {
  Layout layout;
  NodeIndex nodes = 0;
  View<Real*, Execution> populations;
  View<NodeIndex*, Execution> lower[3], upper[3];  ///< by axis; `lower` only for the AA pattern
  View<std::uint32_t*, Execution> fluid;           ///< bit n % 32 of word n / 32

  KOKKOS_FORCEINLINE_FUNCTION bool is_fluid(NodeIndex n) const {
    return ((fluid.data()[n / 32] >> (n % 32)) & 1) != 0;
  }
};

/// A step of the scheme as the paper has it: all links that a step needs are read and chased.
template <Propagation Scheme, int Parity>
struct PlainStep {
  static constexpr bool all_sides = Scheme == Propagation::aa_pattern;
  static constexpr bool at_node = all_sides && Parity == 0;
  static constexpr int lowest = at_node ? 0 : (all_sides ? -1 : 0);
  static constexpr int highest = at_node ? 0 : 1;
  static constexpr int width = highest - lowest + 1;

  SparseLattice lattice;
  CollisionParameters<Real> parameters;

  /// Numbers of the node and its neighbours, by x, y and z from `lowest`.
  struct Neighbours {
    NodeIndex at[width * width * width];
    KOKKOS_FORCEINLINE_FUNCTION NodeIndex& node(int dx, int dy, int dz) {
      return at[(dx - lowest) + width * ((dy - lowest) + width * (dz - lowest))];
    }
  };
  KOKKOS_FORCEINLINE_FUNCTION NodeIndex moved(NodeIndex n, int axis, int by) const {
    return by == 0 ? n : (by < 0 ? lattice.lower[axis].data()[n] : lattice.upper[axis].data()[n]);
  }
  /// Along x, then y, then z: two, six and eighteen reads, or one, two and four.
  KOKKOS_FORCEINLINE_FUNCTION Neighbours chase(NodeIndex n) const {
    Neighbours found;
    for (int dx = lowest; dx <= highest; ++dx) found.node(dx, 0, 0) = moved(n, 0, dx);
    for (int dy = lowest; dy <= highest; ++dy) {
      for (int dx = lowest; dx <= highest; ++dx) {
        if (dy != 0) found.node(dx, dy, 0) = moved(found.node(dx, 0, 0), 1, dy);
      }
    }
    for (int dz = lowest; dz <= highest; ++dz) {
      for (int dy = lowest; dy <= highest; ++dy) {
        for (int dx = lowest; dx <= highest; ++dx) {
          if (dz != 0) found.node(dx, dy, dz) = moved(found.node(dx, dy, 0), 2, dz);
        }
      }
    }
    return found;
  }
  template <int Q>
  KOKKOS_FORCEINLINE_FUNCTION Real* slot(Neighbours& nodes, PopulationIndex<Q> /*q*/) const {
    constexpr int dx = slot_offset(Scheme, Parity, Q, 0);
    constexpr int dy = slot_offset(Scheme, Parity, Q, 1);
    constexpr int dz = slot_offset(Scheme, Parity, Q, 2);
    return lattice.populations.data() + lattice.layout.node(nodes.node(dx, dy, dz)) +
           slot_population(Scheme, Parity, Q) * lattice.layout.stride();
  }
  KOKKOS_FORCEINLINE_FUNCTION void load(Neighbours& nodes, Real (&g)[27]) const {
    for_populations<D3Q27>([&](auto q) { g[q] = *slot(nodes, q); });
  }
  KOKKOS_INLINE_FUNCTION void operator()(const NodeIndex n) const {
    if (!lattice.is_fluid(n)) return;
    Neighbours nodes = chase(n);
    Real g[27];
    load(nodes, g);
    Collision::template collide<D3Q27>(g, parameters);
    for_populations<D3Q27>(
        [&](auto q) { *slot(nodes, q) = g[D3Q27::opposite(decltype(q)::value)]; });
  }
};

/// Momentum along x of all fluid nodes before an even step.
template <Propagation Scheme>
struct Momentum {
  PlainStep<Scheme, 0> step;

  KOKKOS_INLINE_FUNCTION void operator()(const NodeIndex n, double& sum) const {
    if (!step.lattice.is_fluid(n)) return;
    auto nodes = step.chase(n);
    Real g[27];
    step.load(nodes, g);
    for_populations<D3Q27>(
        [&](auto q) { sum += D3Q27::velocity(decltype(q)::value, 0) * static_cast<double>(g[q]); });
  }
};

template <Propagation Scheme, int Parity>
void plain_step(const SparseLattice& lattice, const CollisionParameters<Real>& parameters) {
  // 128 registers a thread; an odd step of the AA pattern has 27 addresses.
  using Policy =
      Kokkos::RangePolicy<Execution, Kokkos::LaunchBounds<128, 4>, Kokkos::IndexType<NodeIndex>>;
  Kokkos::parallel_for("paper/step", Policy(0, lattice.nodes),
                       PlainStep<Scheme, Parity>{lattice, parameters});
}

/// Nodes of the box, walls included, and which of them are fluid.
struct Box {
  std::array<int, 3> n{};
  std::vector<std::uint8_t> fluid;

  std::size_t at(int x, int y, int z) const {
    return static_cast<std::size_t>(x) +
           static_cast<std::size_t>(n[0]) *
               (static_cast<std::size_t>(y) +
                static_cast<std::size_t>(n[1]) * static_cast<std::size_t>(z));
  }
  std::size_t moved(std::array<int, 3> at_node, int axis, int by) const {
    const auto a = static_cast<std::size_t>(axis);
    at_node[a] = (at_node[a] + by + n[a]) % n[a];
    return at(at_node[0], at_node[1], at_node[2]);
  }
  template <class Body>
  void for_nodes(const Body& body) const {
    for (int z = 0; z < n[2]; ++z) {
      for (int y = 0; y < n[1]; ++y) {
        for (int x = 0; x < n[0]; ++x) body(std::array<int, 3>{x, y, z});
      }
    }
  }
  /// Fluid nodes and those beside them: all 26 neighbours or the upper seven. Axis by axis.
  std::vector<std::uint8_t> with_slots(bool all_sides) const {
    std::vector<std::uint8_t> kept = fluid;
    for (int axis = 0; axis < 3; ++axis) {
      const std::vector<std::uint8_t> before = kept;
      for_nodes([&](const std::array<int, 3>& node) {
        std::uint8_t& here = kept[at(node[0], node[1], node[2])];
        if (before[moved(node, axis, -1)] != 0) here = 1;
        if (all_sides && before[moved(node, axis, 1)] != 0) here = 1;
      });
    }
    return kept;
  }
};

/// Numbers nodes in the order of the library: rows, planes, strips of rows.
SparseLattice make_sparse(const Box& box, const NodeMap& map, bool all_sides) {
  const std::vector<std::uint8_t> kept = box.with_slots(all_sides);
  constexpr NodeIndex none = 0xffffffffU;
  std::vector<NodeIndex> number(kept.size(), none);
  std::vector<std::array<int, 3>> places;
  const auto first = static_cast<std::size_t>(map.first_axis);
  const std::size_t second = (first + 1) % 3;
  const std::size_t third = (first + 2) % 3;
  for (int strip = 0; strip < box.n[second]; strip += map.strip_rows) {
    for (int plane = 0; plane < box.n[third]; ++plane) {
      for (int row = strip; row < std::min(strip + map.strip_rows, box.n[second]); ++row) {
        std::array<int, 3> node{};
        node[second] = row;
        node[third] = plane;
        for (node[first] = 0; node[first] < box.n[first]; ++node[first]) {
          const std::size_t dense = box.at(node[0], node[1], node[2]);
          if (kept[dense] == 0) continue;
          number[dense] = static_cast<NodeIndex>(places.size());
          places.push_back(node);
        }
      }
    }
  }
  SparseLattice lattice;
  lattice.nodes = static_cast<NodeIndex>(places.size());
  lattice.layout = Layout::make(places.size());
  lattice.populations = View<Real*, Execution>("populations", lattice.layout.size(places.size()));
  const auto upload = [&](auto& view, const auto& values) {
    view = std::decay_t<decltype(view)>("links", values.size());
    const auto host = Kokkos::create_mirror_view(view);
    std::copy(values.begin(), values.end(), host.data());
    Kokkos::deep_copy(view, host);
  };
  for (int axis = 0; axis < 3; ++axis) {
    for (const int by : {-1, 1}) {
      if (by < 0 && !all_sides) continue;
      std::vector<NodeIndex> links;
      links.reserve(places.size());
      for (const auto& node : places) {
        const NodeIndex to = number[box.moved(node, axis, by)];
        links.push_back(to == none ? static_cast<NodeIndex>(links.size()) : to);
      }
      upload(by < 0 ? lattice.lower[axis] : lattice.upper[axis], links);
    }
  }
  std::vector<std::uint32_t> bits(places.size() / 32 + 1);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto& node = places[i];
    if (box.fluid[box.at(node[0], node[1], node[2])] != 0) bits[i / 32] |= 1U << (i % 32);
  }
  upload(lattice.fluid, bits);
  return lattice;
}

struct Row {
  double momentum = 0;
  double seconds = 0;
};

template <Propagation Scheme>
Row run_plain(const Box& box, const NodeMap& map, const CollisionParameters<Real>& parameters,
              NodeIndex& stored) {
  const SparseLattice lattice = make_sparse(box, map, Scheme == Propagation::aa_pattern);
  stored = lattice.nodes;
  int parity = 0;
  const auto step = [&] {
    if (parity == 0) {
      plain_step<Scheme, 0>(lattice, parameters);
    } else {
      plain_step<Scheme, 1>(lattice, parameters);
    }
    parity ^= 1;
  };
  for (int i = 0; i < steps_compared; ++i) step();
  Row row;
  Kokkos::parallel_reduce(
      "paper/momentum",
      Kokkos::RangePolicy<Execution, Kokkos::IndexType<NodeIndex>>(0, lattice.nodes),
      Momentum<Scheme>{{lattice, parameters}}, row.momentum);
  // Steps in pairs: even and odd ones of the AA pattern differ.
  row.seconds = median_step_seconds(
                    [&] {
                      step();
                      step();
                    },
                    [] { Execution().fence(); }, 1) /
                2;
  return row;
}

Row run_library(const NodeMap& map, const CollisionParameters<Real>& parameters) {
  using Type = Lattice<Execution, SinglePrecision, D3Q27>;
  ContextOf<Type> context;
  context.parameters = parameters;
  context.tuning = default_tuning<Type>(true);
  auto lattice = make_lattice<Type>(map, Propagation::esoteric_twist, context.tuning);
  // Populations are zero, as in the plain lattices; `initialise` would take off half a step's
  // force.
  int parity = 0;
  const auto one = [&] {
    lbm_d3q27::step(context, lattice, parity);
    parity ^= 1;
  };
  for (int i = 0; i < steps_compared; ++i) one();
  Row row;
  row.momentum = flow_sums(context, lattice, parity, RememberedVelocity<Type>()).momentum[0] -
                 0.5 * static_cast<double>(parameters.force[0]) *
                     static_cast<double>(map.all.fluid);  // the sum of populations alone
  row.seconds = median_step_seconds([&] { one(); }, [] { Execution().fence(); }, 1);
  return row;
}

/// What a grid of blocks keeps that cover the fluid: 27 values a node, one layer of ghost nodes at
/// three sides, three links a block (section 4.2).
void print_blocks(const Box& box, double fluid_nodes) {
  for (const int edge : {8, 16, 28, 32}) {
    std::array<int, 3> count{};
    for (std::size_t a = 0; a < 3; ++a) count[a] = (box.n[a] + edge - 1) / edge;
    std::vector<std::uint8_t> used(static_cast<std::size_t>(count[0]) *
                                   static_cast<std::size_t>(count[1]) *
                                   static_cast<std::size_t>(count[2]));
    box.for_nodes([&](const std::array<int, 3>& node) {
      if (box.fluid[box.at(node[0], node[1], node[2])] == 0) return;
      used[static_cast<std::size_t>(node[0] / edge) +
           static_cast<std::size_t>(count[0]) *
               (static_cast<std::size_t>(node[1] / edge) +
                static_cast<std::size_t>(count[1]) * static_cast<std::size_t>(node[2] / edge))] = 1;
    });
    double blocks = 0;
    for (const std::uint8_t block : used) blocks += block;
    const double stored = blocks * std::pow(edge + 1, 3);
    std::printf("blocks of %d^3 and a layer,,%.0f,%.0f,27,,%.2f,,\n", edge, fluid_nodes, stored,
                (27 * stored + 3 * blocks) / fluid_nodes);
  }
}

void compare(const std::string& geometry, int n, int spheres) {
  Domain domain;
  domain.nodes = {n, n, n};
  std::vector<std::int16_t> body;
  if (geometry == "duct") {
    for (const int side : {south, north, bottom, top}) {
      domain.sides[static_cast<std::size_t>(side)].kind = SideKind::wall;
    }
  } else if (geometry == "bed") {
    PackingContainer container;
    container.upper = {double(n), double(n), double(n)};
    container.periodic = {true, true, true};
    const double radius = packing_radius(container, static_cast<std::size_t>(spheres), 0.4);
    const auto centres = pack_spheres(container, static_cast<std::size_t>(spheres), radius, 1);
    if (!centres) throw std::runtime_error("no packing was found");
    body.assign(
        static_cast<std::size_t>(n) * static_cast<std::size_t>(n) * static_cast<std::size_t>(n),
        -1);
    const int reach = static_cast<int>(radius) + 1;
    for (const Point3D& centre : *centres) {
      std::array<int, 3> low{};
      for (std::size_t a = 0; a < 3; ++a) low[a] = static_cast<int>(std::floor(centre[a])) - reach;
      for (int z = low[2]; z <= low[2] + 2 * reach + 1; ++z) {
        for (int y = low[1]; y <= low[1] + 2 * reach + 1; ++y) {
          for (int x = low[0]; x <= low[0] + 2 * reach + 1; ++x) {
            const double d2 = std::pow(x + 0.5 - centre[0], 2) + std::pow(y + 0.5 - centre[1], 2) +
                              std::pow(z + 0.5 - centre[2], 2);
            if (d2 >= radius * radius) continue;
            const auto wrap = [&](int i) { return static_cast<std::size_t>((i + n) % n); };
            body[wrap(x) + static_cast<std::size_t>(n) *
                               (wrap(y) + static_cast<std::size_t>(n) * wrap(z))] = 0;
          }
        }
      }
    }
    domain.body = &body;
    domain.body_velocities = {{0, 0, 0}};
  } else if (geometry != "box") {
    throw std::runtime_error("geometry must be duct, box or bed");
  }
  const NodeMap map = make_node_map(domain, true, false, 1);
  Box box;
  box.n = {static_cast<int>(map.extents.nx), static_cast<int>(map.extents.ny),
           static_cast<int>(map.extents.nz)};
  box.fluid.resize(map.extents.nodes());
  box.for_nodes([&](const std::array<int, 3>& node) {
    const bool inside = node[0] < n && node[1] < n && node[2] < n;
    box.fluid[box.at(node[0], node[1], node[2])] =
        inside && map.is_fluid(map.index(node[0], node[1], node[2])) ? 1 : 0;
  });
  CollisionParameters<double> exact{1.6};
  exact.force[0] = 1e-5;
  const auto parameters = rounded<Real>(exact);
  const auto fluid = static_cast<double>(map.all.fluid);

  print_origin();
  std::printf("# %s of %d^3 nodes, bgk, single precision; copy bandwidth %.0f GB/s\n",
              geometry.c_str(), n, measure_copy_bandwidth(default_backend()));
  std::printf(
      "scheme,kernel,fluid_nodes,stored_nodes,values_kept,reads,values_a_fluid_node,"
      "mnups,momentum\n");
  const auto print = [&](const char* scheme, const char* kernel, double stored, int kept, int reads,
                         const Row& row) {
    std::printf("%s,%s,%.0f,%.0f,%d,%d,%.2f,%.1f,%.6g\n", scheme, kernel, fluid, stored, kept,
                reads, kept * stored / fluid, 1e-6 * fluid / row.seconds, row.momentum / fluid);
    std::fflush(stdout);
  };
  NodeIndex stored = 0;
  const Row aa = run_plain<Propagation::aa_pattern>(box, map, parameters, stored);
  print("AA pattern", "plain", stored, 33, 40, aa);
  const Row twist = run_plain<Propagation::esoteric_twist>(box, map, parameters, stored);
  print("Esoteric Twist", "plain", stored, 30, 34, twist);
  const Row library = run_library(map, parameters);
  print("Esoteric Twist", "knudsen", static_cast<double>(map.count), 30, 34, library);
  print_blocks(box, fluid);
  for (const Row& row : {aa, library}) {
    if (std::fabs(row.momentum / twist.momentum - 1) > 1e-4) {
      throw std::runtime_error("the schemes have different momenta");
    }
  }
}

}  // namespace
}  // namespace knudsen::lbm_d3q27

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: paper_geier_2017 duct|box|bed NODES [SPHERES]\n");
    return 2;
  }
  const knudsen::KokkosSession session;
  try {
    knudsen::lbm_d3q27::compare(argv[1], std::atoi(argv[2]), argc > 3 ? std::atoi(argv[3]) : 0);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "paper_geier_2017: %s\n", error.what());
    return 1;
  }
  return 0;
}
