#pragma once

#include <climits>

#include "device/team_loops.hpp"
#include "kinetic/limiter.hpp"
#include "kinetic/moments.hpp"
#include "kinetic/side_condition.hpp"
#include "kinetic/velocity_space.hpp"

namespace knudsen::bgkw {

/// A cell's face where the gas ends: on a side of the box or on a solid block.
struct Face {
  int cell;       ///< in the gas
  int direction;  ///< from the cell to what is beyond, as the side of the box that lies there
  int surface;    ///< what is beyond
};

/// What sums of a distribution are known.
enum class KnownSums : int {
  none,
  moments,  ///< of the cells
  flows,    ///< and of what leaves them in the coming step
};

/// What a pass of the steps of bgk over all cells does, see SinglePass.
enum class Pass {
  stream,          ///< from f to next; adds up what the cells then hold
  collide,         ///< in place
  stream_collide,  ///< from f to next; adds up flows
  sum,             ///< only adds up flows of f
};

/// The distribution on a backend, as (cell, velocity), and what lies beyond the gas. Cells are
/// numbered (z * ny + y) * nx + x. Directions of a cell's neighbours are numbered as the sides.
template <class ExecutionSpace, class Real>
struct PhaseSpace {  // NOLINT: names in its implicit copy are the compiler's
  static constexpr int solid = INT_MIN;

  VelocitySpace<ExecutionSpace, Real> velocities;
  int dimensions = 1;
  int cells[3] = {1, 1, 1};
  int strip = 1;  ///< cells along x that are worked through before the next row of them
  View<Real**, ExecutionSpace> f;     ///< between two steps: the state
  View<Real**, ExecutionSpace> next;  ///< of the same shape; overwritten in a step
  /// Cells that a molecule of unit velocity crosses in a step along each axis.
  Real crossing[3] = {0, 0, 0};
  double most_crossed = 0;  ///< sum over the axes of the largest Courant numbers
  bool split = false;       ///< a step streams along one axis after the other
  int order = 1;            ///< of streaming along one axis
  Limiter limiter = Limiter::van_leer;

  /// (cell, direction): number of the neighbour, or -1 - number of the face; `solid` of cells that
  /// are so.
  View<int**, ExecutionSpace> neighbour;
  bool has_solids = false;
  View<Face*, ExecutionSpace> faces;
  View<Real*, ExecutionSpace> face_density;  ///< of the Maxwellian that a face sends in
  /// Of each surface (the sides of the box come first): whether it is a wall; the share of what
  /// comes in that is Maxwellian: 1 of a reservoir, 0 of a symmetry, a wall's accommodation, the
  /// rest is what flies out, mirrored; the Maxwellian, of density 1 for walls; and the mass that
  /// this sends into a cell in a step across a face of each direction.
  View<int*, ExecutionSpace> is_wall;
  View<Real*, ExecutionSpace> diffuse;
  View<Real**, ExecutionSpace> surface_maxwellian;
  View<double** [5], ExecutionSpace> surface_inflow;

  /// Steps of plain bgk are those of SinglePass where these can be. What follows is theirs.
  bool single_pass = false;
  /// Shares of a plane that teams work on by themselves.
  int parts = 1;
  int splits = 1;  ///< threads of a team that share the planes of one sign of the x component
  /// (cell, part, number): sums over velocities of (1, v, v^2) f, then for each direction of the
  /// same times the cells that are crossed in a step by what leaves that way. They belong to `f` as
  /// far as `known` says; who writes f in another way than by the steps sets that to none.
  View<double***, ExecutionSpace> sums;
  View<double***, ExecutionSpace> next_sums;  ///< those of `next`
  KnownSums known = KnownSums::none;
  View<unsigned long long*, ExecutionSpace> progress;  ///< counters of Pace
  /// (cell, entry): factors along z, x and y of what a cell relaxes to in the coming collision
  /// times the share of f that is gone then, and the share that stays; rows are whole accesses.
  View<Real**, ExecutionSpace> factors;

