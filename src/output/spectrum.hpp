#pragma once

#include <vector>

namespace knudsen {

/// A one-sided power spectral density.
struct Spectrum {
  std::vector<double> frequency;  ///< from 0 to 1 / (2 interval)
  std::vector<double> density;    ///< in squares of the values over the unit of frequency

  /// The frequency of the largest density, that of 0 left out.
  double peak() const;
};

/// The least number of samples of a spectrum.
inline constexpr std::size_t least_spectrum_samples = 8;

/// The spectrum of samples at equal intervals: a periodogram (Press et al., Numerical Recipes,
/// 13.4). The mean is subtracted, the samples are multiplied by a Hann window w and continued by
/// zeros to a power of two; the density is 2 |sum_j w_j x_j exp(-2 pi i f j dt)|^2 dt / sum_j
/// w_j^2, without the 2 at frequency 0 and at the highest. Its integral over all frequencies is the
/// variance of the samples, for samples that the window does not change much.
///
/// Needs at least least_spectrum_samples samples.
Spectrum power_spectrum(const std::vector<double>& samples, double interval);

}  // namespace knudsen
