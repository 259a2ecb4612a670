#pragma once

#include "core/error.hpp"
#include "device/async_copy.hpp"
#include "methods/bgkw/kernels.hpp"
#include "methods/bgkw/team_moments.hpp"

namespace knudsen::bgkw {

/// Whether the relaxation after a streaming is implicit; else it is exact.
template <class Values>
inline constexpr bool relaxes_implicitly = false;
/// Whether the cells are those of a list, which is the `choice`; else they are all.
template <class Values>
inline constexpr bool is_listed = false;

/// Update of one cell by a team: streams its values (or loads them as they are), reduces their
/// moments, computes the target of the relaxation and writes the relaxed values. Between the two
/// passes over the velocities the values are kept in scratch memory on a GPU (InScratch). On the
/// host and where scratch memory is too small they are kept in the output, which is in the cache.
template <class ExecutionSpace, class Real, class Values, class Model, bool Conservative,
          bool InScratch>
struct CellUpdate {
  static constexpr int width = lane_count<ExecutionSpace, Real>;
  static constexpr int moment_count = Model::moments;
  /// A conservative Maxwellian is fitted to the invariants; other targets get a correction.
  static constexpr bool corrects = Conservative && !Model::is_maxwellian;
  using Target = CellTarget<Model, Real>;
  using Moments = RawMoments<moment_count>;

  PhaseSpace<ExecutionSpace, Real> space;
  Collision collision;
  typename Values::Choice
      choice;   ///< the axis along which the cell is streamed, if one; or a stage
  bool forced;  ///< there is a body force

  /// Factors of the Maxwellian. With a body force a second object holds the relative change of each
  /// factor when the Maxwellian is shifted by force x time step: shifted over unshifted, less one.
  struct Tables {
    Real* plane;         ///< product of the y and z factors
    Real* component[3];  ///< factors along x, y, z
  };

  KOKKOS_INLINE_FUNCTION static int table_length(const VelocitySpace<ExecutionSpace, Real>& v) {
    return v.plane + v.count[0] + v.count[1] + v.row_length;
  }
  std::size_t scratch_bytes(int team_size) const {
    const auto& v = space.velocities;
    const int values = (InScratch ? v.size() : 0) + (forced ? 2 : 1) * table_length(v);
    constexpr std::size_t alignments = 64;  // four of sixteen bytes
    std::size_t sums = team_sum_bytes<ExecutionSpace, Real>(moment_count, team_size);
    if (corrects) sums += team_sum_bytes<ExecutionSpace, Real>(5, team_size);
    return static_cast<std::size_t>(values) * sizeof(Real) + sizeof(Target) + sums + alignments;
  }
  KOKKOS_INLINE_FUNCTION Tables take_tables(const StepMember<ExecutionSpace>& team) const {
    const auto& v = space.velocities;
    Real* start = take_scratch<Real>(team, table_length(v));
    Real* x = start + v.row_length + v.plane;
    return {start + v.row_length, {x, x + v.count[0], start}};
  }

  KOKKOS_INLINE_FUNCTION int cell_of(int rank) const {
    if constexpr (is_listed<Values>) {
      return choice(rank);
    } else {
      return space.cell_of(rank);
    }
  }
  int cell_count() const {
    if constexpr (is_listed<Values>) {
      return static_cast<int>(choice.extent(0));
    } else {
      return space.cell_count();
    }
  }