  KOKKOS_INLINE_FUNCTION int cell_count() const { return cells[0] * cells[1] * cells[2]; }
  KOKKOS_INLINE_FUNCTION bool is_solid(int cell) const { return neighbour(cell, 0) == solid; }
  KOKKOS_INLINE_FUNCTION Real* values(int cell) const { return place(f, cell); }
  KOKKOS_INLINE_FUNCTION Real* next_values(int cell) const { return place(next, cell); }
  /// Entries of `factors` of a cell.
  KOKKOS_INLINE_FUNCTION int factor_count() const {
    return velocities.row_length + velocities.count[0] + velocities.count[1] + 1;
  }
  KOKKOS_INLINE_FUNCTION Real* factors_of(int cell) const { return place(factors, cell); }

  /// The cell that a team works on: in strips along x, so that neighbours across them are still in
  /// the cache.
  KOKKOS_INLINE_FUNCTION int cell_of(int rank) const {
    const int lines = cells[1] * cells[2];
    const int a_strip = strip * lines;
    const int start = rank / a_strip * strip;
    const int in_strip = rank - start * lines;
    const int width = cells[0] - start < strip ? cells[0] - start : strip;
    const int line = in_strip / width;
    return line * cells[0] + start + in_strip - line * width;
  }

 private:
  KOKKOS_INLINE_FUNCTION static Real* place(const View<Real**, ExecutionSpace>& view, int cell) {
    return view.data() + static_cast<std::size_t>(cell) * view.extent(1);
  }
};

/// Position of a cell along the axes.
struct Cell {
  int at[3];
};

template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION Cell make_cell(const PhaseSpace<ExecutionSpace, Real>& space, int index) {
  const int row = index / space.cells[0];
  const int z = row / space.cells[1];
  return {{index - row * space.cells[0], row - z * space.cells[1], z}};
}

/// Where values come from: factor x values, plus mirrored_factor x the mirror image of `mirrored`
/// where that is not null.
template <class Real>
struct Source {
  const Real* values = nullptr;
  Real factor = 1;
  const Real* mirrored = nullptr;
  Real mirrored_factor = 0;
};

/// What comes in across a face; `mirrored` are the values whose mirror image a specular surface
/// gives back.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION Source<Real> source_beyond(const PhaseSpace<ExecutionSpace, Real>& space,
                                                  int face, const Real* mirrored) {
  const int surface = space.faces(face).surface;
  const Real diffuse = space.diffuse(surface);
  return {&space.surface_maxwellian(surface, 0), diffuse * space.face_density(face),
          diffuse < 1 ? mirrored : nullptr, 1 - diffuse};
}

/// The source on the other side of a cell's face.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION Source<Real> source_beside(const PhaseSpace<ExecutionSpace, Real>& space,
                                                  int cell, int direction) {
  const int neighbour = space.neighbour(cell, direction);
  if (neighbour >= 0) return {space.values(neighbour), 1, nullptr, 0};
  return source_beyond(space, -1 - neighbour, space.values(cell));
}

/// Partial sums that a team has in scratch memory of each number: its threads add to the columns in
/// turns, and the pieces, each of every so many columns, are added up in the end.
inline constexpr int sum_columns = 128;
inline constexpr int sum_pieces = 16;

/// A stretch of velocities with the same x component and the same sign of the y component; on a GPU
/// within a row.
struct Segment {
  int i;      ///< number of the x component
  int j;      ///< number of the y component, on a GPU
  int begin;  ///< in the plane
  int length;
  int place;  ///< of the first velocity among the cell's
};

/// Velocities that a work item takes at a time: one 16-byte access on a GPU; 0 on the host, where
/// the loop over a segment of any length is the SIMD loop.
template <class ExecutionSpace, class Real>
inline constexpr int lane_count = is_host_backend<ExecutionSpace> ? 0 : values_per_access<Real>;

