#include <algorithm>
#include <utility>

#include "core/block_sum.hpp"
#include "core/instantiate.hpp"
#include "methods/boltzmann/conservation.hpp"
#include "methods/boltzmann/lanes.hpp"
#include "methods/boltzmann/step.hpp"

namespace knudsen::boltzmann {
namespace {

/// Algorithm 3 on `Lanes` cells a team. Their distributions stand in scratch memory, side by side
/// at each velocity; so a sampled collision, the same for all cells, is read once for all of them.
///
/// Explicit update: the rate of every collision is found first (a team over the collisions), then
/// every velocity cell that has a list adds up the collisions in it (a team over the lists): no two
/// threads write to the same place, and sums have a fixed order. A team that goes on to further
/// cells loads them while it writes the last ones.
///
/// With `Streamed` cells are loaded as streaming leaves them (eq. (17), two dimensions, first
/// order), and written to the other array.
template <class ExecutionSpace, class Real, int Lanes, bool Weighted, bool Streamed>
struct CollideCells {
  using Values = Pack<Real, Lanes>;
  /// Loss of the five invariants in the collisions; `Weighted` also the moments of h that the
  /// matrix of eq. (26) is made of.
  static constexpr int sum_count = invariants + (Weighted ? product_moments : 0);
  using Sums = LaneSums<Real, Lanes, sum_count>;
  static constexpr bool on_host = is_host_backend<ExecutionSpace>;
  static constexpr int width = values_per_access<Real>;
  static constexpr int most_threads = most_collision_threads;
  /// Collisions whose samples a thread reads in advance, and whose rates it works out at once.
  static constexpr int ahead = on_host ? 1 : 3;

  State<ExecutionSpace, Real> state;
  CollisionSets<ExecutionSpace, Real> sets;
  int set;
  Collision collision;
  int block_count;   ///< of the groups of cells that a team works on at once
  int strip_blocks;  ///< of those side by side, along x, in a strip
  float inverse_row_chunks;
  float inverse_plane_rows;
  /// Of the matrix of eq. (26) where that is the same in all cells.
  Real inverse_matrix[invariants][invariants];

  /// Of h: the velocities, rounded up to whole accesses.
  KOKKOS_INLINE_FUNCTION static int slots(const VelocitySpace<ExecutionSpace, Real>& v) {
    return (v.rows() * v.count[2] + width - 1) / width * width;
  }
  /// Bytes of h, the rates of the collisions, the correction and the sums that it is made of.
  KOKKOS_INLINE_FUNCTION static std::size_t value_bytes(
      const VelocitySpace<ExecutionSpace, Real>& v, int samples, int team_size) {
    const int sums = block_sum_scratch(team_size, sum_count) + 2 * sum_count;
    const std::size_t bytes =
        static_cast<std::size_t>(slots(v) + samples + 1 + sums) * sizeof(Values);
    constexpr std::size_t access = sizeof(Access<Real>);
    return (bytes + access - 1) / access * access;
  }
  static std::size_t scratch_bytes(const VelocitySpace<ExecutionSpace, Real>& v, int samples,
                                   int team_size) {
    return value_bytes(v, samples, team_size) +
           static_cast<std::size_t>(v.row_length + v.count[0] + v.count[1] + Lanes + 1) *
               sizeof(Real);
  }

  /// What a team has in scratch memory.
  struct Scratch {
    Values* h;
    Values* rates;
    Values* correction;
    Values* totals;
    Real* sums;
    // What global memory would be slow to give: velocity components; of the cells that are loaded
    // the time step over the widths, along x and, last, along y.
    Real* nodes[3];
    Real* ratios;
  };

