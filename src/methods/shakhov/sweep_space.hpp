#pragma once

#include "kinetic/collision_target.hpp"
#include "kinetic/side_condition.hpp"
#include "kinetic/velocity_space.hpp"

namespace knudsen::shakhov {

// Velocities are taken octant by octant, in blocks of 8 x 8 x 8. Within an octant they are counted
// from zero outwards, so that velocities which are mirror images of each other have the same place
// in their octants. Octants are filled up to whole blocks by velocities of zero weight. All
// distributions are stored as weight x f, which obeys the same equation and makes moments plain
// sums.

inline constexpr int block_edge = 8;
inline constexpr int block_lanes = block_edge * block_edge;  ///< velocities of a block along x, y
inline constexpr int block_size = block_lanes * block_edge;

/// How a block's values stand in memory, and who works on them. An item is a work item: one thread
/// of a team on a GPU, which moves its values in 16-byte accesses; one SIMD lane on the host.
template <class ExecutionSpace, class Real>
struct BlockLayout {
  static constexpr bool host = is_host_backend<ExecutionSpace>;
  static constexpr int depth = host ? block_edge : 4;  ///< values of an item
  static constexpr int items = block_size / depth;

  KOKKOS_INLINE_FUNCTION static constexpr int place(int item, int n) {
    return host ? n * items + item : item * depth + n;
  }
  /// Where in its block along z an item's values begin.
  KOKKOS_INLINE_FUNCTION static constexpr int first_z(int item) {
    return item / block_lanes * depth;
  }
  KOKKOS_INLINE_FUNCTION static constexpr int x_of(int item) { return item % block_edge; }
  KOKKOS_INLINE_FUNCTION static constexpr int y_of(int item) {
    return item % block_lanes / block_edge;
  }
  /// The item of a place in memory, and where along z in the block it is.
  KOKKOS_INLINE_FUNCTION static constexpr int item_of(int place) {
    return host ? place % items : place / depth;
  }
  KOKKOS_INLINE_FUNCTION static constexpr int z_of(int place) {
    return first_z(item_of(place)) + (host ? place / items : place % depth);
  }
};

/// Numbers of a cell that its equilibrium is made of; see equilibrium.hpp.
inline constexpr int target_size = 12;
/// What a wall's face receives: mass, momentum x, y, z, energy.
inline constexpr int flux_count = 5;
inline constexpr int moment_count = 13;

// Classes of cells: six bits that say on which sides (order of Side) a cell of gas has a wall or a
// side of the box, a bit for solid cells, and above them the cell's row in SweepSpace::faces.
inline constexpr int solid_bit = 1 << 6;
inline constexpr int side_bits = solid_bit - 1;
inline constexpr int class_bits = 7;

/// All that a sweep needs, on a backend. Walls are the six sides of the box, then the bodies. Faces
/// are those of all cells beside sides of the box (by side, then by the other two axes, the lower
/// fastest), then those between gas and bodies.
template <class ExecutionSpace, class Real>
struct SweepSpace {  // NOLINT: names in its implicit copy are the compiler's
  int dimensions = 3;
  int cells[3] = {1, 1, 1};
  int order = 1;

  VelocitySpace<ExecutionSpace, Real> velocities;  ///< for discrete Maxwellians
  // Velocities by octant: (sign * length + place), sign 1 for zero and positive ones.
  int blocks[3] = {1, 1, 1};  ///< of an octant
  int length[3] = {8, 8, 8};  ///< block_edge x blocks
  View<Real*, ExecutionSpace> nodes[3];
  View<Real*, ExecutionSpace> weights[3];

