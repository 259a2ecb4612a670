#pragma once

#include "device/kokkos.hpp"

namespace knudsen::bgkw {

/// Number of partial sums (columns) that a team keeps in scratch memory for each sum.
inline constexpr int sum_columns = 128;
/// Number of intermediate sums to which the columns are reduced before the final one.
inline constexpr int sum_pieces = 16;

/// Bytes of scratch memory that team_sum needs for `count` sums in precision Real.
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

/// Adds to `sums`, over the threads of a team, the numbers that body(partial) accumulates on each
/// thread in precision Real. The reduction over threads ends in double precision, in an order that
/// depends on the team size only. Only threads with rank < `readers` receive the sums. Takes
/// scratch memory (see team_sum_bytes); there is no barrier at the end.
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

}  // namespace knudsen::bgkw