  template <class Team>
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team, char* memory) const {
    const auto& v = state.velocities;
    Scratch scratch;
    scratch.h = reinterpret_cast<Values*>(memory);
    scratch.rates = scratch.h + slots(v);
    scratch.correction = scratch.rates + sets.samples + 1;
    scratch.totals = scratch.correction + sum_count;
    scratch.sums = reinterpret_cast<Real*>(scratch.totals + sum_count);
    auto* tables = reinterpret_cast<Real*>(memory + value_bytes(v, sets.samples, team.team_size()));
    scratch.nodes[2] = tables;
    scratch.nodes[0] = tables + v.row_length;
    scratch.nodes[1] = scratch.nodes[0] + v.count[0];
    scratch.ratios = scratch.nodes[1] + v.count[1];
    for (int d = 0; d < 3; ++d) {
      each(team, d == 2 ? v.row_length : v.count[d],
           [&](int i) { scratch.nodes[d][i] = v.nodes[d](i); });
    }
    int number = team.league_rank();
    Cells cells = cells_of(number);
    const int rank = team.team_rank();
    if (rank <= Lanes) scratch.ratios[rank] = ratio(cells, rank);
    if (rank == 0) scratch.rates[sets.samples] = Values{};
    team.team_barrier();
    load_all(team, scratch, cells);
    for (;;) {
      const int next = number + team.league_size();
      const bool goes_on = next < block_count;
      const Cells coming = goes_on ? cells_of(next) : cells;
      if (goes_on) prefetch_cells(team, coming);
      const Real coming_ratio = rank <= Lanes ? ratio(coming, rank) : Real(0);
      Sums partial;
      if (collision.update == Update::explicit_set) {
        apply_set(team, scratch, partial);
      } else {
        team.team_barrier();
        apply_in_turn(team, scratch.h, partial);
      }
      if (rank <= Lanes) scratch.ratios[rank] = coming_ratio;
      find_correction(team, partial, scratch);
      write_corrected(team, scratch, cells, goes_on, coming);
      if (!goes_on) return;
      number = next;
      cells = coming;
    }
  }

 private:
  /// body(i) for i in [0, count), spread over the threads of a team.
  template <class Team, class Body>
  KOKKOS_FORCEINLINE_FUNCTION static void each(const Team& team, int count, const Body& body) {
    for (int i = team.team_rank(); i < count; i += team.team_size()) body(i);
  }

  /// The cells that a team works on at once: `count` of the `Lanes` from `first` on.
  struct Cells {
    int first;
    int count;
    int x, y;  ///< of the first
  };

  KOKKOS_FORCEINLINE_FUNCTION Cells cells_of(int number) const {
    if constexpr (Streamed) {
      // In strips along y, that the cells above and below stay near in the cache.
      const int nx = state.cells[0];
      const int row = (nx + Lanes - 1) / Lanes;
      const int strip = number / (strip_blocks * state.cells[1]);
      const int within = number - strip * strip_blocks * state.cells[1];
      const int left = row - strip * strip_blocks;
      const int across = left < strip_blocks ? left : strip_blocks;
      const int y = within / across;
      const int x = (strip * strip_blocks + within - y * across) * Lanes;
      return {y * nx + x, nx - x < Lanes ? nx - x : Lanes, x, y};
    } else {
      const int first = number * Lanes;
      const int left = state.cell_count() - first;
      return {first, left < Lanes ? left : Lanes, 0, 0};
    }
  }

  /// Time step over width: of a cell along x, or, behind the last, of all along y.
  KOKKOS_FORCEINLINE_FUNCTION Real ratio(const Cells& cells, int lane) const {
    if constexpr (Streamed) {
      if (lane == Lanes) return state.ratio[1](cells.y);
      return state.ratio[0](cells.x + (lane < cells.count ? lane : 0));
    } else {
      return 0;
    }
  }

  /// Where a chunk of velocities stands: in a row of equal x and y components, with indices i, j.
  struct Place {
    int chunk;
    int row;
    int first;  ///< index of the z component of its first velocity
    int i, j;
  };
  KOKKOS_FORCEINLINE_FUNCTION Place place_of(int chunk) const {
    const auto& v = state.velocities;
    const int row = quotient(chunk, inverse_row_chunks);
    const int i = quotient(row, inverse_plane_rows);
    return {chunk, row, chunk * width - row * v.row_length, i, row - i * v.count[1]};
  }
  /// Of numbers below 2^16, where the inverse of the divisor is at hand.
  KOKKOS_FORCEINLINE_FUNCTION static int quotient(int number, float inverse) {
    return static_cast<int>((static_cast<float>(number) + 0.5F) * inverse);
  }

  /// What the streamed values of a chunk are made of: those of the cells, of the one before or
  /// behind them along x, of those below or above.
  struct Loaded {
    Access<Real> own[Lanes];
    Access<Real> end;
    Access<Real> under[Lanes];
  };