  // Geometry.
  View<Real*, ExecutionSpace> inverse_width[3];  ///< of cells; zero beyond the dimensions
  /// Second order: (sign, cell) share of the last difference that is added at the downwind face.
  View<Real**, ExecutionSpace> lean[3];
  View<double*, ExecutionSpace> width[3];  ///< of cells; one beyond the dimensions
  View<int*, ExecutionSpace> cell_class;
  View<int* [6], ExecutionSpace> faces;  ///< of a cell beside walls; -1: none on that side
  View<int*, ExecutionSpace> face_wall;
  View<int*, ExecutionSpace> face_side;  ///< of the cell
  int first_face[6] = {};                ///< of each side of the box

  // Walls.
  View<Real**, ExecutionSpace> wall_factors[3];  ///< (wall, velocity): weight x Maxwellian's factor
  View<Real*, ExecutionSpace> diffuse;           ///< of walls: share of the Maxwellian
  /// (wall, side of the cell): mass that the wall's Maxwellian of density one sends into the gas;
  /// zero where the density is given.
  View<double* [6], ExecutionSpace> wall_inflow;
  View<Real*, ExecutionSpace> face_density;
  /// Of sides that reflect or are periodic: what left there last, (face, octant of the other two
  /// axes, block, place).
  View<Real*, ExecutionSpace> left[6];
  int left_source[6] = {0, 1, 2, 3, 4, 5};  ///< side whose `left` comes in here

  // State of the iteration.
  View<double* [moment_count], ExecutionSpace> moments;   ///< raw, of RawMoments<13>
  View<double* [moment_count], ExecutionSpace> previous;  ///< of the iteration before
  View<double* [flux_count], ExecutionSpace> flux;        ///< outwards through faces
  View<double* [flux_count], ExecutionSpace> far_flux;    ///< second order: part of the next cells
  View<Real* [target_size], ExecutionSpace> target;

  KOKKOS_INLINE_FUNCTION std::size_t cell_count() const {
    return std::size_t(cells[0]) * std::size_t(cells[1]) * std::size_t(cells[2]);
  }
  KOKKOS_INLINE_FUNCTION int cell_index(int x, int y, int z) const {
    return (z * cells[1] + y) * cells[0] + x;
  }
  KOKKOS_INLINE_FUNCTION int octant_blocks() const { return blocks[0] * blocks[1] * blocks[2]; }
  KOKKOS_INLINE_FUNCTION int side_face(int side, const int (&at)[3]) const {
    const int axis = side / 2;
    if (axis == 0) return at[2] * cells[1] + at[1];
    return (axis == 1 ? at[2] : at[1]) * cells[0] + at[0];
  }
};

/// A block: its octant (bit d: component d not negative) and its first places along the axes.
struct Block {
  int octant;
  int in_octant;  ///< number
  int first[3];   ///< in the axes' arrays, the octant's sign included
  int sign[3];

  template <class Space>
  KOKKOS_INLINE_FUNCTION Block(const Space& space, int number)
      : octant(number / space.octant_blocks()), in_octant(number % space.octant_blocks()) {
    int rest = in_octant;
    for (int d = 0; d < 3; ++d) {
      sign[d] = octant >> d & 1;
      first[d] = sign[d] * space.length[d] + rest % space.blocks[d] * block_edge;
      rest /= space.blocks[d];
    }
  }
  /// The side of a cell through which this block's molecules come in along an axis.
  KOKKOS_INLINE_FUNCTION int upwind_side(int axis) const { return 2 * axis + 1 - sign[axis]; }
  KOKKOS_INLINE_FUNCTION int downwind_side(int axis) const { return 2 * axis + sign[axis]; }
  /// Where this block's values stand in SweepSpace::left of a side across `axis`.
  template <class Space>
  KOKKOS_INLINE_FUNCTION std::size_t left_place(const Space& space, int axis, int face) const {
    const int others = (octant & ((1 << axis) - 1)) | (octant >> (axis + 1) << axis);
    return ((std::size_t(face) * 4 + std::size_t(others)) * std::size_t(space.octant_blocks()) +
            std::size_t(in_octant)) *
           block_size;
  }
};

}  // namespace knudsen::shakhov
