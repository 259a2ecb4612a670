#pragma once

namespace knudsen {

// A character's cell in pixels. Glyphs are 5 wide and 7 high; one column separates them, two rows
// are for descenders.
inline constexpr int glyph_width = 6;
inline constexpr int glyph_height = 9;

/// Whether pixel (x, y) of a character is ink; y points down from the cell's upper left corner.
/// Characters outside printable ASCII are shown as '?'.
bool glyph_pixel(char character, int x, int y);

}  // namespace knudsen
