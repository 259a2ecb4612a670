#include "textbook3d.hpp"

#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>

namespace knudsen::textbook3d {

using std::size_t;

std::array<int, 3> velocity(int q) {
  static constexpr std::array<std::array<int, 3>, 14> first{{{0, 0, 0},
                                                             {1, 0, 0},
                                                             {0, 1, 0},
                                                             {0, 0, 1},
                                                             {1, 1, 0},
                                                             {1, -1, 0},
                                                             {1, 0, 1},
                                                             {1, 0, -1},
                                                             {0, 1, 1},
                                                             {0, 1, -1},
                                                             {1, 1, 1},
                                                             {1, 1, -1},
                                                             {1, -1, 1},
                                                             {1, -1, -1}}};
  std::array<int, 3> c = first[static_cast<size_t>((q + 1) / 2)];
  if (q % 2 == 0) {
    for (int& component : c) component = -component;
  }
  return c;
}

Number weight(int populations, int q) {
  const auto c = velocity(q);
  const int square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
  constexpr std::array<Number, 4> of_19{1.0L / 3, 1.0L / 18, 1.0L / 36, 0};
  constexpr std::array<Number, 4> of_27{8.0L / 27, 2.0L / 27, 1.0L / 54, 1.0L / 216};
  const auto speed = static_cast<size_t>(square);
  return populations == 19 ? of_19[speed] : of_27[speed];
}

namespace {

Number dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Vector vector_of(int q) {
  const auto c = velocity(q);
  return {static_cast<Number>(c[0]), static_cast<Number>(c[1]), static_cast<Number>(c[2])};
}

}  // namespace

Flow flow(const Populations& f, const Vector& force) {
  Flow flow;
  for (size_t q = 0; q < f.size(); ++q) flow.density += f[q];
  for (size_t a = 0; a < 3; ++a) {
    Number momentum = force[a] / 2;
    for (size_t q = 0; q < f.size(); ++q) momentum += vector_of(static_cast<int>(q))[a] * f[q];
    flow.velocity[a] = momentum / flow.density;
  }
  return flow;
}

Populations equilibrium(const Collision3D& collision, const Flow& flow) {
  const Vector& u = flow.velocity;
  Populations f;
  for (int q = 0; q < collision.populations; ++q) {
    const Vector c = vector_of(q);
    Number value = flow.density;
    if (collision.collision_operator == Bgk::name || collision.collision_operator == Trt::name) {
      value *= weight(collision.populations, q) *
               (1 + 3 * dot(c, u) + 4.5L * dot(c, u) * dot(c, u) - 1.5L * dot(u, u));
    } else {
      for (size_t a = 0; a < 3; ++a) {
        value *= c[a] == 0 ? 2.0L / 3 - u[a] * u[a] : (1.0L / 3 + u[a] * u[a] + c[a] * u[a]) / 2;
      }
    }
    f.push_back(value);
  }
  return f;
}

namespace {

/// Relaxation of the symmetric and antisymmetric halves, with Guo's force, its halves likewise.
Populations collide_halves(const Collision3D& collision, const CollisionParameters<double>& fluid,
                           const Populations& f) {
  const Vector force{fluid.force[0], fluid.force[1], fluid.force[2]};
  const Flow state = flow(f, force);
  const Vector& u = state.velocity;
  const Populations f_equilibrium = equilibrium(collision, state);
  Number omega = fluid.relaxation_rate;
  const bool trt = collision.collision_operator == Trt::name;
  Number omega_minus = trt ? fluid.antisymmetric_rate : fluid.relaxation_rate;
  if (collision.eddy_viscosity == EddyViscosity::given) {
    const Number tau = 1 / omega + Number(fluid.eddy_time);
    omega = 1 / tau;
    omega_minus = trt ? 1 / (fluid.magic / (tau - 0.5L) + 0.5L) : omega;
  }
  if (collision.eddy_viscosity == EddyViscosity::smagorinsky) {
    // tau = tau_0 + 3 C^2 |S|, |S| = 3 |Pi| / (2 rho tau), by iteration of the fixed point.
    Number square = 0;
    for (size_t a = 0; a < 3; ++a) {
      for (size_t b = 0; b < 3; ++b) {
        Number stress = (u[a] * force[b] + u[b] * force[a]) / 2;
        for (size_t q = 0; q < f.size(); ++q) {
          const Vector c = vector_of(static_cast<int>(q));
          stress += c[a] * c[b] * (f[q] - f_equilibrium[q]);
        }
        square += stress * stress;
      }
    }
    const Number constant = fluid.smagorinsky_constant;
    Number tau = 1 / omega;
    for (int i = 0; i < 500; ++i) {
      const Number strain_rate = 3 / (2 * state.density * tau) * std::sqrt(2 * square);
      tau = 1 / omega + 3 * constant * constant * strain_rate;
    }
    omega = 1 / tau;
    omega_minus = trt ? 1 / (fluid.magic / (tau - 0.5L) + 0.5L) : omega;
  }
  Populations source;
  for (size_t q = 0; q < f.size(); ++q) {
    const Vector c = vector_of(static_cast<int>(q));
    Number push = 0;
    for (size_t a = 0; a < 3; ++a) {
      push += (3 * (c[a] - u[a]) + 9 * dot(c, u) * c[a]) * force[a];
    }
    source.push_back(weight(collision.populations, static_cast<int>(q)) * push);
  }
  Populations after = f;
  for (size_t q = 0; q < f.size(); ++q) {
    const size_t opposite = q == 0 ? 0 : (q % 2 == 1 ? q + 1 : q - 1);
    const auto even = [&](const Populations& p) { return (p[q] + p[opposite]) / 2; };
    const auto odd = [&](const Populations& p) { return (p[q] - p[opposite]) / 2; };
    after[q] += omega * (even(f_equilibrium) - even(f)) + (1 - omega / 2) * even(source) +
                omega_minus * (odd(f_equilibrium) - odd(f)) + (1 - omega_minus / 2) * odd(source);
  }
  return after;
}

size_t index(int a, int b, int c) {
  const int place = (a * 3 + b) * 3 + c;
  return static_cast<size_t>(place);
}

std::array<CentralMoments, 27> central_moment_matrix(const Vector& u) {
  const auto power = [](Number x, int n) { return n == 0 ? 1 : (n == 1 ? x : x * x); };
  std::array<CentralMoments, 27> matrix{};
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      for (int c = 0; c < 3; ++c) {
        for (int q = 0; q < 27; ++q) {
          const Vector v = vector_of(q);
          matrix[index(a, b, c)][static_cast<size_t>(q)] =
              power(v[0] - u[0], a) * power(v[1] - u[1], b) * power(v[2] - u[2], c);
        }
      }
    }
  }
  return matrix;
}

}  // namespace