/// All velocities of a cell by segments, on a GPU spread over the threads of a team such that a
/// thread's segments begin at the same z component: what depends on z it reads once.
template <class ExecutionSpace, class Real>
struct Segments {
  static constexpr int width = lane_count<ExecutionSpace, Real>;
  const VelocitySpace<ExecutionSpace, Real>& velocities;
  int rows = 0;   ///< that the team takes at a time
  int first = 0;  ///< row of this thread among them
  int begin = 0;  ///< along z

  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION Segments(const Member& team,
                                       const VelocitySpace<ExecutionSpace, Real>& space)
      : velocities(space) {
    if constexpr (width > 0) {
      const int accesses = velocities.row_length / width;
      rows = team.team_size() / accesses;
      // Eight rows are whole lines of 128 bytes: a few idle threads cost less than split lines.
      if (rows > 8) rows -= rows % 8;
      first = team.team_rank() / accesses;
      begin = (team.team_rank() - first * accesses) * width;
    }
  }

  /// Calls body(segment).
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void each(const Body& body) const {
    if constexpr (width == 0) {
      for (int i = 0; i < velocities.count[0]; ++i) {
        const int middle = velocities.first_positive;
        const int place = i * velocities.plane;
        if (middle > 0) body(Segment{i, 0, 0, middle, place});
        if (middle < velocities.plane) {
          body(Segment{i, 0, middle, velocities.plane - middle, place + middle});
        }
      }
    } else {
      if (first >= rows) return;
      const int count = velocities.count[1];
      const int step_i = rows / count;
      const int step_j = rows - step_i * count;
      int i = first / count;
      int j = first - i * count;
      int place = first * velocities.row_length + begin;
      while (i < velocities.count[0]) {
        body(Segment{i, j, j * velocities.row_length + begin, width, place});
        i += step_i;
        j += step_j;
        if (j >= count) {
          j -= count;
          ++i;
        }
        place += rows * velocities.row_length;
      }
    }
  }
};

/// Values of a segment's lanes: read by one access on a GPU, in place on the host.
template <int Width, class Real>
struct Lanes {
  struct alignas(16) Access {
    Real value[Width];
  } access;

  Lanes() = default;
  KOKKOS_FORCEINLINE_FUNCTION explicit Lanes(const Real* from)
      : access(*reinterpret_cast<const Access*>(from)) {}
  KOKKOS_FORCEINLINE_FUNCTION Real operator[](int k) const { return access.value[k]; }
};

template <class Real>
struct Lanes<0, Real> {
  const Real* from = nullptr;

  Lanes() = default;
  KOKKOS_FORCEINLINE_FUNCTION explicit Lanes(const Real* values) : from(values) {}
  KOKKOS_FORCEINLINE_FUNCTION Real operator[](int k) const { return from[k]; }
};

/// The same of values that do not change along a row: one for all lanes of a GPU's thread.
template <int Width, class Real>
struct RowLanes {
  Real value = 0;

  RowLanes() = default;
  KOKKOS_FORCEINLINE_FUNCTION explicit RowLanes(const Real* from) : value(*from) {}
  KOKKOS_FORCEINLINE_FUNCTION Real operator[](int) const { return value; }
};

template <class Real>
struct RowLanes<0, Real> : Lanes<0, Real> {
  using Lanes<0, Real>::Lanes;
};

/// Writes lane(k) for every lane of a segment.
template <int Width, class Real, class Lane>
KOKKOS_FORCEINLINE_FUNCTION void write_lanes(int length, Real* to, const Lane& lane) {
  if constexpr (Width > 0) {
    using Access = typename Lanes<Width, Real>::Access;
    Access access;
    for (int k = 0; k < Width; ++k) access.value[k] = lane(k);
    *reinterpret_cast<Access*>(to) = access;
  } else {
    for_lanes<0>(length, [&](int k) { to[k] = lane(k); });
  }
}

