"""Mutations of cases by their schema, and damages to the bytes of files."""

import copy
import math
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from case_stub import inlined

NUMBERS = [0, -0.0, 1, -1, 2, 3, 7, 0.5, -0.5, 1e-3, 1e-16, 1e-200, 1e-308, 5e-324, 1e16, 1e200, 1e308,
           -1e308, 1.7976931348623157e308, 255, 256, 65536, 2**31 - 1, 2**31, 2**32, 2**53, 2**53 + 1,
           2**63 - 1, 2**63, 2**64, 10**30, -2**31, -2**63, 1e6, 1e9, float("nan"), float("inf")]
TEXTS = ["", " ", "a", "a.b", "a,b", "a/b", "../a", "a\nb", "a\0b", "\u00e4\u4e2d", "\udcff", "%s%n", '"', "'",
         "<b>&amp;", "-", "--help", "nano", "x" * 300, "x" * 70000, "/dev/zero", "/dev/null", ".", "C:\\a",
         "data/nothing.stl", "series", "case", "CON", "solid_0", "west", "mass", "velocity"]
OTHER_KINDS = [None, True, False, 0, "", "text", [], {}, [[]], [{}], {"a": {}}, [1, 2, 3, 4]]


class Schema:
    """The part of JSON Schema that `knudsen schema` prints."""

    def __init__(self, document):
        self.document = inlined(document)

    def properties(self, case, path, every_kind=False):
        """Schemas of the keys that the object at a path of a case may have."""
        schemas = self.applying(self.document, case, every_kind)
        value = case
        for name in path:
            found = []
            value = value[name]
            for schema in schemas:
                below = schema.get("items") if isinstance(name, int) else schema.get("properties", {}).get(name)
                found += self.applying(below, value, every_kind) if below else []
            schemas = found
        return {key: below for schema in schemas for key, below in schema.get("properties", {}).items()}

    def applying(self, schema, value, every_kind):
        """The schema and those parts of it whose conditions hold; all of them with `every_kind`."""
        found = [schema]
        for part in schema.get("allOf", []):
            condition = part.get("if", {}).get("properties", {})
            if every_kind or isinstance(value, dict) and all(
                    value.get(key) == wanted.get("const") for key, wanted in condition.items()):
                found += self.applying(part.get("then", part), value, every_kind)
        return found


def value_of(schema, source):
    """A value that a schema allows, or nearly so."""
    kind = schema.get("type")
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return source.choice(schema["enum"])
    if kind == "object":
        names = schema.get("required", []) + source.choices(
            [*schema.get("properties", {"a": {}})], k=source.randrange(3))
        return {name: value_of(schema.get("properties", {}).get(name, {}), source) for name in names}
    if kind == "array":
        least = schema.get("minItems", 0)
        count = source.randint(least, schema.get("maxItems", least + 3))
        return [value_of(schema.get("items", {}), source) for _ in range(count)]
    if kind in ("number", "integer"):
        low = schema.get("minimum", schema.get("exclusiveMinimum", -10))
        high = schema.get("maximum", schema.get("exclusiveMaximum", low + 20))
        value = source.uniform(low, high)
        near = value if kind == "number" else round(value)
        return source.choice([near, near, low, high, source.choice(NUMBERS)])
    if kind == "boolean":
        return source.random() < 0.5
    return source.choice(TEXTS)


def places(value, path=()):
    """Paths of all values in a document."""
    yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))


def at(value, path):
    for key in path:
        value = value[key]
    return value


def mutate(case, schema, source):
    """The case with one value changed, left out or added."""
    case = copy.deepcopy(case)
    path = source.choice([path for path in places(case) if path] or [()])
    action = source.random()
    if action < 0.3 or not path:
        objects = [path for path in places(case) if isinstance(at(case, path), dict)]
        path = source.choice(objects)
        keys = schema.properties(case, path, every_kind=source.random() < 0.1)
        if keys and source.random() < 0.95:
            key = source.choice([*keys])
            at(case, path)[key] = value_of(keys[key], source)
        else:
            at(case, path)[source.choice(TEXTS)] = source.choice(OTHER_KINDS)
        return case
    parent, key = at(case, path[:-1]), path[-1]
    value = parent[key]
    if action < 0.4:
        del parent[key]
    elif action < 0.47 and isinstance(parent, list):
        parent += [copy.deepcopy(value)] * source.choice([1, 2, 50])
    elif action < 0.52:
        parent[key] = copy.deepcopy(source.choice(OTHER_KINDS))
    else:
        known = schema.properties(case, path[:-1]).get(key) if isinstance(key, str) else None
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if known and source.random() < (0.3 if number else 0.9):
            parent[key] = value_of(known, source)
        elif number:
            scaled = value * source.choice([-1, 0.1, 0.5, 0.9, 1.1, 2, 10, 1000])
            rounded = round(scaled) if math.isfinite(scaled) else scaled
            parent[key] = source.choice([scaled, source.choice(NUMBERS), rounded, value + 1, value - 1])
        elif isinstance(value, str):
            parent[key] = source.choice(TEXTS)
        else:
            parent[key] = copy.deepcopy(source.choice(OTHER_KINDS))
    return case


def random_damage(source):
    """One damage to the bytes of a file: its kind, a place as a share of the file, a value."""
    kind = source.choice(["cut", "flip", "flip", "write", "write", "insert", "remove", "repeat", "number", "number"])
    value = {
        "cut": lambda: 0, "flip": lambda: source.randrange(8), "remove": lambda: source.choice([1, 2, 4, 50]),
        "repeat": lambda: source.choice([2, 100, 20000]), "number": lambda: repr(source.choice(NUMBERS)),
        "write": lambda: source.choice(["00", "ff", "ffffffff", "ffffff7f", "0000807f", "0000c07f", "00000080",
                                        "ffffffffffffff7f", "000000000000f07f", source.randbytes(4).hex()]),
        "insert": lambda: source.choice(["00", "0a", "20", "2c", "22", "7b", "5b", "ff", "5b" * 20000,
                                         "7b2261223a" * 9000, "39" * 400, "efbbbf"]),
    }[kind]()
    return [kind, source.random(), value]


def damaged(data, damages):
    for kind, share, value in damages:
        place = int(share * len(data))
        if kind == "cut":
            data = data[:place]
        elif kind == "flip" and data:
            data = data[:place] + bytes([data[place] ^ 1 << value]) + data[place + 1:]
        elif kind == "write":
            new = bytes.fromhex(value)
            data = data[:place] + new + data[place + len(new):]
        elif kind == "insert":
            data = data[:place] + bytes.fromhex(value) + data[place:]
        elif kind == "remove":
            data = data[:place] + data[place + value:]
        elif kind == "repeat":
            data = data[:place] + data[place:place + 20] * value + data[place + 20:]
        elif kind == "number":  # written into a text
            numbers = [*re.finditer(rb"[-+]?\d[\d.e+-]*", data[:200000])]
            if numbers:
                chosen = numbers[int(share * len(numbers))]
                data = data[:chosen.start()] + value.encode() + data[chosen.end():]
    return data


def minimised(value, still):
    """The document without the keys and elements that it need not have for `still`, larger parts first."""
    tried = 0
    while True:
        paths = sorted((path for path in places(value) if path), key=len)
        if tried >= len(paths):
            return value
        candidate = copy.deepcopy(value)
        del at(candidate, paths[tried][:-1])[paths[tried][-1]]
        if still(candidate):
            value = candidate
        else:
            tried += 1


def source_of(*seeds):
    return random.Random("/".join(map(str, seeds)))