CentralMoments central_moments(const Populations& f, const Vector& velocity) {
  const auto matrix = central_moment_matrix(velocity);
  CentralMoments moments{};
  for (size_t i = 0; i < 27; ++i) {
    for (size_t q = 0; q < 27; ++q) moments[i] += matrix[i][q] * f[q];
  }
  return moments;
}

Populations populations(const CentralMoments& moments, const Vector& velocity) {
  auto matrix = central_moment_matrix(velocity);
  CentralMoments right = moments;
  for (size_t column = 0; column < 27; ++column) {  // Gauss and Jordan, with pivots
    size_t pivot = column;
    for (size_t row = column; row < 27; ++row) {
      if (std::abs(matrix[row][column]) > std::abs(matrix[pivot][column])) pivot = row;
    }
    std::swap(matrix[column], matrix[pivot]);
    std::swap(right[column], right[pivot]);
    for (size_t row = 0; row < 27; ++row) {
      if (row == column) continue;
      const Number factor = matrix[row][column] / matrix[column][column];
      for (size_t k = 0; k < 27; ++k) matrix[row][k] -= factor * matrix[column][k];
      right[row] -= factor * right[column];
    }
  }
  Populations f;
  for (size_t q = 0; q < 27; ++q) f.push_back(right[q] / matrix[q][q]);
  return f;
}

