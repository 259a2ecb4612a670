#pragma once

#include <numbers>

#include "device/kokkos.hpp"

namespace knudsen::boltzmann {

/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011): a bijection of 128-bit counters that depends on
/// a 64-bit key; its values at successive counters are independent random bits.
struct Philox {
  std::uint32_t key[2];

  KOKKOS_INLINE_FUNCTION void operator()(std::uint32_t (&counter)[4]) const {
    constexpr std::uint32_t multiplier[2] = {0xD2511F53U, 0xCD9E8D57U};
    constexpr std::uint32_t weyl[2] = {0x9E3779B9U, 0xBB67AE85U};
    constexpr int rounds = 10;
    std::uint32_t k0 = key[0];
    std::uint32_t k1 = key[1];
    for (int round = 0; round < rounds; ++round) {
      const std::uint64_t p0 = std::uint64_t{multiplier[0]} * counter[0];
      const std::uint64_t p1 = std::uint64_t{multiplier[1]} * counter[2];
      const std::uint32_t c1 = counter[1];
      const std::uint32_t c3 = counter[3];
      counter[0] = static_cast<std::uint32_t>(p1 >> 32U) ^ c1 ^ k0;
      counter[1] = static_cast<std::uint32_t>(p1);
      counter[2] = static_cast<std::uint32_t>(p0 >> 32U) ^ c3 ^ k1;
      counter[3] = static_cast<std::uint32_t>(p0);
      k0 += weyl[0];
      k1 += weyl[1];
    }
  }
};

/// Uniform numbers per collision: three pairs for the two velocities, one pair for the direction.
inline constexpr int uniforms_per_collision = 8;

/// Source of uniform numbers, each a function of (seed, step, sample) alone.
struct UniformSource {
  std::uint64_t seed = 0;
  /// The R-sequence (Kronecker sequence of the powers of the generalised golden ratio), shifted at
  /// random in every step, instead of independent numbers.
  bool quasi_random = false;

  /// Numbers in (0, 1), odd multiples of 2^-33.
  KOKKOS_INLINE_FUNCTION void operator()(std::uint64_t step, std::uint32_t sample,
                                         double (&uniforms)[uniforms_per_collision]) const {
    // Fractional parts of the powers -1 .. -8 of the root of x^9 = x + 1, times 2^64.
    constexpr std::uint64_t steps[uniforms_per_collision] = {
        0xEBEDEED9D803C815U, 0xD96EB1A810CAAF5EU, 0xC862B36DAF790DD5U, 0xB8ACD90C142FE10BU,
        0xAA324F90DED86B69U, 0x9CDA5E693FEA10AEU, 0x908E3D2C82567A73U, 0x8538ECB5BD456EA2U};
    const Philox philox{
        {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U)}};
    for (std::uint32_t half = 0; half < 2; ++half) {
      std::uint32_t bits[4] = {quasi_random ? 0U : sample, static_cast<std::uint32_t>(step),
                               static_cast<std::uint32_t>(step >> 32U), half};
      philox(bits);
      for (int i = 0; i < 4; ++i) {
        const int d = static_cast<int>(4 * half) + i;
        if (quasi_random) {
          const std::uint64_t shifted =
              (std::uint64_t{bits[i]} << 32U) + (std::uint64_t{sample} + 1) * steps[d];
          bits[i] = static_cast<std::uint32_t>(shifted >> 32U);
        }
        uniforms[d] = (double(bits[i]) + 0.5) / 4294967296.0;
      }
    }
  }
};

/// Number of components of the four velocities of a collision.
inline constexpr int components_per_collision = 12;

/// Uniform numbers of 16 bits in (0, 1), two for each velocity component of a collision: functions
/// of (seed, step, sample) alone, independent of those of UniformSource.
KOKKOS_INLINE_FUNCTION void rounding_uniforms(std::uint64_t seed, std::uint64_t step,
                                              std::uint32_t sample,
                                              float (&uniforms)[2 * components_per_collision]) {
  const Philox philox{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U)}};
  for (std::uint32_t part = 0; part < 3; ++part) {
    std::uint32_t bits[4] = {sample, static_cast<std::uint32_t>(step),
                             static_cast<std::uint32_t>(step >> 32U), part + 2};
    philox(bits);
    for (int i = 0; i < 8; ++i) {
      const std::uint32_t half = (bits[i / 2] >> (i % 2 == 0 ? 0U : 16U)) & 0xFFFFU;
      uniforms[static_cast<int>(8 * part) + i] = (static_cast<float>(half) + 0.5F) / 65536.0F;
    }
  }
}

/// Two velocity components drawn from the Maxwellian exp(-v^2) (Box and Muller).
KOKKOS_INLINE_FUNCTION void box_muller(double u1, double u2, double& first, double& second) {
  const double radius = std::sqrt(-std::log(u1));
  first = radius * std::cos(2 * std::numbers::pi * u2);
  second = radius * std::sin(2 * std::numbers::pi * u2);
}

/// A point drawn uniformly from the unit sphere.
KOKKOS_INLINE_FUNCTION void unit_sphere(double u1, double u2, double (&direction)[3]) {
  const double z = 2 * u1 - 1;
  const double across = std::sqrt(1 - z * z);
  direction[0] = across * std::cos(2 * std::numbers::pi * u2);
  direction[1] = across * std::sin(2 * std::numbers::pi * u2);
  direction[2] = z;
}

}  // namespace knudsen::boltzmann