  KOKKOS_INLINE_FUNCTION void operator()(const StepMember<ExecutionSpace>& team) const {
    const auto& v = space.velocities;
    const int cell = cell_of(team.league_rank());
    if (space.is_solid(cell)) return;
    Real* out = Values::streams ? space.next_values(cell) : space.values(cell);
    Real* held = out;
    if constexpr (InScratch) held = take_scratch<Real>(team, v.size());
    const Tables factors = take_tables(team);
    const Tables kicks = forced ? take_tables(team) : factors;
    auto* shared_target = take_scratch<Target>(team, 1);

    // Algorithm 2, lines 1 to 6, on values streamed by Algorithm 1.
    const int entries = v.count[0] + v.count[1] + v.row_length;
    const Values streaming(space, cell, choice);
    const bool prefetches = is_host_backend<ExecutionSpace> && Values::streams;
    const Real* ahead = prefetches ? values_ahead(space, team.league_rank()) : nullptr;
    const auto moments =
        team_moments<moment_count>(team, entries, v, [&](const Segment& segment, const auto& add) {
          Real* place = held + segment.place;
          if constexpr (width > 0) {
            alignas(16) Real values[width];
            streaming(segment, values);
            write_lanes<width>(width, place, [&](int k) { return values[k]; });
            add(segment, values);
          } else {
            if (ahead != nullptr) {
              prefetch_on_host(ahead + segment.place,
                               static_cast<std::size_t>(segment.length) * sizeof(Real));
            }
            streaming(segment, place);
            add(segment, place);
          }
        });

    // Lines 7 to 9, by the threads that fill the tables.
    if (team.team_rank() < entries) {
      const Target target = cell_target<Model, Conservative, relaxes_implicitly<Values>>(
          v, macroscopic(v, moments), collision);
      fill_tables(team, entries, target.maxwellian, factors, kicks);
      if (team.team_rank() == 0) *shared_target = target;
    }
    team.team_barrier();
    // Without a force GPU threads multiply the factors of a Maxwellian target themselves.
    if (width == 0 || !Model::is_maxwellian || forced) {
      fill_planes(team, factors, kicks);
      team.team_barrier();
    }
    if constexpr (corrects) {
      correct(team, moments, factors, kicks, shared_target);
    }

    // Lines 10 to 14.
    const Target target = *shared_target;
    const Segments<ExecutionSpace, Real> segments(team, v);
    if (Model::is_maxwellian && !forced) {
      const Lanes<width, Real> z(factors.component[2] + segments.begin);
      segments.each([&](const Segment& segment) {
        const Lanes<width, Real> value(held + segment.place);
        Real row = target.relaxed_share * factors.component[0][segment.i];
        if constexpr (width > 0) {
          row *= factors.component[1][segment.j];
          write_lanes<width>(segment.length, out + segment.place,
                             [&](int k) { return target.kept_share * value[k] + row * z[k]; });
        } else {
          const Real* plane = factors.plane + segment.begin;
          write_lanes<width>(segment.length, out + segment.place,
                             [&](int k) { return target.kept_share * value[k] + row * plane[k]; });
        }
      });
      return;
    }
    segments.each([&](const Segment& segment) {
      if constexpr (width == 0) {
        // Local objects, and the force known to the compiler: else g++ makes no vectors of the
        // loop.
        const auto relax = [&](auto with_force) {
          const Relaxation relaxation(*this, target, factors, kicks, segment);
          const Real kept = target.kept_share;
          const Real share = target.relaxed_share;
          const Real* from = held + segment.place;
          Real* to = out + segment.place;
          KNUDSEN_SIMD
          for (int k = 0; k < segment.length; ++k) {
            to[k] = kept * from[k] + share * relaxation.target_at(k);
            if constexpr (decltype(with_force)::value) to[k] += relaxation.kick_at(k);
          }
        };
        if (forced) {
          relax(std::true_type{});
        } else {
          relax(std::false_type{});
        }
      } else {
        const Lanes<width, Real> value(held + segment.place);
        const Relaxation relaxation(*this, target, factors, kicks, segment);
        write_lanes<width>(segment.length, out + segment.place, [&](int k) {
          return target.kept_share * value[k] + target.relaxed_share * relaxation.target_at(k) +
                 relaxation.kick_at(k);
        });
      }
    });
  }

 private:
  KOKKOS_INLINE_FUNCTION void fill_tables(const StepMember<ExecutionSpace>& team, int entries,
                                          const Maxwellian& m, const Tables& factors,
                                          const Tables& kicks) const {
    const auto& v = space.velocities;
    team_each(team, entries, [&](int n) {
      const int d = n < v.count[0] ? 0 : (n < v.count[0] + v.count[1] ? 1 : 2);
      const int i = n - (d > 0 ? v.count[0] : 0) - (d > 1 ? v.count[1] : 0);
      const auto of = [&](const Tables& tables) {
        return d == 0 ? tables.component[0] : (d == 1 ? tables.component[1] : tables.component[2]);
      };
      const Real amplitude = d == 0 ? static_cast<Real>(m.amplitude) : Real(1);
      of(factors)[i] = amplitude * v.factor(m, d, i);
      if (forced) {
        const double gain = collision.velocity_gain[d];
        const double node = v.nodes[d](i);
        of(kicks)[i] = static_cast<Real>(
            std::expm1(gain * (2 * (node - m.velocity[d]) - gain) / m.temperature));
      }
    });
  }