namespace {

/// Second-order values after the collision, of cumulants or central moments (the same): `k` has
/// those before it. Gives density times the strain rates dx u, dy v, dz w too.
Vector relax_second_order(CentralMoments& k, const Vector& u,
                          const CollisionParameters<double>& fluid, bool corrected) {
  const Number density = k[0];
  const Number omega = fluid.relaxation_rate;
  const Number bulk = fluid.bulk_rate;
  Number& xx = k[index(2, 0, 0)];
  Number& yy = k[index(0, 2, 0)];
  Number& zz = k[index(0, 0, 2)];
  Vector strain{};
  strain[0] = -omega / 2 * (2 * xx - yy - zz) - bulk / 2 * (xx + yy + zz - density);
  strain[1] = strain[0] + 3 * omega / 2 * (xx - yy);
  strain[2] = strain[0] + 3 * omega / 2 * (xx - zz);
  Vector error{};
  if (corrected) {
    for (size_t a = 0; a < 3; ++a) error[a] = u[a] * u[a] * strain[a];
  }
  const Number xx_yy = (1 - omega) * (xx - yy) - 3 * (1 - omega / 2) * (error[0] - error[1]);
  const Number xx_zz = (1 - omega) * (xx - zz) - 3 * (1 - omega / 2) * (error[0] - error[2]);
  const Number trace = bulk * density + (1 - bulk) * (xx + yy + zz) -
                       3 * (1 - bulk / 2) * (error[0] + error[1] + error[2]);
  xx = (trace + xx_yy + xx_zz) / 3;
  yy = xx - xx_yy;
  zz = xx - xx_zz;
  k[index(1, 1, 0)] *= 1 - omega;
  k[index(0, 1, 1)] *= 1 - omega;
  k[index(1, 0, 1)] *= 1 - omega;
  return strain;
}

/// Sum over all partitions but that into one block, of the products of cumulants, so that
/// moment = cumulant + this (each divided by the density): the block with the first variable is a
/// true part of all, times the moment of the rest.
Number products(const std::vector<int>& variables, const CentralMoments& cumulants,
                const CentralMoments& moments) {
  const auto of = [](const std::vector<int>& list) {
    std::array<int, 3> order{};
    for (const int axis : list) ++order[static_cast<size_t>(axis)];
    return index(order[0], order[1], order[2]);
  };
  Number sum = 0;
  const unsigned others = static_cast<unsigned>(variables.size()) - 1;
  for (unsigned choice = 0; choice + 1 < (1U << others); ++choice) {
    std::vector<int> block{variables[0]};
    std::vector<int> rest;
    for (unsigned i = 0; i < others; ++i) {
      ((choice >> i & 1U) != 0 ? block : rest).push_back(variables[i + 1]);
    }
    sum += cumulants[of(block)] * moments[of(rest)];
  }
  return sum;
}

/// body(index, variables) by increasing order, from order 2 on.
void for_orders(const std::function<void(size_t, const std::vector<int>&)>& body) {
  for (int order = 2; order <= 6; ++order) {
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        const int c = order - a - b;
        if (c < 0 || c > 2) continue;
        std::vector<int> variables;
        for (int i = 0; i < a; ++i) variables.push_back(0);
        for (int i = 0; i < b; ++i) variables.push_back(1);
        for (int i = 0; i < c; ++i) variables.push_back(2);
        body(index(a, b, c), variables);
      }
    }
  }
}

/// First-order moments are left out of both: that about the mean is zero, and the force is not part
/// of the distribution's shape. The results are multiplied by the density.
CentralMoments cumulants_of(const CentralMoments& k) {
  CentralMoments moments{};
  CentralMoments cumulants{};
  for_orders([&](size_t i, const std::vector<int>& variables) {
    moments[i] = k[i] / k[0];
    cumulants[i] = moments[i] - products(variables, cumulants, moments);
  });
  for (Number& value : cumulants) value *= k[0];
  return cumulants;
}
CentralMoments moments_of(CentralMoments cumulants, Number density) {
  for (Number& value : cumulants) value /= density;
  CentralMoments moments{};
  for_orders([&](size_t i, const std::vector<int>& variables) {
    moments[i] = cumulants[i] + products(variables, cumulants, moments);
  });
  for (Number& value : moments) value *= density;
  return moments;
}

