"""Contour lines of values on a grid as SVG: streamlines, from a stream function."""

import dataclasses
import html

SIDE, GAP, TOP = 340, 20, 44


@dataclasses.dataclass
class Panel:
    """Values at the places xs, ys of a unit square: values[j][i] belongs to (xs[i], ys[j])."""

    title: str
    xs: list
    ys: list
    values: list


@dataclasses.dataclass
class ContourPlot:
    """Panels side by side with the same levels; negative ones are drawn in blue."""

    title: str
    panels: list
    levels: tuple

    def draw(self):
        """The SVG, or None where a panel has no values."""
        if not self.panels or any(not panel.values for panel in self.panels):
            return None
        width = len(self.panels) * (SIDE + GAP) + GAP
        height = TOP + SIDE + 30
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" font-family="sans-serif" font-size="13">',
            f"<title>{html.escape(self.title)}</title>",
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
            _text(width / 2, 20, self.title, 15),
        ]
        for number, panel in enumerate(self.panels):
            left = GAP + number * (SIDE + GAP)
            lines.append(
                f'<rect x="{left}" y="{TOP}" width="{SIDE}" height="{SIDE}" fill="none" '
                'stroke="#333333"/>'
            )
            lines.append(_text(left + SIDE / 2, TOP + SIDE + 20, panel.title))
            for level in self.levels:
                path = "".join(
                    f"M{left + SIDE * x0:.1f} {TOP + SIDE * (1 - y0):.1f}"
                    f"L{left + SIDE * x1:.1f} {TOP + SIDE * (1 - y1):.1f}"
                    for (x0, y0), (x1, y1) in segments(panel, level)
                )
                if path:
                    colour = "#1f5fa8" if level < 0 else "#c2541b"
                    lines.append(f'<path d="{path}" fill="none" stroke="{colour}"/>')
        return "\n".join([*lines, "</svg>"]) + "\n"


def segments(panel, level):
    """Pieces of the line at which the values have this level: straight ones across triangles."""
    found = []
    corners = ((0, 0), (1, 0), (1, 1), (0, 1))
    for j in range(len(panel.ys) - 1):
        for i in range(len(panel.xs) - 1):
            points = [(panel.xs[i + a], panel.ys[j + b]) for a, b in corners]
            values = [panel.values[j + b][i + a] - level for a, b in corners]
            if min(values) > 0 or max(values) < 0:
                continue
            for triangle in ((0, 1, 2), (0, 2, 3)):
                ends = []
                for a, b in ((0, 1), (1, 2), (2, 0)):
                    p, q = triangle[a], triangle[b]
                    if (values[p] < 0) != (values[q] < 0):
                        t = values[p] / (values[p] - values[q])
                        ends.append(
                            tuple(u + t * (v - u) for u, v in zip(points[p], points[q]))
                        )
                if len(ends) == 2:
                    found.append(ends)
    return found


def _text(x, y, text, size=13):
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" font-size="{size}">'
        f"{html.escape(text)}</text>"
    )
