#pragma once

namespace knudsen {

/// A character's cell in pixels: 5 wide and 7 high, a column of space, two rows below the line.
inline constexpr int glyph_width = 6;
inline constexpr int glyph_height = 9;

/// Whether a pixel of a character is ink; x to the right, y downwards, from the cell's corner.
/// Characters outside printable ASCII look like '?'.
bool glyph_pixel(char character, int x, int y);

}  // namespace knudsen
