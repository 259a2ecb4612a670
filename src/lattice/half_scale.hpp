#pragma once

namespace knudsen {

/// A shifted population (f - w) times this is kept as an IEEE half: values up to +-0.999 are
/// finite, and those above 9.3e-10 keep 11 significant bits. Larger ones become infinite and are
/// found by the check for divergence.
inline constexpr float half_scale = 0x1p16f;

}  // namespace knudsen