  /// Cells beyond the last one are the last one.
  KOKKOS_FORCEINLINE_FUNCTION void load(const Scratch& scratch, const Cells& cells,
                                        const Place& place, Loaded& loaded) const {
    const auto size = static_cast<std::ptrdiff_t>(state.velocities.size());
    const int at = place.chunk * width;
    const Real* from = state.values(state.h, cells.first) + at;
    const auto access = [](const Real* values) {
      return *reinterpret_cast<const Access<Real>*>(values);
    };
    const auto cell = [&](int l) { return l < cells.count ? l : cells.count - 1; };
    KNUDSEN_UNROLL
    for (int l = 0; l < Lanes; ++l) loaded.own[l] = access(from + cell(l) * size);
    if constexpr (Streamed) {
      const int step_x = scratch.nodes[0][place.i] < 0 ? 1 : -1;
      const int last = step_x > 0 ? cells.count - 1 : 0;
      const int x = cells.x + last + step_x;
      if (x >= 0 && x < state.cells[0]) {
        loaded.end = access(from + (last + step_x) * size);
      } else {
        const Cell beside{cells.first + last, {cells.x + last, cells.y, 0}};
        loaded.end = read(neighbour(state, beside, 0, step_x), at);
      }
      const int step_y = scratch.nodes[1][place.j] < 0 ? 1 : -1;
      const int y = cells.y + step_y;
      if (y >= 0 && y < state.cells[1]) {
        const Real* under = from + step_y * state.cells[0] * size;
        KNUDSEN_UNROLL
        for (int l = 0; l < Lanes; ++l) loaded.under[l] = access(under + cell(l) * size);
      } else {
        KNUDSEN_UNROLL
        for (int l = 0; l < Lanes; ++l) {
          const Cell beside{cells.first + cell(l), {cells.x + cell(l), cells.y, 0}};
          loaded.under[l] = read(neighbour(state, beside, 1, step_y), at);
        }
      }
    }
  }

  /// Puts values into scratch memory, with `Streamed` by eq. (17).
  KOKKOS_FORCEINLINE_FUNCTION void keep(const Scratch& scratch, const Cells& cells,
                                        const Place& place, Loaded& loaded) const {
    Access<Real>(&values)[Lanes] = loaded.own;
    if constexpr (Streamed) {
      const Real vx = scratch.nodes[0][place.i];
      const Real vy = scratch.nodes[1][place.j];
      const Real courant_y = math::fabs(vy) * scratch.ratios[Lanes];
      KNUDSEN_UNROLL
      for (int l = 1; l < Lanes; ++l) {
        if (l >= cells.count) values[l] = loaded.end;  // what the cell before it has behind it
      }
      Real courant_x[Lanes];
      KNUDSEN_UNROLL
      for (int l = 0; l < Lanes; ++l) {
        courant_x[l] = math::fabs(vx) * scratch.ratios[l];
      }
      KNUDSEN_UNROLL
      for (int k = 0; k < width; ++k) {
        Real streamed[Lanes];
        KNUDSEN_UNROLL
        for (int l = 0; l < Lanes; ++l) {
          const Real h = values[l].value[k];
          const Real before = l > 0 ? values[l > 0 ? l - 1 : 0].value[k] : loaded.end.value[k];
          const Real behind =
              l + 1 < Lanes ? values[l + 1 < Lanes ? l + 1 : 0].value[k] : loaded.end.value[k];
          streamed[l] = h - courant_x[l] * (h - (vx < 0 ? behind : before)) -
                        courant_y * (h - loaded.under[l].value[k]);
        }
        KNUDSEN_UNROLL
        for (int l = 0; l < Lanes; ++l) values[l].value[k] = streamed[l];
      }
    }
    KNUDSEN_UNROLL
    for (int k = 0; k < width; ++k) {
      Values side_by_side;
      for (int l = 0; l < Lanes; ++l) side_by_side.lane[l] = values[l].value[k];
      if (place.first + k < state.velocities.count[2]) {
        scratch.h[position(place.row, place.first + k)] = side_by_side;
      }
    }
  }

