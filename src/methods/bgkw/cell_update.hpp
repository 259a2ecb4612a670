#pragma once

#include "methods/bgkw/step.hpp"
#include "methods/bgkw/streaming.hpp"

namespace knudsen::bgkw {

/// In place of Streaming: the cell's own values, for a collision without streaming.
template <class ExecutionSpace, class Real>
struct Staying {
  const Real* values;

  KOKKOS_INLINE_FUNCTION Staying(const PhaseSpace<ExecutionSpace, Real>& space, int index)
      : values(&space.f(index, 0)) {}

  KOKKOS_INLINE_FUNCTION void operator()(const Chunk& chunk, Real* chunk_values) const {
    constexpr int width = chunk_width<ExecutionSpace, Real>;
    static_assert(width > 0, "the host reads in place");
    const auto read = *reinterpret_cast<const Access<Real>*>(values + chunk.row + chunk.begin);
    for (int k = 0; k < width; ++k) chunk_values[k] = read.value[k];
  }
};

/// One cell a team: streams its values (or takes them as they are), reduces their moments, finds
/// the target of the relaxation, and writes the relaxed values. Between the two passes the values
/// stand in scratch memory on a GPU, on the host (and where scratch is too small) in the row that
/// is written in the end, which is in the cache then.
template <class ExecutionSpace, class Real, int Dimensions, CollisionModel Model>
struct CellUpdate {
  static constexpr bool streams = Dimensions > 0;
  static constexpr int width = chunk_width<ExecutionSpace, Real>;
  static constexpr int scratch_alignment = 16;
  using Moments = RawMoments<moments_needed(Model)>;

  PhaseSpace<ExecutionSpace, Real> space;
  Collision collision;
  bool forced;
  bool in_scratch;  ///< the values between the two passes

  /// Scratch: the values between the passes; per component a table of the Maxwellian's factors,
  /// and the same for the body force; the target.
  KOKKOS_INLINE_FUNCTION static int table_length(
      const VelocitySpace<ExecutionSpace, Real>& velocities) {
    return velocities.count[0] + velocities.count[1] + velocities.row_length;
  }
  static std::size_t scratch_bytes(const VelocitySpace<ExecutionSpace, Real>& velocities,
                                   bool with_values) {
    const int values = (with_values ? velocities.size() : 0) + 2 * table_length(velocities);
    return static_cast<std::size_t>(values) * sizeof(Real) + sizeof(CellTarget<Real>) +
           std::size_t{3} * scratch_alignment;
  }
  template <class Value>
  KOKKOS_INLINE_FUNCTION static Value* take_scratch(const TeamMember<ExecutionSpace>& team,
                                                    int count) {
    return static_cast<Value*>(team.team_scratch(0).get_shmem_aligned(
        count * static_cast<int>(sizeof(Value)), scratch_alignment));
  }

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const auto& v = space.velocities;
    const int cell = team.league_rank();
    Real* out = streams ? &space.next(cell, 0) : &space.f(cell, 0);
    Real* held = in_scratch ? take_scratch<Real>(team, v.size()) : out;
    Real* tables = take_scratch<Real>(team, 2 * table_length(v));
    auto* shared_target = take_scratch<CellTarget<Real>>(team, 1);
    const int chunks = chunk_count<ExecutionSpace, Real>(v);

    // Algorithm 2, lines 1 to 6, on values that Algorithm 1 gives.
    const auto moments = take_values(team, cell, chunks, held);

    // Lines 7 to 9.
    Kokkos::single(Kokkos::PerTeam(team),
                   [&]() { *shared_target = cell_target<Model>(v, moments, collision); });
    team.team_barrier();
    const CellTarget<Real> target = *shared_target;
    fill_tables(team, target, tables);
    team.team_barrier();

    // Lines 10 to 14.
    team_each(team, chunks, [&](int index) {
      const Chunk chunk = make_chunk(v, index);
      relax(target, tables, chunk, held + chunk.row + chunk.begin, out + chunk.row + chunk.begin);
    });
  }

 private:
  KOKKOS_INLINE_FUNCTION Moments take_values(const TeamMember<ExecutionSpace>& team, int cell,
                                             int chunks, Real* held) const {
    const auto& v = space.velocities;
    const auto with = [&](const auto& values_of) {
      return team_sum<Moments>(team, chunks, [&](int index, Moments& partial) {
        const Chunk chunk = make_chunk(v, index);
        RowSums<Real> row;
        Real* place = held + chunk.row + chunk.begin;
        if constexpr (width > 0) {
          Access<Real> values;
          values_of(chunk, values.value);
          *reinterpret_cast<Access<Real>*>(place) = values;
          sum_lanes<Moments::powers>(v, chunk.begin, values.value, row.power);
        } else {
          values_of(chunk, place);
          sum_lanes<Moments::powers>(v, chunk.begin, place, row.power);
        }
        partial.add_row(v.nodes[0](chunk.i), v.nodes[1](chunk.j),
                        double(v.weights[0](chunk.i)) * double(v.weights[1](chunk.j)), row);
      });
    };
    if constexpr (streams) {
      return with(Streaming<ExecutionSpace, Real, Dimensions>(space, cell));
    } else if constexpr (width > 0) {
      return with(Staying<ExecutionSpace, Real>(space, cell));
    } else {
      return with([](const Chunk&, Real*) {});
    }
  }

