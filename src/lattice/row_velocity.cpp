#include "lattice/row_velocity.hpp"

#include "lattice/d3q19.hpp"
#include "lattice/for_populations.hpp"
#include "lattice/passive_scalar.hpp"
#include "lattice/population_vectors.hpp"

namespace knudsen {
namespace {

/// Calls body(load, store) for the vectors of a row. Whole vectors begin at the boundaries of
/// vectors in memory of `aligned`; the others are parts of vectors. Loads prefetch what is needed
/// some vectors later, since a row has more streams of memory than processors follow by themselves
/// (row_collision.cpp.in).
template <class Real, class Body>
void for_vectors(const Real* aligned, int nodes, const Body& body) {
  using Vector = Simd<Real>;
  int ahead = Vector::up_to_boundary(aligned);
  for (int first = 0; first < nodes;) {
    const int count = nodes - first < ahead ? nodes - first : ahead;
    if (count == Vector::count) {
      body(
          [first](const auto* row) KNUDSEN_INLINE_LAMBDA {
            __builtin_prefetch(row + first + 512 / sizeof(*row));
            return load_populations<Real>(row + first);
          },
          [first](Vector vector, Real* row) KNUDSEN_INLINE_LAMBDA { vector.store(row + first); });
    } else {
      body([first, count](const auto* row) { return load_populations<Real>(row + first, count); },
           [first, count](Vector vector, Real* row) { vector.store(row + first, count); });
    }
    first += count;
    ahead = Vector::count;
  }
}

}  // namespace

template <class Velocities, class Real, class Stored>
KNUDSEN_HOST_FUNCTION void velocities_of_row(const Stored* const* from, Real* const* velocity,
                                             int nodes,
                                             const ParametersOf<Velocities, Real>& parameters) {
  using Flow = FlowOf<Velocities>;
  using Vector = Simd<Real>;
  const auto of_vectors = rounded<Vector>(parameters);
  // Local copies, since a store could change what the arguments point to.
  const Stored* source[Velocities::populations];
  for (int q = 0; q < Velocities::populations; ++q) source[q] = from[q];
  Real* target[Flow::dimensions];
  for (int a = 0; a < Flow::dimensions; ++a) target[a] = velocity[a];
  for_vectors<Real>(target[0], nodes, [&](const auto& load, const auto& store) {
    Vector g[Velocities::populations];
    for_populations<Velocities>([&](auto q) KNUDSEN_INLINE_LAMBDA { g[q] = load(source[q]); });
    Vector u[Flow::dimensions];
    set_velocity<Flow>(flow_populations<Velocities>(g), local_parameters<Velocities>(of_vectors, g),
                       u);
    for (int a = 0; a < Flow::dimensions; ++a) store(u[a], target[a]);
  });
}

template <class Scalar, class Real>
KNUDSEN_HOST_FUNCTION void collide_scalar_row(const Real* const* from, Real* const* to,
                                              const Real* const* velocity, int nodes,
                                              const ScalarParameters<Real>& parameters) {
  using Vector = Simd<Real>;
  const auto of_vectors = rounded<Vector>(parameters);
  const Real* source[Scalar::populations];
  Real* target[Scalar::populations];
  for (int q = 0; q < Scalar::populations; ++q) {
    source[q] = from[q];
    target[q] = to[q];
  }
  const Real* moves[Scalar::dimensions];
  for (int a = 0; a < Scalar::dimensions; ++a) moves[a] = velocity[a];
  for_vectors<Real>(target[0], nodes, [&](const auto& load, const auto& store) {
    Vector h[Scalar::populations];
    for_populations<Scalar>([&](auto q) KNUDSEN_INLINE_LAMBDA { h[q] = load(source[q]); });
    Vector u[Scalar::dimensions];
    for (int a = 0; a < Scalar::dimensions; ++a) u[a] = load(moves[a]);
    collide_passive<Scalar>(h, passive_value<Scalar>(h), u, of_vectors);
    for_populations<Scalar>([&](auto q) KNUDSEN_INLINE_LAMBDA { store(h[q], target[q]); });
  });
}

// NOLINTBEGIN(bugprone-macro-parentheses)
#define KNUDSEN_INSTANTIATE_VELOCITIES_FROM(Velocities, Real, Stored)                        \
  template void velocities_of_row<Velocities, Real>(const Stored* const*, Real* const*, int, \
                                                    const ParametersOf<Velocities, Real>&);
#define KNUDSEN_INSTANTIATE_VELOCITIES(Velocities, Real) \
  KNUDSEN_INSTANTIATE_VELOCITIES_FROM(Velocities, Real, Real)
#define KNUDSEN_INSTANTIATE_SCALAR(Scalar, Real)  \
  template void collide_scalar_row<Scalar, Real>( \
      const Real* const*, Real* const*, const Real* const*, int, const ScalarParameters<Real>&);
#define KNUDSEN_INSTANTIATE_ROWS(Real)              \
  KNUDSEN_INSTANTIATE_VELOCITIES(D2Q9, Real)        \
  KNUDSEN_INSTANTIATE_VELOCITIES(HeatedD2Q9, Real)  \
  KNUDSEN_INSTANTIATE_VELOCITIES(D3Q19, Real)       \
  KNUDSEN_INSTANTIATE_VELOCITIES(D3Q27, Real)       \
  KNUDSEN_INSTANTIATE_VELOCITIES(HeatedD3Q27, Real) \
  KNUDSEN_INSTANTIATE_SCALAR(D2Q5, Real)            \
  KNUDSEN_INSTANTIATE_SCALAR(D2Q9, Real)            \
  KNUDSEN_INSTANTIATE_SCALAR(D3Q7, Real)            \
  KNUDSEN_INSTANTIATE_SCALAR(D3Q19, Real)
KNUDSEN_INSTANTIATE_ROWS(float)
KNUDSEN_INSTANTIATE_VELOCITIES_FROM(D3Q19, float, std::uint16_t)
KNUDSEN_INSTANTIATE_VELOCITIES_FROM(D3Q27, float, std::uint16_t)
KNUDSEN_INSTANTIATE_VELOCITIES_FROM(HeatedD3Q27InParts, float, std::uint16_t)
KNUDSEN_INSTANTIATE_ROWS(double)
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace knudsen
