"""Checks a comparison page: well-formed HTML, well-formed SVG, self-contained, no scripts.

Prints what is wrong and exits with 1.
"""

import html.parser
import re
import sys
import xml.etree.ElementTree

VOID = {"meta", "link", "br", "hr", "img", "input"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.faults, self.ids, self.references = [], [], [], []

    def handle_starttag(self, tag, attributes):
        self.start(tag, attributes)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.start(tag, attributes)

    def start(self, tag, attributes):
        if tag in ("script", "link", "img", "iframe", "object"):
            self.faults.append(f"<{tag}> is not allowed")
        for name, value in attributes:
            if name.startswith("on") or name in ("src", "href", "xlink:href"):
                self.faults.append(f"<{tag} {name}> is not allowed")
            if name == "id":
                self.ids.append(value)
            if name == "aria-labelledby":
                self.references += value.split()

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.faults.append(f"</{tag}> closes {self.open[-1:]} at {self.getpos()}")
        else:
            self.open.pop()


def faults_of(text):
    page = Page()
    page.feed(text)
    page.close()
    faults = page.faults + [f"<{tag}> is not closed" for tag in page.open]
    if len(set(page.ids)) != len(page.ids):
        faults.append("an id occurs twice")
    faults += [f"no element has the id {i}" for i in page.references if i not in page.ids]
    plots = re.findall(r"<svg\b.*?</svg>", text, re.DOTALL)
    if not plots:
        faults.append("there is no plot")
    for plot in plots:
        try:
            children = [child.tag for child in xml.etree.ElementTree.fromstring(plot)]
        except xml.etree.ElementTree.ParseError as error:
            faults.append(f"SVG: {error}")
            continue
        for wanted in ("title", "desc"):
            if "{http://www.w3.org/2000/svg}" + wanted not in children:
                faults.append(f"SVG without <{wanted}>")
        if re.search(r'"[^"]*\b(nan|inf)\b[^"]*"', plot):
            faults.append("SVG with a coordinate that is not a number")
    if re.search(r"@import|url\((?!#)", text):
        faults.append("something is loaded from elsewhere")
    return faults


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        found = faults_of(file.read())
    print("\n".join(found))
    sys.exit(1 if found else 0)
