#include "output/colour_map.hpp"

#include <algorithm>
#include <cmath>

namespace knudsen {

Rgb ColourMap::at(double fraction) const {
  const double scaled = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(control.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(scaled), control.size() - 2);
  const double weight = scaled - static_cast<double>(low);
  const auto channel = [&](unsigned shift) {
    const double below = control[low] >> shift & 0xff;
    const double above = control[low + 1] >> shift & 0xff;
    return static_cast<std::uint8_t>(std::lround(below + weight * (above - below)));
  };
  return {channel(16), channel(8), channel(0)};
}

const std::vector<ColourMap>& colour_map_table() {
  static const std::vector<ColourMap> table{
      {"viridis", false, {0x440154, 0x470d60, 0x48186a, 0x482374, 0x472d7b, 0x453681, 0x424086,
                          0x3f4989, 0x3b528b, 0x375a8d, 0x33638d, 0x2f6a8e, 0x2c728e, 0x297a8e,
                          0x26818e, 0x23898e, 0x21908c, 0x1f988b, 0x1f9f88, 0x21a685, 0x28ae80,
                          0x31b57b, 0x3ebc74, 0x4cc26c, 0x5dc963, 0x6ece58, 0x82d34c, 0x96d83f,
                          0xabdc32, 0xc0df24, 0xd5e21a, 0xeae51a, 0xfde725}},
      {"inferno", false, {0x000004, 0x040312, 0x0b0724, 0x150b37, 0x210c4a, 0x2e0a5a, 0x3c0965,
                          0x4a0c6b, 0x57106d, 0x63146e, 0x70196e, 0x7d1e6d, 0x89226a, 0x962766,
                          0xa32b61, 0xaf315c, 0xbb3755, 0xc63e4d, 0xd14644, 0xdb4f3b, 0xe35932,
                          0xeb6528, 0xf1711e, 0xf67f14, 0xf98d0a, 0xfb9c06, 0xfcab0f, 0xfbba1f,
                          0xf9ca32, 0xf5d949, 0xf2e865, 0xf3f586, 0xfcffa4}},
      {"coolwarm", true, {0x3b4cc0, 0x445acc, 0x4e68d7, 0x5875e1, 0x6282ea, 0x6c8ef1, 0x779af7,
                          0x82a5fb, 0x8db0fe, 0x98b9ff, 0xa3c2fe, 0xaec9fd, 0xb8d0f9, 0xc2d5f4,
                          0xccd9ee, 0xd5dbe6, 0xdddddd, 0xe5d8d1, 0xecd3c6, 0xf1ccb9, 0xf5c4ad,
                          0xf7bba0, 0xf7b194, 0xf7a687, 0xf49a7b, 0xf18d6f, 0xec7f63, 0xe57057,
                          0xde614c, 0xd55042, 0xcb3e38, 0xc0282f, 0xb40426}},
  };
  return table;
}

}  // namespace knudsen
