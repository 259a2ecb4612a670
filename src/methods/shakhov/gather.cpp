#include "methods/shakhov/gather.hpp"

#include <type_traits>

#include "device/instantiate.hpp"

namespace knudsen::shakhov {
namespace {

/// One work item for each cell and moment.
template <class ExecutionSpace, class Real, int Moments>
struct GatherMoments {
  SweepSpace<ExecutionSpace, Real> space;
  SweepStorage<ExecutionSpace, Real> storage;
  Batch batch;
  Diagonal diagonal;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t work) const {
    const int moment = static_cast<int>(work % Moments);
    const auto cell = static_cast<int>(work / Moments);
    const int in_tile = cell % storage.tile_cells();
    const int x = cell / storage.tile_cells() % space.cells[0];
    const Pencil pencil(space, storage, diagonal, cell / storage.tile_cells() / space.cells[0]);
    const int a = in_tile % storage.tile[0];
    const int b = in_tile / storage.tile[0];
    if (a >= pencil.count[0] || b >= pencil.count[1]) return;
    const int at[3] = {x, pencil.at(0, a), pencil.at(1, b)};
    const int index = space.cell_index(at[0], at[1], at[2]);
    if ((space.cell_class(index) & solid_bit) != 0) return;

    const std::size_t stride = std::size_t(diagonal.pencils) * std::size_t(space.cells[0]) *
                               std::size_t(storage.tile_cells()) * block_sum_count;
    const Real* partial =
        storage.partial_of(space, diagonal, 0, 0, 0, 0, 0) + std::size_t(cell) * block_sum_count;
    // With y and z integrated out, the sum for z^2 holds both second moments; they are equal.
    const bool halved = space.velocities.integrated == 2 && (moment == 5 || moment == 6);
    const int first = first_block_sum(halved ? 6 : moment);
    const int second = second_block_sum(moment);
    const SumRounding rounding = space.rounding[moment];
    SplitSum sums[2];  // velocities with negative and positive x component
    // A batch may hold blocks of two octants: first those of its first octant, then the others.
    const int octant_blocks = space.octant_blocks();
    const int first_octant = batch.first_block / octant_blocks;
    const int of_first = (first_octant + 1) * octant_blocks - batch.first_block;
    for (int part = 0; part < 2; ++part) {
      const int begin = part == 0 ? 0 : of_first;
      const int end = part == 0 && of_first < batch.blocks ? of_first : batch.blocks;
      SplitSum& sum = sums[(first_octant + part) & 1];
      const int split = rotates ? first_rotational(part, begin, end) : end;
      for (int n = begin; n < split && (!rotates || moment < moment_count); ++n) {
        const Real* of_block = partial + std::size_t(n) * stride;
        double value = double(of_block[first]);
        if (second >= 0) value += double(of_block[second]);
        if (halved) value *= 0.5;
        sum.add(value, rounding);
      }
      if (!rotates || moment < first_with_rotation) continue;
      const int of_rotation = first_block_sum(moment < moment_count ? moment - 9 : 0);
      for (int n = split; n < end; ++n) {
        sum.add(double(partial[std::size_t(n) * stride + std::size_t(of_rotation)]), rounding);
      }
    }
    for (const SplitSum& sum : sums) space.add_to_moment(index, moment, sum);
    if ((space.cell_class(index) & cut_bit) != 0 && moment < flux_count) {
      add_facet_flux(index, moment, stride, partial);
    }
    if (space.order == 1 && (space.cell_class(index) & side_bits) == 0) return;
    for (int sign_x = 0; sign_x < 2; ++sign_x) {
      const int sign[3] = {sign_x, diagonal.sign[0], diagonal.sign[1]};
      if (moment != 0) add_to_fluxes(space, at, sign, moment, sums[sign_x]);
    }
  }

  static constexpr bool rotates = Moments > moment_count;

  /// The first raw moment that the rotational energy is part of: the sums of r v_x, r v_y, r v_z,
  /// then that of r.
  static constexpr int first_with_rotation = 10;

  /// Of the blocks from `begin` to `end` of the batch, which are of its first octant (part 0) or of
  /// the other one (part 1), the first one of r.
  KOKKOS_INLINE_FUNCTION int first_rotational(int part, int begin, int end) const {
    const int octant_blocks = space.octant_blocks();
    const int octant = (batch.first_block / octant_blocks + part) * octant_blocks;
    const int first = octant + space.first_rotational_block() - batch.first_block;
    return first < begin ? begin : first < end ? first : end;
  }

  /// Adds a flux onto the surface in a cut cell. `stride` is the distance between blocks in
  /// `partial`.
  KOKKOS_INLINE_FUNCTION void add_facet_flux(int cell, int flux, std::size_t stride,
                                             const Real* partial) const {
    SplitSum sum;
    for (int n = 0; n < batch.blocks; ++n) {
      const bool rotational = rotates && (batch.first_block + n) % space.octant_blocks() >=
                                             space.first_rotational_block();
      if (rotational && flux != flux_count - 1) continue;
      const Real* of_block = storage.facet_partial_of(partial + std::size_t(n) * stride);
      sum.add(double(of_block[rotational ? 0 : flux]), space.rounding[facet_moment(flux)]);
    }
    space.add_to_flux(space.faces(space.cell_class(cell) >> class_bits, facet_side), flux, sum);
  }
};

}  // namespace

template <class ExecutionSpace, class Real>
void gather_moments(const SweepContext<ExecutionSpace>& context,
                    const SweepSpace<ExecutionSpace, Real>& space,
                    const SweepStorage<ExecutionSpace, Real>& storage, const Batch& batch,
                    const Diagonal& diagonal) {
  // The number of moments is known at compile time, since each sum divides its number by it.
  const auto launch = [&](auto moments) {
    constexpr int count = decltype(moments)::value;
    const std::int64_t work =
        std::int64_t(diagonal.pencils) * space.cells[0] * storage.tile_cells() * count;
    Kokkos::parallel_for(
        "knudsen/shakhov/gather_moments",
        Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(context.execution, 0,
                                                                             work),
        GatherMoments<ExecutionSpace, Real, count>{space, storage, batch, diagonal});
  };
  if (space.distributions > 1) {
    launch(std::integral_constant<int, max_moment_count>());
  } else {
    launch(std::integral_constant<int, moment_count>());
  }
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                   \
  template void gather_moments<ExecutionSpace, Real>(                               \
      const SweepContext<ExecutionSpace>&, const SweepSpace<ExecutionSpace, Real>&, \
      const SweepStorage<ExecutionSpace, Real>&, const Batch&, const Diagonal&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::shakhov
