"""Line plots as SVG text: the same data give the same bytes, and nothing but Python is needed."""

import dataclasses
import html
import math

COLOURS = ("#1f5fa8", "#c2541b", "#2f8f4e", "#8a3fa0", "#8c6d1f", "#b0305c", "#3a8c99", "#555555")
WIDTH, HEIGHT = 720, 440
LEFT, RIGHT, TOP, BOTTOM = 74, 14, 40, 52
KEY_ROW = 18


@dataclasses.dataclass
class Series:
    """Points that belong together. Colour is a number; what the papers say gets markers alone."""

    name: str
    points: list  # (x, y), or (x, y, error of y), which gets a bar
    colour: int = 0
    line: bool = True
    marker: str = ""  # "", "circle", "square", "triangle", "diamond" or "cross"
    dashed: bool = False


@dataclasses.dataclass
class Plot:
    title: str
    x_label: str
    y_label: str
    series: list
    x_log: bool = False
    y_log: bool = False
    x_range: tuple = None
    y_range: tuple = None

    def draw(self):
        """The SVG, or None where there is no point to draw."""
        kept = [self._kept(s) for s in self.series]
        kept = [s for s in kept if s.points]
        if not kept:
            return None
        x = _Axis(
            [p[0] for s in kept for p in s.points], self.x_log, self.x_range, LEFT, WIDTH - RIGHT
        )
        key_height = KEY_ROW * math.ceil(len(kept) / 2)
        bottom = HEIGHT - BOTTOM
        y = _Axis([p[1] for s in kept for p in s.points], self.y_log, self.y_range, bottom, TOP)
        total = HEIGHT + key_height + 8
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {total}" '
            f'width="{WIDTH}" height="{total}" font-family="sans-serif" font-size="13">',
            f"<title>{html.escape(self.title)}</title>",
            f'<rect width="{WIDTH}" height="{total}" fill="#ffffff"/>',
            _text(WIDTH / 2, 22, self.title, size=15),
            f'<clipPath id="inside"><rect x="{LEFT}" y="{TOP}" width="{WIDTH - RIGHT - LEFT}" '
            f'height="{bottom - TOP}"/></clipPath>',
        ]
        for value in x.ticks():
            at = x.place(value)
            lines.append(_line(at, TOP, at, bottom))
            lines.append(_text(at, bottom + 18, _tick_text(value)))
        for value in y.ticks():
            at = y.place(value)
            lines.append(_line(LEFT, at, WIDTH - RIGHT, at))
            lines.append(_text(LEFT - 8, at + 4, _tick_text(value), anchor="end"))
        lines.append(
            f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH - RIGHT - LEFT}" height="{bottom - TOP}" '
            'fill="none" stroke="#333333"/>'
        )
        lines.append(_text((LEFT + WIDTH - RIGHT) / 2, bottom + 40, self.x_label))
        middle = (TOP + bottom) / 2
        lines.append(
            f'<text x="18" y="{middle:.1f}" text-anchor="middle" '
            f'transform="rotate(-90 18 {middle:.1f})">{html.escape(self.y_label)}</text>'
        )
        for number, series in enumerate(kept):
            places = [(x.place(point[0]), y.place(point[1])) for point in series.points]
            lines.append('<g clip-path="url(#inside)">')
            lines += _stroke(series, places) + _bars(series, x, y) + _markers(series, places)
            lines.append("</g>")
            key_x = LEFT + (number % 2) * (WIDTH - LEFT - RIGHT) / 2
            key_y = HEIGHT + 8 + KEY_ROW * (number // 2)
            ends = [(key_x, key_y - 4), (key_x + 24, key_y - 4)]
            lines += _stroke(series, ends) + _markers(series, [(key_x + 12, key_y - 4)])
            lines.append(_text(key_x + 32, key_y, series.name, anchor="start"))
        lines.append("</svg>")
        return "\n".join(lines) + "\n"

    def _kept(self, series):
        """The series without points that have no place on the axes."""
        points = [
            point
            for point in series.points
            if all(map(math.isfinite, point))
            and (point[0] > 0 or not self.x_log)
            and (point[1] > 0 or not self.y_log)
        ]
        return dataclasses.replace(series, points=points)


class _Axis:
    def __init__(self, values, logarithmic, limits, first, last):
        self.log = logarithmic
        self.first, self.last = first, last
        low, high = limits or (min(values), max(values))
        if self.log:
            low, high = math.log10(low), math.log10(high)
        margin = 0 if limits else 0.05 * ((high - low) or abs(high) or 1)
        self.low, self.high = low - margin, high + margin

    def place(self, value):
        position = (math.log10(value) if value > 0 else self.low) if self.log else value
        return self.first + (self.last - self.first) * (position - self.low) / (
            self.high - self.low
        )

    def ticks(self):
        if self.log:
            return self._powers()
        step = 10 ** math.floor(math.log10((self.high - self.low) / 4))
        for factor in (1, 2, 5, 10):
            if (self.high - self.low) / (factor * step) <= 7:
                step *= factor
                break
        first = math.ceil(self.low / step - 1e-9)
        return [round(n * step, 12) for n in range(first, math.floor(self.high / step + 1e-9) + 1)]

    def _powers(self):
        """Powers of ten; where these are few, also twice and five times them."""
        factors = (1,) if self.high - self.low > 3 else (1, 2, 5)
        decades = range(math.floor(self.low), math.ceil(self.high) + 1)
        ticks = [factor * 10.0**decade for decade in decades for factor in factors]
        return [t for t in ticks if self.low - 1e-9 <= math.log10(t) <= self.high + 1e-9]


def _tick_text(value):
    return f"{value:.10g}" if value == 0 or 1e-4 <= abs(value) < 1e6 else f"{value:.0e}"


def _text(x, y, text, anchor="middle", size=0):
    font = f' font-size="{size}"' if size else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{font}>{html.escape(text)}</text>'


def _line(x1, y1, x2, y2):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#dddddd"/>'


def _colour(series):
    return COLOURS[series.colour % len(COLOURS)]


def _stroke(series, places):
    if not series.line or len(places) < 2:
        return []
    dashes = ' stroke-dasharray="6 4"' if series.dashed else ""
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    return [
        f'<polyline points="{path}" fill="none" stroke="{_colour(series)}" '
        f'stroke-width="1.8"{dashes}/>'
    ]


def _bars(series, x, y):
    """Error bars with caps."""
    drawn = []
    for point in series.points:
        if len(point) == 3:
            at = x.place(point[0])
            low, high = (y.place(point[1] + sign * point[2]) for sign in (-1, 1))
            path = f"M{at:.1f},{low:.1f}V{high:.1f}M{at - 4:.1f},{low:.1f}h8M{at - 4:.1f},{high:.1f}h8"
            drawn.append(f'<path d="{path}" stroke="{_colour(series)}" stroke-width="1.2" fill="none"/>')
    return drawn


def _markers(series, places):
    """Filled on a line, hollow where there is none."""
    if not series.marker:
        return []
    fill = _colour(series) if series.line else "#ffffff"
    style = f'fill="{fill}" stroke="{_colour(series)}" stroke-width="1.5"'
    return [_marker(series.marker, x, y, style) for x, y in places]


def _marker(kind, x, y, style):
    r = 4.5
    if kind == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}" {style}/>'
    corners = {
        "square": ((-r, -r), (r, -r), (r, r), (-r, r)),
        "triangle": ((0, -r), (r, r), (-r, r)),
        "diamond": ((0, -1.3 * r), (1.3 * r, 0), (0, 1.3 * r), (-1.3 * r, 0)),
        "cross": ((-r, -r), (r, r), (0, 0), (-r, r), (r, -r), (0, 0)),
    }[kind]
    path = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
    return f'<polygon points="{path}" {style}/>'