  KOKKOS_INLINE_FUNCTION void fill_planes(const StepMember<ExecutionSpace>& team,
                                          const Tables& factors, const Tables& kicks) const {
    const auto& v = space.velocities;
    const int part = width > 0 ? width : v.row_length;
    team_each(team, v.plane / part, [&](int n) {
      const int j = n * part / v.row_length;
      const int first = n * part - j * v.row_length;
      const Real y = factors.component[1][j];
      const Real* z = factors.component[2] + first;
      Real* to = factors.plane + n * part;
      for_lanes<width>(part, [&](int k) { to[k] = y * z[k]; });
      if (!forced) return;
      const Real kick = kicks.component[1][j];
      z = kicks.component[2] + first;
      to = kicks.plane + n * part;
      for_lanes<width>(part, [&](int k) { to[k] = kick + z[k] + kick * z[k]; });
    });
  }

  /// The target and the effect of the force at the velocities of a segment, for any model.
  struct Relaxation {
    const Target& target;
    int integrated;                    ///< number of components integrated out
    bool forced;                       ///< there is a body force
    Lanes<width, Real> plane;          ///< product of the Maxwellian's y and z factors
    Lanes<width, Real> kick;           ///< its relative change by the force
    Lanes<width, Real> y;              ///< v_y
    Lanes<width, Real> z;              ///< v_z
    Lanes<width, Real> weight;         ///< of y and z, in the sum of f
    Lanes<width, Real> square_weight;  ///< of y and z, in the sum of v_z^2 f
    Real row;                          ///< the Maxwellian's x factor, amplitude included
    Real kick_x;                       ///< its relative change by the force
    Real cx;                           ///< v_x less the mean velocity along x
    const Real* rotation = nullptr;    ///< weight of y and z in the sum of the rotational energy

    KOKKOS_FORCEINLINE_FUNCTION Relaxation(const CellUpdate& update, const Target& to,
                                           const Tables& factors, const Tables& kicks,
                                           const Segment& segment)
        : target(to),
          integrated(update.space.velocities.integrated),
          forced(update.forced),
          plane(factors.plane + segment.begin),
          kick(kicks.plane + segment.begin),
          y(update.space.velocities.y.data() + segment.begin),
          z(update.space.velocities.z.data() + segment.begin),
          weight(update.space.velocities.weight.data() + segment.begin),
          square_weight(update.space.velocities.square_weight.data() + segment.begin),
          row(factors.component[0][segment.i]),
          kick_x(update.forced ? kicks.component[0][segment.i] : Real(0)),
          cx(update.space.velocities.nodes[0](segment.i) - to.velocity[0]) {
      if constexpr (Model::rotates) {
        rotation = update.space.velocities.rotation_weight.data() + segment.begin;
      }
    }

    /// c_z^2. If components are integrated out: the mean of the sum of their squares.
    KOKKOS_FORCEINLINE_FUNCTION Real square_z(int k) const {
      const Real cz = z[k] - target.velocity[2];
      if (integrated == 0) return cz * cz;
      const int moments = weight[k] > 0 ? integrated : integrated + 2;
      return static_cast<Real>(moments) * target.half_temperature;
    }

    KOKKOS_FORCEINLINE_FUNCTION Real target_at(int k) const {
      const Real maxwellian = row * plane[k];
      const Real cy = y[k] - target.velocity[1];
      const Real cz = z[k] - target.velocity[2];
      const Real square = cx * cx + cy * cy + square_z(k);
      Real result = Model::value(target, maxwellian, cx, cy, cz, square, [&](Real variance) {
        if constexpr (Model::rotates) {
          if (rotation[k] > 0) return target.own.rotation;
        }
        return weight[k] > 0 ? Real(1) : (square_weight[k] > 0 ? variance : Real(0));
      });
      if constexpr (corrects) {
        const Real* b = target.correction;
        const Real added = maxwellian * (b[0] + b[1] * cx + b[2] * cy + b[3] * cz + b[4] * square);
        result += Model::rotates && rotation[k] > 0 ? Real(0) : added;
      }
      return result;
    }

    /// The Maxwellian shifted by force x time step, less the Maxwellian.
    KOKKOS_FORCEINLINE_FUNCTION Real kick_at(int k) const {
      return forced ? row * plane[k] * (kick_x + kick[k] + kick_x * kick[k]) : Real(0);
    }
  };

  /// Adds the target of a segment to moments, on the host by parts of it that fit on the stack.
  template <class Add>
  KOKKOS_FORCEINLINE_FUNCTION void add_target(const Target& target, const Tables& factors,
                                              const Tables& kicks, const Segment& segment,
                                              const Add& add) const {
    constexpr int part = width > 0 ? width : 64;
    for (int begin = 0; begin < segment.length; begin += part) {
      const int length = segment.length - begin < part ? segment.length - begin : part;
      const Segment here{segment.i, segment.j, segment.begin + begin, length,
                         segment.place + begin};
      const Relaxation relaxation(*this, target, factors, kicks, here);
      alignas(16) Real values[part];
      for_lanes<width>(length, [&](int k) { values[k] = relaxation.target_at(k); });
      add(here, values);
    }
  }

