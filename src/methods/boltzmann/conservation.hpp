#pragma once

#include <KokkosBatched_LU_Decl.hpp>
#include <KokkosBatched_LU_Serial_Impl.hpp>
#include <KokkosBatched_Trsv_Decl.hpp>
#include <KokkosBatched_Trsv_Serial_Impl.hpp>

#include "methods/boltzmann/invariants.hpp"

namespace knudsen::boltzmann {

/// Solves eq. (26), sum_b <psi_a psi_b> c_b = rest_a, by LU factorisation without pivoting, since
/// the matrix is positive definite. `m` are the means of evaluate_products; c replaces `rest`.
template <class Real>
KOKKOS_INLINE_FUNCTION void solve_correction(const Real (&m)[product_moments],
                                             Real (&rest)[invariants]) {
  const Real trace = m[4] + m[5] + m[6];
  Real matrix[invariants][invariants] = {{m[0], m[1], m[2], m[3], trace},
                                         {m[1], m[4], m[7], m[9], m[10]},
                                         {m[2], m[7], m[5], m[8], m[11]},
                                         {m[3], m[9], m[8], m[6], m[12]},
                                         {trace, m[10], m[11], m[12], m[13]}};
  using namespace KokkosBatched;  // NOLINT: in this block only
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  const Kokkos::View<Real[invariants][invariants], Kokkos::LayoutRight, Kokkos::AnonymousSpace,
                     Unmanaged>
      lu(&matrix[0][0]);
  const Kokkos::View<Real[invariants], Kokkos::LayoutRight, Kokkos::AnonymousSpace, Unmanaged> x(
      rest);
  SerialLU<Algo::LU::Unblocked>::invoke(lu);
  SerialTrsv<Uplo::Lower, Trans::NoTranspose, Diag::Unit, Algo::Trsv::Unblocked>::invoke(Real(1),
                                                                                         lu, x);
  SerialTrsv<Uplo::Upper, Trans::NoTranspose, Diag::NonUnit, Algo::Trsv::Unblocked>::invoke(Real(1),
                                                                                            lu, x);
}

}  // namespace knudsen::boltzmann