  /// For each component the factors of the Maxwellian, the amplitude with those of x; then what the
  /// body force makes of them: exp of the shifted over that of the plain exponent, less one.
  KOKKOS_INLINE_FUNCTION void fill_tables(const TeamMember<ExecutionSpace>& team,
                                          const CellTarget<Real>& target, Real* tables) const {
    const auto& v = space.velocities;
    const Maxwellian& m = target.maxwellian;
    const int table = table_length(v);
    const bool plain = Model == CollisionModel::bgk && !forced;
    team_each(team, table, [&](int n) {
      const int d = n < v.count[0] ? 0 : (n < v.count[0] + v.count[1] ? 1 : 2);
      const int i = n - (d > 0 ? v.count[0] : 0) - (d > 1 ? v.count[1] : 0);
      if (i >= v.count[d]) {
        tables[n] = 0;
        tables[table + n] = 0;
        return;
      }
      const double node = v.nodes[d](i);
      double factor = m.factor(d, node);
      if (d == 0) factor *= plain ? m.amplitude * target.gone : m.amplitude;
      tables[n] = static_cast<Real>(factor);
      if (forced) {
        const double gain = collision.velocity_gain[d];
        tables[table + n] = static_cast<Real>(
            std::expm1(gain * (2 * (node - m.velocity[d]) - gain) / m.temperature));
      }
    });
  }

  KOKKOS_INLINE_FUNCTION void relax(const CellTarget<Real>& target, const Real* tables,
                                    const Chunk& chunk, const Real* from, Real* to) const {
    const auto& v = space.velocities;
    const int first_z = v.count[0] + v.count[1];
    const Real keep = static_cast<Real>(target.keep);
    const Real row = tables[chunk.i] * tables[v.count[0] + chunk.j];
    const Real* factor_z = tables + first_z + chunk.begin;
    if (Model == CollisionModel::bgk && !forced) {
      write(from, to, [&](int k, Real value) { return keep * value + row * factor_z[k]; });
      return;
    }
    const Real gone = static_cast<Real>(target.gone);
    const Real* force = tables + first_z + v.row_length;
    const Real force_x = forced ? force[chunk.i] : Real(0);
    const Real force_y = forced ? force[v.count[0] + chunk.j] : Real(0);
    const Real force_row = force_x + force_y + force_x * force_y;
    const Real* force_z = force + first_z + chunk.begin;
    const Real* z = &v.nodes[2](0) + chunk.begin;
    const Real cx = v.nodes[0](chunk.i) - target.velocity[0];
    const Real cy = v.nodes[1](chunk.j) - target.velocity[1];
    const auto forcing = [&](int k) {
      return forced ? force_row + force_z[k] + force_row * force_z[k] : Real(0);
    };
    if constexpr (Model == CollisionModel::es_bgk) {
      const Real* form = target.form;
      const Real along = form[0] * cx * cx + form[1] * cy * cy + 2 * form[3] * cx * cy;
      const Real cross = 2 * (form[5] * cx + form[4] * cy);
      const int count = v.count[2] - chunk.begin;
      write(from, to, [&](int k, Real value) {
        const Real cz = z[k] - target.velocity[2];
        const Real gaussian =
            target.gaussian_amplitude * math::exp(-(along + cz * (cross + form[2] * cz)));
        return k < count ? keep * value + gone * gaussian + row * factor_z[k] * forcing(k)
                         : Real(0);
      });
    } else {
      // The polynomial is zero for BGK.
      const Real flux_row = target.shakhov[0] * cx + target.shakhov[1] * cy;
      const Real square_row = cx * cx + cy * cy;
      write(from, to, [&](int k, Real value) {
        const Real cz = z[k] - target.velocity[2];
        const Real polynomial = (flux_row + target.shakhov[2] * cz) *
                                (target.shakhov_width * (square_row + cz * cz) - 5);
        return keep * value + row * factor_z[k] * (gone + gone * polynomial + forcing(k));
      });
    }
  }

  template <class Lane>
  KOKKOS_FORCEINLINE_FUNCTION void write(const Real* from, Real* to, const Lane& lane) const {
    if constexpr (width > 0) {
      auto values = *reinterpret_cast<const Access<Real>*>(from);
      for (int k = 0; k < width; ++k) values.value[k] = lane(k, values.value[k]);
      *reinterpret_cast<Access<Real>*>(to) = values;
    } else {
      for_lanes<width>(space.velocities.row_length, [&](int k) { to[k] = lane(k, from[k]); });
    }
  }
};

template <class ExecutionSpace, class Real, int Dimensions, CollisionModel Model>
void run_cell_update(const char* label, const StepContext<ExecutionSpace>& context,
                     const PhaseSpace<ExecutionSpace, Real>& space) {
  using Kernel = CellUpdate<ExecutionSpace, Real, Dimensions, Model>;
  TeamPolicy<ExecutionSpace> policy(context.execution, space.cell_count(), context.tuning.team_size,
                                    1);
  bool in_scratch = !is_host_backend<ExecutionSpace>;
  std::size_t bytes = Kernel::scratch_bytes(space.velocities, in_scratch);
  if (in_scratch && bytes > static_cast<std::size_t>(policy.scratch_size_max(0))) {
    in_scratch = false;
    bytes = Kernel::scratch_bytes(space.velocities, false);
  }
  policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(bytes)));
  const double* gain = context.collision.velocity_gain;
  const bool forced = gain[0] != 0 || gain[1] != 0 || gain[2] != 0;
  Kokkos::parallel_for(label, policy, Kernel{space, context.collision, forced, in_scratch});
}

}  // namespace knudsen::bgkw
