#pragma once

#include <utility>

#include "methods/shakhov/maxwellian_fluxes.hpp"

namespace knudsen::shakhov {

/// A matrix of the five conserved quantities.
struct SmallMatrix {
  double value[conserved_count][conserved_count] = {};
};

KOKKOS_INLINE_FUNCTION SmallMatrix operator*(const SmallMatrix& a, const SmallMatrix& b) {
  SmallMatrix product;
  for (int i = 0; i < conserved_count; ++i) {
    for (int j = 0; j < conserved_count; ++j) {
      for (int k = 0; k < conserved_count; ++k) {
        product.value[i][j] += a.value[i][k] * b.value[k][j];
      }
    }
  }
  return product;
}

/// The inverse, by the method of Gauss and Jordan with pivots in each column. Not finite if the
/// matrix is singular.
KOKKOS_INLINE_FUNCTION SmallMatrix inverted(SmallMatrix matrix) {
  SmallMatrix result;
  for (int i = 0; i < conserved_count; ++i) result.value[i][i] = 1;
  auto& a = matrix.value;
  auto& b = result.value;
  for (int column = 0; column < conserved_count; ++column) {
    int pivot = column;
    for (int row = column + 1; row < conserved_count; ++row) {
      if (math::fabs(a[row][column]) > math::fabs(a[pivot][column])) pivot = row;
    }
    for (int j = 0; j < conserved_count; ++j) {
      const double from_a = a[pivot][j];
      a[pivot][j] = a[column][j];
      a[column][j] = from_a;
      const double from_b = b[pivot][j];
      b[pivot][j] = b[column][j];
      b[column][j] = from_b;
    }
    const double scale = 1 / a[column][column];
    for (int j = 0; j < conserved_count; ++j) {
      a[column][j] *= scale;
      b[column][j] *= scale;
    }
    for (int row = 0; row < conserved_count; ++row) {
      if (row == column) continue;
      const double factor = a[row][column];
      for (int j = 0; j < conserved_count; ++j) {
        a[row][j] -= factor * a[column][j];
        b[row][j] -= factor * b[column][j];
      }
    }
  }
  return result;
}

}  // namespace knudsen::shakhov