/// The sums of a segment's values that `Count` raw moments need.
template <int Count, class ExecutionSpace, class Real>
struct SegmentSums {
  static constexpr int width = lane_count<ExecutionSpace, Real>;
  const VelocitySpace<ExecutionSpace, Real>& velocities;
  /// On a GPU of this thread's lanes, on the host of the plane.
  Lanes<width, Real> z, weight, square_weight;

  KOKKOS_FORCEINLINE_FUNCTION explicit SegmentSums(const Segments<ExecutionSpace, Real>& segments)
      : velocities(segments.velocities),
        z((width > 0 ? velocities.nodes[2] : velocities.z).data() + segments.begin),
        weight((width > 0 ? velocities.weights[2] : velocities.weight).data() + segments.begin),
        square_weight((width > 0 ? velocities.z_square_weights : velocities.square_weight).data() +
                      segments.begin) {}

  KOKKOS_FORCEINLINE_FUNCTION PlaneSums<Count, Real> operator()(const Segment& segment,
                                                                const Real* values) const {
    if constexpr (width > 0) {
      Real mass = 0;
      Real along_z = 0;
      Real square_z = 0;
      Real cubic_z = 0;
      for (int k = 0; k < width; ++k) {
        const Real here = weight[k] * values[k];
        const Real square = square_weight[k] * values[k];
        mass += here;
        along_z += z[k] * here;
        square_z += square;
        if constexpr (Count == 13) cubic_z += z[k] * square;
      }
      const Real y = velocities.nodes[1](segment.j);
      const Real weight_y = velocities.weights[1](segment.j);
      mass *= weight_y;
      along_z *= weight_y;
      square_z *= weight_y;
      const Real along_y = y * mass;
      const Real square_y = y * along_y;
      if constexpr (Count == 5) {
        return {{mass, along_y, along_z, square_y + square_z}};
      } else {
        const Real yz = y * along_z;
        return {{mass, along_y, along_z, square_y, square_z, yz, y * (square_y + square_z),
                 y * yz + weight_y * cubic_z}};
      }
    } else {
      return sum_plane(segment, values);
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION PlaneSums<Count, Real> sum_plane(const Segment& segment,
                                                               const Real* f) const {
    const Real* y = velocities.y.data() + segment.begin;
    const Real* of_z = velocities.z.data() + segment.begin;
    const Real* mass_weight = velocities.weight.data() + segment.begin;
    const Real* energy_weight = velocities.square_weight.data() + segment.begin;
    Real s0 = 0;
    Real s1 = 0;
    Real s2 = 0;
    Real s3 = 0;
    Real s4 = 0;
    Real s5 = 0;
    Real s6 = 0;
    Real s7 = 0;
#if defined(_OPENMP) || defined(KNUDSEN_OPENMP_SIMD)
#pragma omp simd reduction(+ : s0, s1, s2, s3, s4, s5, s6, s7)
#endif
    for (int k = 0; k < segment.length; ++k) {
      const Real mass = mass_weight[k] * f[k];
      const Real along_y = y[k] * mass;
      const Real square = energy_weight[k] * f[k];
      s0 += mass;
      s1 += along_y;
      s2 += of_z[k] * mass;
      if constexpr (Count == 5) {
        s3 += y[k] * along_y + square;
      } else {
        const Real square_y = y[k] * along_y;
        s3 += square_y;
        s4 += square;
        s5 += of_z[k] * along_y;
        s6 += y[k] * (square_y + square);
        s7 += of_z[k] * (square_y + square);
      }
    }
    if constexpr (Count == 5) {
      return {{s0, s1, s2, s3}};
    } else {
      return {{s0, s1, s2, s3, s4, s5, s6, s7}};
    }
  }
};

/// Scratch memory that team_sum of `count` numbers needs besides what the kernel takes.
template <class ExecutionSpace, class Real>
std::size_t team_sum_bytes(int count, int team_size) {
  if constexpr (is_host_backend<ExecutionSpace>) return 0;
  const auto columns = static_cast<std::size_t>(team_size < sum_columns ? team_size : sum_columns);
  return static_cast<std::size_t>(count) * (columns * sizeof(Real) + sum_pieces * sizeof(double)) +
         32;
}

template <class Value, class Member>
KOKKOS_INLINE_FUNCTION Value* take_scratch(const Member& team, int count) {
  return static_cast<Value*>(
      team.team_scratch(0).get_shmem_aligned(count * static_cast<int>(sizeof(Value)), 16));
}

/// Adds up, over the threads of a team, the numbers that body(partial) sums on each of them in
/// precision Real. A call holds for the threads with a rank below `readers`, the others get
/// nothing. In double precision from there on, in an order that depends on the team size alone.
/// Takes scratch memory (see team_sum_bytes) and ends with no barrier.
template <int Count, class Real, class Member, class Body>
KOKKOS_FORCEINLINE_FUNCTION void team_sum(const Member& team, int readers, double (&sums)[Count],
                                          const Body& body) {
  if constexpr (is_host_backend<typename Member::execution_space>) {
    body(sums);
  } else {
    const int size = team.team_size();
    const int rank = team.team_rank();
    const int columns = size < sum_columns ? size : sum_columns;
    Real* of_columns = take_scratch<Real>(team, Count * columns);
    double* of_pieces = take_scratch<double>(team, Count * sum_pieces);
    Real partial[Count] = {};
    body(partial);
    for (int first = 0; first < size; first += columns) {
      if (rank >= first && rank < first + columns) {
        for (int n = 0; n < Count; ++n) {
          const int place = n * columns + rank - first;
          of_columns[place] = first == 0 ? partial[n] : of_columns[place] + partial[n];
        }
      }
      team.team_barrier();
    }
    for (int piece = rank; piece < Count * sum_pieces; piece += size) {
      const int n = piece / sum_pieces;
      double sum = 0;
      for (int t = piece - n * sum_pieces; t < columns; t += sum_pieces) {
        sum += double(of_columns[n * columns + t]);
      }
      of_pieces[piece] = sum;
    }
    team.team_barrier();
    if (rank < readers) {
      for (int n = 0; n < Count; ++n) {
        double sum = 0;
        for (int piece = 0; piece < sum_pieces; ++piece) sum += of_pieces[n * sum_pieces + piece];
        sums[n] += sum;
      }
    }
  }
}

/// Raw moments of a cell's values, for the threads below `readers`; values_of(segment, add) calls
/// add(part of the segment, pointer to its lanes).
template <int Count, class Member, class ExecutionSpace, class Real, class ValuesOf>
KOKKOS_FORCEINLINE_FUNCTION RawMoments<Count> team_moments(
    const Member& team, int readers, const VelocitySpace<ExecutionSpace, Real>& velocities,
    const ValuesOf& values_of) {
  RawMoments<Count> moments;
  team_sum<Count, Real>(team, readers, moments.value, [&](auto& sums) {
    // What a GPU's thread adds up is little: in the precision of the values.
    using Partial = std::decay_t<decltype(sums[0])>;
    RawMoments<Count, Partial> partial;
    const Segments<ExecutionSpace, Real> segments(team, velocities);
    const SegmentSums<Count, ExecutionSpace, Real> sum_segment(segments);
    segments.each([&](const Segment& segment) {
      values_of(segment, [&](const Segment& here, const Real* values) {
        partial.add(velocities.nodes[0](here.i), velocities.weights[0](here.i),
                    sum_segment(here, values));
      });
    });
    for (int n = 0; n < Count; ++n) sums[n] += partial.value[n];
  });
  return moments;
}

}  // namespace knudsen::bgkw