  /// Sets the correction that makes the discrete invariants of the target those of the gas.
  KOKKOS_INLINE_FUNCTION void correct(const StepMember<ExecutionSpace>& team,
                                      const Moments& moments, const Tables& factors,
                                      const Tables& kicks, Target* shared_target) const {
    const auto& v = space.velocities;
    const Target target = *shared_target;
    // Moments of the uncorrected target.
    const auto found = team_moments<5>(team, 1, v, [&](const Segment& segment, const auto& add) {
      // g++ makes vectors of the loop if the target is a local object. On a short row the copy
      // costs more than they gain (1D, reduced: 12 % of a step).
      if (width == 0 && segment.length >= 8) {
        const Target own = target;
        add_target(own, factors, kicks, segment, add);
      } else {
        add_target(target, factors, kicks, segment, add);
      }
    });
    if (team.team_rank() == 0) {
      const Macroscopic state = macroscopic(v, moments);
      const double* m = moments.value;
      RawMoments<5> missing;
      for (int i = 0; i < 4; ++i) missing.value[i] = m[i] - found.value[i];
      missing.value[4] = m[4] + m[5] + m[6] - found.value[4];
      if constexpr (Model::rotates) {
        // The rotational energy of the target is made exact by its factor.
        Real& rotation = shared_target->own.rotation;
        rotation = static_cast<Real>(double(rotation) * m[0] / found.value[0]);
        const double gained = (double(rotation) - double(target.own.rotation)) * found.value[0];
        missing.value[4] += m[13] - gained;
      }
      invariant_correction(v, state, missing, shared_target->correction);
    }
    team.team_barrier();
  }
};

template <bool Conservative, class Values, class Model, class ExecutionSpace, class Real>
void run_cell_update(const char* label, const StepContext<ExecutionSpace>& context,
                     const PhaseSpace<ExecutionSpace, Real>& space,
                     const typename Values::Choice& choice) {
  const double* gain = context.collision.velocity_gain;
  const bool forced = gain[0] != 0 || gain[1] != 0 || gain[2] != 0;
  const auto run = [&](auto in_scratch) {
    using Kernel = CellUpdate<ExecutionSpace, Real, Values, Model, Conservative, in_scratch>;
    const Kernel kernel{space, context.collision, choice, forced};
    const int size = context.tuning.update_size;
    auto policy = sized_policy(context, kernel.cell_count(), size);
    const std::size_t bytes = kernel.scratch_bytes(size);
    if (bytes > static_cast<std::size_t>(policy.scratch_size_max(0))) return false;
    policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(bytes)));
    Kokkos::parallel_for(label, policy, kernel);
    return true;
  };
  if constexpr (!is_host_backend<ExecutionSpace>) {
    if (run(std::true_type{})) return;
  }
  if (!run(std::false_type{})) {
    throw RunError(
        "the tables of the velocity grid exceed the scratch memory of a team; reduce \"count\" in "
        "\"velocity_grid\" or \"team_size\" in \"tuning\"");
  }
}

template <class Values, class Model, class ExecutionSpace, class Real>
void run_cell_update(const char* label, const StepContext<ExecutionSpace>& context,
                     const PhaseSpace<ExecutionSpace, Real>& space,
                     const typename Values::Choice& choice) {
  if (context.collision.conservative) {
    return run_cell_update<true, Values, Model>(label, context, space, choice);
  }
  run_cell_update<false, Values, Model>(label, context, space, choice);
}

template <class Model, class ExecutionSpace, class Real>
void update_cells(const StepContext<ExecutionSpace>& context,
                  const PhaseSpace<ExecutionSpace, Real>& space, bool streams, int axis) {
  const auto run = [&](auto values, const char* label) {
    using Values = typename decltype(values)::type;
    run_cell_update<Values, Model>(label, context, space, axis < 0 ? 0 : axis);
  };
  if (!streams) {
    return run(std::type_identity<NoStreaming<ExecutionSpace, Real>>{}, "knudsen/bgkw/collide");
  }
  dispatch_streaming(space, axis, [&](auto values) { run(values, "knudsen/bgkw/stream_collide"); });
}

}  // namespace knudsen::bgkw
