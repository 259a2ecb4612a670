#include "methods/shakhov/rank_sums.hpp"

#include <algorithm>

#include "device/instantiate.hpp"

namespace knudsen::shakhov {
namespace {

constexpr std::int64_t max_piece = std::int64_t{1} << 18;

/// The sums of a SweepSpace, numbered through.
struct Sums {
  double* high[3];      ///< high parts in `moments`, `flux` and `far_flux`
  std::int64_t end[3];  ///< number of the sum after the last one in each of them
  double* low;          ///< all low parts

  KOKKOS_INLINE_FUNCTION double& high_part(std::int64_t number) const {
    if (number < end[0]) return high[0][number];
    return number < end[1] ? high[1][number - end[0]] : high[2][number - end[1]];
  }
};

/// Kernels over the sums from `first` on. A buffer of parts has the high ones, then, from `low_at`
/// on, the low ones.
struct PackParts {
  Sums sums;
  std::int64_t first, low_at;
  double* buffer;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    buffer[i] = sums.high_part(first + i);
    buffer[low_at + i] = sums.low[first + i];
  }
};
struct AddParts {
  Sums sums;
  std::int64_t first, low_at;
  const double* buffer;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    sums.high_part(first + i) += buffer[i];
    sums.low[first + i] += buffer[low_at + i];
  }
};
struct PackTotals {
  Sums sums;
  std::int64_t first;
  double* buffer;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    buffer[i] = sums.high_part(first + i) + sums.low[first + i];
  }
};
struct TakeTotals {
  Sums sums;
  std::int64_t first;
  const double* buffer;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    sums.high_part(first + i) = buffer[i];
    sums.low[first + i] = 0;
  }
};
struct FormTotals {
  Sums sums;
  std::int64_t first;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    sums.high_part(first + i) += sums.low[first + i];
    sums.low[first + i] = 0;
  }
};

template <class ExecutionSpace, class Real>
Sums sums_of(const SweepSpace<ExecutionSpace, Real>& space) {
  const auto moments = static_cast<std::int64_t>(space.moments.span());
  const auto fluxes = static_cast<std::int64_t>(space.flux.span());
  return {{space.moments.data(), space.flux.data(), space.far_flux.data()},
          {moments, moments + fluxes, static_cast<std::int64_t>(space.low_parts.extent(0))},
          space.low_parts.data()};
}

}  // namespace

template <class ExecutionSpace, class Real>
RankSums<ExecutionSpace, Real>::RankSums(const SweepSpace<ExecutionSpace, Real>& space,
                                         int first_tag) {
  const Communicator& ranks = world();
  const auto count = static_cast<std::int64_t>(space.low_parts.extent(0));
  piece_ = std::min(max_piece, (count + ranks.size() - 1) / ranks.size());
  const auto size = static_cast<std::size_t>(piece_);
  for (int rank = 0; rank < ranks.size(); ++rank) {
    if (rank == ranks.rank()) continue;
    Other other{};
    other.rank = rank;
    other.to = parts_.template add_send<double>(rank, first_tag, 2 * size);
    other.from = parts_.template add_receive<double>(rank, first_tag, 2 * size);
    other.total = totals_.template add_send<double>(rank, first_tag + 1, size);
    other.totals = totals_.template add_receive<double>(rank, first_tag + 1, size);
    others_.push_back(other);
  }
}

template <class ExecutionSpace, class Real>
void RankSums<ExecutionSpace, Real>::add_up(const ExecutionSpace& execution,
                                            const SweepSpace<ExecutionSpace, Real>& space) {
  if (others_.empty()) return;
  const Sums sums = sums_of(space);
  const Communicator& ranks = world();
  for (std::int64_t begin = 0; begin < sums.end[2]; begin += piece_ * ranks.size()) {
    const auto first_of = [&](int rank) { return begin + piece_ * rank; };
    const auto launch = [&](const char* name, int rank, const auto& kernel) {
      const std::int64_t count = std::clamp<std::int64_t>(sums.end[2] - first_of(rank), 0, piece_);
      Kokkos::parallel_for(
          name,
          Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(execution, 0, count),
          kernel);
    };
    const int own = ranks.rank();
    const std::int64_t own_first = first_of(own);
    for (const Other& other : others_) {
      launch("knudsen/shakhov/pack_parts", other.rank,
             PackParts{sums, first_of(other.rank), piece_, parts_.buffer(other.to)});
    }
    parts_.begin(execution);
    parts_.end(execution);
    for (const Other& other : others_) {
      launch("knudsen/shakhov/add_parts", own,
             AddParts{sums, own_first, piece_, parts_.buffer(other.from)});
    }
    for (const Other& other : others_) {
      launch("knudsen/shakhov/pack_totals", own,
             PackTotals{sums, own_first, totals_.buffer(other.total)});
    }
    launch("knudsen/shakhov/form_totals", own, FormTotals{sums, own_first});
    totals_.begin(execution);
    totals_.end(execution);
    for (const Other& other : others_) {
      const std::int64_t first = first_of(other.rank);
      launch("knudsen/shakhov/take_totals", other.rank,
             TakeTotals{sums, first, totals_.buffer(other.totals)});
    }
  }
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                                  \
  template RankSums<ExecutionSpace, Real>::RankSums(const SweepSpace<ExecutionSpace, Real>&, int); \
  template void RankSums<ExecutionSpace, Real>::add_up(const ExecutionSpace&,                      \
                                                       const SweepSpace<ExecutionSpace, Real>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::shakhov