  template <class Team>
  KOKKOS_INLINE_FUNCTION void load_all(const Team& team, const Scratch& scratch,
                                       const Cells& cells) const {
    each(team, state.velocities.size() / width, [&](int chunk) {
      const Place place = place_of(chunk);
      Loaded loaded;
      load(scratch, cells, place, loaded);
      keep(scratch, cells, place, loaded);
    });
  }

  /// In scratch memory, of velocity k of a row.
  KOKKOS_FORCEINLINE_FUNCTION int position(int row, int k) const {
    return scratch_position<ExecutionSpace, Real>(row * state.velocities.count[2] + k);
  }

  /// With streaming the cells above, which no team has had yet.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_cells(const Team& team, const Cells& cells) const {
    if constexpr (!on_host) {
      constexpr int line = 128 / static_cast<int>(sizeof(Real));
      const bool above = Streamed && cells.y + 1 < state.cells[1];
      const Real* from = state.values(state.h, cells.first + (above ? state.cells[0] : 0));
      each(team, cells.count * state.velocities.size() / line,
           [&](int n) { prefetch(from + static_cast<std::ptrdiff_t>(n) * line); });
    }
  }

  /// Lines 22 to 31: adds up the threads' sums and solves for the correction.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void find_correction(const Team& team, const Sums& partial,
                                              const Scratch& scratch) const {
    const Values* total = scratch.totals;
    Values* correction = scratch.correction;
    Real values[sum_count * Lanes];
    KNUDSEN_UNROLL
    for (int n = 0; n < sum_count; ++n) {
      KNUDSEN_UNROLL
      for (int l = 0; l < Lanes; ++l) values[n * Lanes + l] = partial.value[n].lane[l];
    }
    sum_over_block(team, values, scratch.sums, scratch.totals->lane);
    if constexpr (Weighted) {
      each(team, Lanes, [&](int l) {
        Real rest[invariants];
        Real products[product_moments];
        for (int a = 0; a < invariants; ++a) rest[a] = total[a].lane[l];
        for (int n = 0; n < product_moments; ++n) {
          products[n] = state.equilibrium_moments[n] +
                        static_cast<Real>(collision.deviation) * total[invariants + n].lane[l];
        }
        solve_correction(products, rest);
        for (int a = 0; a < invariants; ++a) correction[a].lane[l] = rest[a];
      });
    } else {
      each(team, invariants * Lanes, [&](int work) {
        const int a = work / Lanes;
        const int l = work - a * Lanes;
        Real sum = 0;
        for (int b = 0; b < invariants; ++b) sum += inverse_matrix[a][b] * total[b].lane[l];
        correction[a].lane[l] = sum;
      });
    }
    team.team_barrier();
  }

  struct Velocity {
    int position;  ///< in scratch memory
    Real node[3];
    Real inverse_weight;
  };

  KOKKOS_INLINE_FUNCTION Velocity velocity(std::uint32_t packed) const {
    const auto& v = state.velocities;
    const int i = index_along(packed, 0);
    const int j = index_along(packed, 1);
    const int k = index_along(packed, 2);
    return {
        position(i * v.count[1] + j, k),
        {v.nodes[0](i), v.nodes[1](j), v.nodes[2](k)},
        state.inverse_weights[0](i) * state.inverse_weights[1](j) * state.inverse_weights[2](k)};
  }

  /// Weight times h + h_1 + epsilon h h_1 of line 12.
  KOKKOS_FORCEINLINE_FUNCTION Real rate(Real weight, Real a, Real b) const {
    return weight * (a + b + static_cast<Real>(collision.deviation) * (a * b));
  }
  /// Half of that less half of the same after the collision.
  KOKKOS_FORCEINLINE_FUNCTION Real rate(Real weight, Real a, Real b, Real c, Real d) const {
    const Real product = a * b - c * d;
    return Real(0.5) * weight *
           ((a + b) - (c + d) + static_cast<Real>(collision.deviation) * product);
  }

  template <class Losses>
  KOKKOS_FORCEINLINE_FUNCTION static void add_loss(const Real (&node)[3], Real change, int l,
                                                   Losses& sums) {
    const Real square = node[0] * node[0] + node[1] * node[1] + node[2] * node[2];
    sums.value[0].lane[l] -= change;
    KNUDSEN_UNROLL
    for (int d = 0; d < 3; ++d) sums.value[1 + d].lane[l] -= node[d] * change;
    sums.value[4].lane[l] -= square * change;
  }

  /// Four 16-bit numbers, one access.
  struct alignas(8) Four {
    std::uint16_t value[4];
  };

  struct Sample {
    std::uint16_t at[4];
    Real weight;
  };

  KOKKOS_FORCEINLINE_FUNCTION Sample sample(int m) const {
    if (m >= sets.samples) return {};
    const Four at = *reinterpret_cast<const Four*>(&sets.positions(set, 4 * m));
    return {{at.value[0], at.value[1], at.value[2], at.value[3]}, sets.weights(set, m)};
  }

  /// Eq. (23) for every collision.
  template <bool OneWay, class Team>
  KOKKOS_FORCEINLINE_FUNCTION void find_rates(const Team& team, const Values* h, Values* rates,
                                              Sample (&coming)[ahead]) const {
    const int size = team.team_size();
    for (int first = team.team_rank(); first < sets.samples; first += ahead * size) {
      Values result[ahead];
      KNUDSEN_UNROLL
      for (int q = 0; q < ahead; ++q) {
        const Sample here = coming[q];
        coming[q] = sample(first + (ahead + q) * size);
        const Values a = h[here.at[0]];
        const Values b = h[here.at[1]];
        if constexpr (OneWay) {
          KNUDSEN_SIMD
          for (int l = 0; l < Lanes; ++l) {
            result[q].lane[l] = rate(here.weight, a.lane[l], b.lane[l]);
          }
        } else {
          const Values c = h[here.at[2]];
          const Values d = h[here.at[3]];
          KNUDSEN_SIMD
          for (int l = 0; l < Lanes; ++l) {
            result[q].lane[l] = rate(here.weight, a.lane[l], b.lane[l], c.lane[l], d.lane[l]);
          }
        }
      }
      KNUDSEN_UNROLL
      for (int q = 0; q < ahead; ++q) {
        if (first + q * size < sets.samples) rates[first + q * size] = result[q];
      }
    }
  }

  /// A list and what its sum is used with.
  struct List {
    bool exists;
    int position;  ///< of its velocity in scratch memory
    Pack<Real, 4> values;
    const Four* chunks;
    int count;
    Four first, second;
  };

  /// A list of the group that is number `turn` of the turns.
  KOKKOS_FORCEINLINE_FUNCTION List list_of(int turn, int end, int lane, int lists) const {
    List list{};
    if (turn >= end) return list;
    const auto group = *reinterpret_cast<const GroupTurn*>(&sets.group_turns(set, 4 * turn));
    const int number = group.number * list_group + lane;
    list.exists = number < lists;
    list.count = list.exists ? group.chunks : 0;  // the last group may have room for more
    list.chunks = reinterpret_cast<const Four*>(&sets.entries(set, group.begin)) + lane;
    list.first = *list.chunks;
    list.second = list.count > 1 ? list.chunks[list_group] : list.first;
    list.position = sets.list_positions(set, number);
    list.values = *reinterpret_cast<const Pack<Real, 4>*>(&sets.list_values(set, 4 * number));
    return list;
  }

  /// Eq. (24) at the velocity of a list.
  KOKKOS_FORCEINLINE_FUNCTION void apply_list(const List& list, const Scratch& scratch,
                                              Sums& partial) const {
    Four chunk = list.first;
    Four next = list.second;
    Values change{};
    for (int c = 0; c < list.count; ++c) {
      const Four here = chunk;
      chunk = next;
      if (c + 2 < list.count) next = list.chunks[(c + 2) * list_group];
      KNUDSEN_UNROLL
      for (int n = 0; n < list_chunk; ++n) {
        const int entry = here.value[n];
        const Real sign = (entry & 1) != 0 ? Real(1) : Real(-1);
        const Values rate = scratch.rates[entry / 2];
        KNUDSEN_SIMD
        for (int l = 0; l < Lanes; ++l) change.lane[l] += sign * rate.lane[l];
      }
    }
    if (!list.exists) return;
    const Real node[3] = {list.values.lane[0], list.values.lane[1], list.values.lane[2]};
    Values value = scratch.h[list.position];
    KNUDSEN_UNROLL KNUDSEN_SIMD for (int l = 0; l < Lanes; ++l) {
      value.lane[l] += list.values.lane[3] * change.lane[l];
      add_loss(node, change.lane[l], l, partial);
    }
    scratch.h[list.position] = value;
  }

  /// Eqs. (23) and (24). Groups of lists are shared out among the warps beforehand.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void apply_set(const Team& team, const Scratch& scratch,
                                        Sums& partial) const {
    Sample samples[ahead];
    KNUDSEN_UNROLL
    for (int q = 0; q < ahead; ++q) samples[q] = sample(team.team_rank() + q * team.team_size());
    team.team_barrier();
    if (collision.estimator == Estimator::one_way) {
      find_rates<true>(team, scratch.h, scratch.rates, samples);
    } else {
      find_rates<false>(team, scratch.h, scratch.rates, samples);
    }
    const int lists = sets.lists(set);
    if constexpr (on_host) {
      const int groups = (lists + list_group - 1) / list_group;
      for (int group = 0; group < groups; ++group) {
        for (int lane = 0; lane < list_group && group * list_group + lane < lists; ++lane) {
          apply_list(list_of(group, groups, lane, lists), scratch, partial);
        }
      }
    } else {
      const int warps = team.team_size() / list_group;
      int warp = team.team_rank() / list_group;
      const int lane = team.team_rank() - warp * list_group;
      const auto begin = [&](int n) {
        return sets.turn_begin(set, n < group_sequences ? n : group_sequences);
      };
      int turn = begin(warp);
      int end = begin(warp + 1);
      List coming = list_of(turn, end, lane, lists);
      team.team_barrier();
      while (warp < group_sequences) {
        while (turn < end) {
          const List list = coming;
          ++turn;
          coming = list_of(turn, end, lane, lists);
          apply_list(list, scratch, partial);
        }
        warp += warps;
        turn = begin(warp);
        end = begin(warp + 1);
        coming = list_of(turn, end, lane, lists);
      }
    }
    if constexpr (Weighted) add_products(team, scratch.h, partial);
  }

  /// Lines 7 to 21, one thread a cell.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void apply_in_turn(const Team& team, Values* h, Sums& partial) const {
    constexpr int lanes = is_host_backend<ExecutionSpace> ? Lanes : 1;  // of a thread
    each(team, Lanes / lanes, [&](int thread) {
      LaneSums<Real, lanes, invariants> loss;
      for (int m = 0; m < sets.samples; ++m) {
        const Real weight = sets.weights(set, m);
        if (weight == 0) continue;
        std::uint16_t read[4];
        Velocity at[4];
        for (int q = 0; q < 4; ++q) {
          read[q] = sets.positions(set, 4 * m + q);
          at[q] = velocity(sets.indices(sets.targets(set, 4 * m + q)));
        }
        for (int n = 0; n < lanes; ++n) {
          const int l = thread + n;
          const Real before[2] = {h[read[0]].lane[l], h[read[1]].lane[l]};
          const Real happens =
              collision.estimator == Estimator::one_way
                  ? rate(weight, before[0], before[1])
                  : rate(weight, before[0], before[1], h[read[2]].lane[l], h[read[3]].lane[l]);
          for (int q = 0; q < 4; ++q) {
            const Real change = q < 2 ? -happens : happens;
            h[at[q].position].lane[l] += at[q].inverse_weight * change;
            add_loss(at[q].node, change, n, loss);
          }
        }
      }
      // Whole sums with constant indices, which stay in registers.
      KNUDSEN_UNROLL
      for (int l = 0; l < Lanes; ++l) {
        KNUDSEN_UNROLL
        for (int a = 0; a < invariants; ++a) {
          const Real lost = loss.value[a].lane[lanes == 1 ? 0 : l];
          partial.value[a].lane[l] += lanes > 1 || l == thread ? lost : Real(0);
        }
      }
    });
    if constexpr (Weighted) add_products(team, h, partial);
  }

  /// Adds to the moments that the matrix of eq. (26) is made of.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void add_products(const Team& team, const Values* h, Sums& sums) const {
    const auto& v = state.velocities;
    team.team_barrier();
    each(team, v.rows() * v.count[2], [&](int number) {
      const int row = number / v.count[2];
      const int k = number - row * v.count[2];
      const int i = row / v.count[1];
      const int j = row - i * v.count[1];
      const Real weight = v.weights[0](i) * v.weights[1](j) * v.weights[2](k);
      Real products[product_moments];
      evaluate_products(v.nodes[0](i), v.nodes[1](j), v.nodes[2](k), products);
      const Values value = h[position(row, k)];
      for (int n = 0; n < product_moments; ++n) {
        const Real factor = weight * products[n];
        for (int l = 0; l < Lanes; ++l) {
          sums.value[invariants + n].lane[l] += factor * value.lane[l];
        }
      }
    });
  }

  /// Lines 32 to 39; with `goes_on` loads other cells in place of those that are written.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void write_corrected(const Team& team, const Scratch& scratch,
                                              const Cells& cells, bool goes_on,
                                              const Cells& coming) const {
    const auto& v = state.velocities;
    Real* to = state.values(Streamed ? state.next : state.h, cells.first);
    const Real e = static_cast<Real>(collision.deviation);
    const Real force[3] = {static_cast<Real>(collision.body_force[0]),
                           static_cast<Real>(collision.body_force[1]),
                           static_cast<Real>(collision.body_force[2])};
    each(team, v.size() / width, [&](int chunk) {
      const Place place = place_of(chunk);
      [[maybe_unused]] Loaded loaded;
      if constexpr (!on_host) {
        if (goes_on) load(scratch, coming, place, loaded);
      }
      const Real x = scratch.nodes[0][place.i];
      const Real y = scratch.nodes[1][place.j];
      const auto along_z = *reinterpret_cast<const Access<Real>*>(scratch.nodes[2] + place.first);
      const Real across = x * x + y * y;
      const Real push = force[0] * x + force[1] * y;
      // Read again for each chunk, as there are not the registers to keep it.
      const Values* c = scratch.correction;
      Values plane;
      Values linear = c[3];
      const Values square = c[4];
      {
        const Values c0 = c[0];
        const Values c1 = c[1];
        const Values c2 = c[2];
        KNUDSEN_SIMD
        for (int l = 0; l < Lanes; ++l) {
          plane.lane[l] = c0.lane[l] + x * c1.lane[l] + y * c2.lane[l] + across * square.lane[l];
          if constexpr (!Weighted) {
            plane.lane[l] += push;
            linear.lane[l] += force[2];
          }
        }
      }
      Access<Real> result[Lanes];
      KNUDSEN_UNROLL
      for (int k = 0; k < width; ++k) {
        const Real z = along_z.value[k];
        const bool padding = place.first + k >= v.count[2];
        const Values value = scratch.h[position(place.row, place.first + (padding ? 0 : k))];
        Values corrected;
        KNUDSEN_SIMD
        for (int l = 0; l < Lanes; ++l) {
          const Real polynomial = plane.lane[l] + z * (z * square.lane[l] + linear.lane[l]);
          corrected.lane[l] = value.lane[l] + polynomial;
          if constexpr (Weighted) {
            corrected.lane[l] =
                value.lane[l] + (polynomial * (1 + e * value.lane[l]) + (push + force[2] * z));
          }
        }
        for (int l = 0; l < Lanes; ++l) {
          result[l].value[k] = padding ? Real(0) : corrected.lane[l];
        }
      }
      KNUDSEN_UNROLL
      for (int l = 0; l < Lanes; ++l) {
        if (l < cells.count) {
          *reinterpret_cast<Access<Real>*>(to + static_cast<std::ptrdiff_t>(l) * v.size() +
                                           chunk * width) = result[l];
        }
      }
      if constexpr (!on_host) {
        if (goes_on) keep(scratch, coming, place, loaded);
      }
    });
  }
};