/// Rates and equilibria of orders 3 and 4 of the parametrised collision, by the formulas for A, B
/// and the three sums of C_220 and the like, which a permutation of the axes permutes.
void relax_higher_orders(CentralMoments& c, const CentralMoments& before, const Vector& strain,
                         Number density, const CollisionParameters<double>& fluid) {
  const Number lambda = fluid.limiter;
  const auto relax = [&](Number value, Number omega) {
    const Number size = std::abs(value);
    return (1 - (omega + (1 - omega) * size / (density * lambda + size))) * value;
  };
  const auto pair = [&](size_t i, size_t j) {
    const Number sum = relax(before[i] + before[j], fluid.third_sum_rate);
    const Number difference = relax(before[i] - before[j], fluid.third_difference_rate);
    c[i] = (sum + difference) / 2;
    c[j] = (sum - difference) / 2;
  };
  pair(index(1, 2, 0), index(1, 0, 2));
  pair(index(2, 1, 0), index(0, 1, 2));
  pair(index(2, 0, 1), index(0, 2, 1));
  c[index(1, 1, 1)] = relax(before[index(1, 1, 1)], fluid.third_product_rate);

  const Number omega = fluid.relaxation_rate;
  const Number bulk = fluid.bulk_rate;
  const Number denominator = (omega - bulk) * (bulk * (2 + 3 * omega) - 8 * omega);
  const Number factor_a = (4 * omega * omega + 2 * omega * bulk * (omega - 6) +
                           bulk * bulk * (omega * (10 - 3 * omega) - 4)) /
                          denominator;
  const Number factor_b = (4 * omega * bulk * (9 * omega - 16) - 4 * omega * omega -
                           2 * bulk * bulk * (2 + 9 * omega * (omega - 2))) /
                          (3 * denominator);
  const Number viscosity = 1 / omega - 0.5L;
  const Number dx = strain[0];
  const Number dy = strain[1];
  const Number dz = strain[2];
  // C_220 stands for the axis z, C_202 for y, C_022 for x.
  const Number one = 2.0L / 3 * viscosity * factor_a * (dx - 2 * dy + dz);  // x - 2 y + z
  const Number two = 2.0L / 3 * viscosity * factor_a * (dx + dy - 2 * dz);  // x + y - 2 z
  const Number all = -4.0L / 3 * viscosity * factor_a * (dx + dy + dz);
  c[index(2, 0, 2)] = (all - one) / 3;
  c[index(2, 2, 0)] = (all - two) / 3;
  c[index(0, 2, 2)] = all - c[index(2, 0, 2)] - c[index(2, 2, 0)];
  const auto shear = [&](size_t i) { return -3 * omega * before[i]; };  // rho (dy w + dz v)
  c[index(2, 1, 1)] = -viscosity / 3 * factor_b * shear(index(0, 1, 1));
  c[index(1, 2, 1)] = -viscosity / 3 * factor_b * shear(index(1, 0, 1));
  c[index(1, 1, 2)] = -viscosity / 3 * factor_b * shear(index(1, 1, 0));
}

Populations collide_moments(const Collision3D& collision, const CollisionParameters<double>& fluid,
                            const Populations& f) {
  const Vector force{fluid.force[0], fluid.force[1], fluid.force[2]};
  const Flow state = flow(f, force);
  const CentralMoments before = central_moments(f, state.velocity);
  CentralMoments after{};
  if (collision.collision_operator == Cascaded::name) {
    after = before;
    relax_second_order(after, state.velocity, fluid, false);
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        for (int c = 0; c < 3; ++c) {
          if (a + b + c < 3) continue;
          // The even orders are factors of their own; the odd ones one together, zero if lone.
          Number product = state.density;
          if (a == 2) product *= after[index(2, 0, 0)] / state.density;
          if (b == 2) product *= after[index(0, 2, 0)] / state.density;
          if (c == 2) product *= after[index(0, 0, 2)] / state.density;
          const int odd = a % 2 + b % 2 + c % 2;
          if (odd != 0) {
            product *= odd == 2 ? after[index(a % 2, b % 2, c % 2)] / state.density : 0;
          }
          after[index(a, b, c)] = product;
        }
      }
    }
  } else {
    const bool parametrised = collision.collision_operator == CumulantParametrised::name;
    const bool corrected = parametrised || collision.collision_operator == Cumulant::name;
    const CentralMoments cumulants_before = cumulants_of(before);
    CentralMoments second = cumulants_before;
    second[0] = state.density;
    const Vector strain = relax_second_order(second, state.velocity, fluid, corrected);
    CentralMoments cumulants{};
    for_orders([&](size_t i, const std::vector<int>& variables) {
      if (variables.size() == 2) cumulants[i] = second[i];
    });
    if (parametrised) {
      relax_higher_orders(cumulants, cumulants_before, strain, state.density, fluid);
    }
    after = moments_of(cumulants, state.density);
  }
  after[0] = state.density;
  after[index(1, 0, 0)] = force[0] / 2;
  after[index(0, 1, 0)] = force[1] / 2;
  after[index(0, 0, 1)] = force[2] / 2;
  return populations(after, state.velocity);
}

}  // namespace

Populations collide(const Collision3D& collision, const CollisionParameters<double>& fluid,
                    const Populations& f) {
  const bool halves =
      collision.collision_operator == Bgk::name || collision.collision_operator == Trt::name;
  if (halves) return collide_halves(collision, fluid, f);
  CollisionParameters<double> local = fluid;
  if (collision.eddy_viscosity != EddyViscosity::none) {
    local.relaxation_rate = 1 / (1 / fluid.relaxation_rate + fluid.eddy_time);
  }
  return collide_moments(collision, local, f);
}

}  // namespace knudsen::textbook3d
