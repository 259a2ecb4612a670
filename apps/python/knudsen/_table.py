"""Tables of runs."""

import html
from typing import Any, Dict, Iterable, List, Sequence


class Table(List[Dict[str, Any]]):
    """A list with a dict for each run; prints as text, and is a table in a notebook."""

    @property
    def columns(self) -> List[str]:
        """The keys of all rows, in the order in which they first occur."""
        return list(dict.fromkeys(key for row in self for key in row))

    def to_dataframe(self) -> Any:
        """A pandas.DataFrame. Needs pandas (ImportError)."""
        try:
            import pandas
        except ImportError as error:
            raise ImportError("pandas is needed for a data frame (Debian: python3-pandas, "
                              "pip install pandas)") from error
        return pandas.DataFrame(list(self), columns=self.columns)

    def __str__(self) -> str:
        lines = [self.columns, *self._texts()]
        widths = [max(map(len, column)) for column in zip(*lines)]
        return "\n".join("  ".join(text.rjust(width) for text, width in zip(line, widths))
                         for line in lines)

    def _repr_html_(self) -> str:
        def line(tag: str, texts: Iterable[str]) -> str:
            cells = "".join(f"<{tag}>{html.escape(text)}</{tag}>" for text in texts)
            return f"<tr>{cells}</tr>"

        return ("<table>" + line("th", self.columns) +
                "".join(line("td", texts) for texts in self._texts()) + "</table>")

    def _texts(self) -> Sequence[List[str]]:
        return [[_text(row.get(key)) for key in self.columns] for row in self]


def _text(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