/// The inverse of the matrix of eq. (26) at equilibrium, or zero where nothing is to be corrected.
template <class ExecutionSpace, class Real>
void invert_matrix(const State<ExecutionSpace, Real>& state, Conservation conservation,
                   Real (&inverse)[invariants][invariants]) {
  double products[product_moments];
  std::copy(std::begin(state.equilibrium_moments), std::end(state.equilibrium_moments), products);
  for (int b = 0; b < invariants; ++b) {
    double column[invariants] = {};
    if (conservation != Conservation::none) {
      column[b] = 1;
      solve_correction(products, column);
    }
    for (int a = 0; a < invariants; ++a) inverse[a][b] = static_cast<Real>(column[a]);
  }
}

/// Groups of cells side by side in a strip: what a GPU works on at once is then about as high as it
/// is wide.
constexpr int strip_width = 10;

/// Launches with `Lanes` cells a team, or with fewer where the scratch memory does not hold them.
template <int Lanes, bool Streamed, class ExecutionSpace, class Real>
void launch(const StepContext<ExecutionSpace>& context, const State<ExecutionSpace, Real>& state,
            const CollisionSets<ExecutionSpace, Real>& sets, int set) {
  const auto run = [&](auto is_weighted) {
    using Kernel = CollideCells<ExecutionSpace, Real, Lanes, is_weighted, Streamed>;
    const int team_size = std::min(context.tuning.team_size, Kernel::most_threads);
    const std::size_t bytes = Kernel::scratch_bytes(state.velocities, sets.samples, team_size);
    if constexpr (Lanes > 1 && !is_host_backend<ExecutionSpace>) {
      const bool wanted = context.tuning.lanes == 0 || context.tuning.lanes >= Lanes;
      if (!wanted || bytes > most_block_scratch<ExecutionSpace>()) {
        launch<Lanes / 2, Streamed>(context, state, sets, set);
        return;
      }
    }
    const int blocks = Streamed ? (state.cells[0] + Lanes - 1) / Lanes * state.cells[1]
                                : (state.cell_count() + Lanes - 1) / Lanes;
    const auto& v = state.velocities;
    const int row_chunks = v.row_length / Kernel::width;
    Kernel kernel{state,
                  sets,
                  set,
                  context.collision,
                  blocks,
                  strip_width,
                  1 / static_cast<float>(row_chunks),
                  1 / static_cast<float>(v.count[1]),
                  {}};
    invert_matrix(state, context.collision.conservation, kernel.inverse_matrix);
    launch_blocks("knudsen/boltzmann/collide", context.execution, blocks, team_size, bytes, kernel);
  };
  if (context.collision.conservation == Conservation::distribution) {
    run(std::true_type{});
  } else {
    run(std::false_type{});
  }
}

template <class ExecutionSpace, class Real>
constexpr int most_lanes() {
  return is_host_backend<ExecutionSpace> ? 8 : values_per_access<Real>;
}

}  // namespace

template <class ExecutionSpace, class Real>
void collide(const StepContext<ExecutionSpace>& context, const State<ExecutionSpace, Real>& state,
             const CollisionSets<ExecutionSpace, Real>& sets, int set) {
  launch<most_lanes<ExecutionSpace, Real>(), false>(context, state, sets, set);
}

template <class ExecutionSpace, class Real>
bool streams_while_colliding(const State<ExecutionSpace, Real>& state) {
  return !is_host_backend<ExecutionSpace> && state.dimensions == 2 && state.order == 1;
}

template <class ExecutionSpace, class Real>
void stream_and_collide(const StepContext<ExecutionSpace>& context,
                        State<ExecutionSpace, Real>& state,
                        const CollisionSets<ExecutionSpace, Real>& sets, int set) {
  if constexpr (!is_host_backend<ExecutionSpace>) {
    if (streams_while_colliding(state)) {
      launch<most_lanes<ExecutionSpace, Real>(), true>(context, state, sets, set);
      std::swap(state.h, state.next);
      return;
    }
  }
  stream(context, state);
  collide(context, state, sets, set);
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                                  \
  template void collide<ExecutionSpace, Real>(const StepContext<ExecutionSpace>&,                  \
                                              const State<ExecutionSpace, Real>&,                  \
                                              const CollisionSets<ExecutionSpace, Real>&, int);    \
  template bool streams_while_colliding<ExecutionSpace, Real>(const State<ExecutionSpace, Real>&); \
  template void stream_and_collide<ExecutionSpace, Real>(                                          \
      const StepContext<ExecutionSpace>&, State<ExecutionSpace, Real>&,                            \
      const CollisionSets<ExecutionSpace, Real>&, int);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::boltzmann
