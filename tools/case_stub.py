#!/usr/bin/env python3
"""Types of a case for editors and type checkers, made of the JSON Schema of cases.

    tools/case_stub.py docs/case.schema.json > apps/python/knudsen/_keys.pyi

The keys of all methods, and of all kinds of an object, are in one class; which of them belong together the reader says.
"""
import json
import keyword
import re
import sys
import textwrap

HEADER = '''"""The keys of a case, made by tools/case_stub.py from the schema; `make schema` makes it anew."""

from typing import Any, Literal, Sequence, TypedDict, Union

import numpy

'''
SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def inlined(schema, definitions=None):
    """The schema with its definitions in place of the references to them."""
    if isinstance(schema, list):
        return [inlined(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    definitions = schema.get("$defs", {}) if definitions is None else definitions
    if isinstance(reference := schema.get("$ref"), str):
        schema = {**definitions[reference.removeprefix("#/$defs/")], **schema}
    return {key: inlined(value, definitions) for key, value in schema.items() if key not in ("$ref", "$defs")}


def objects(schemas):
    """The keys of objects that satisfy one of the schemas, with the schemas of each."""
    found = {}
    for schema in schemas:
        for key, value in schema.get("properties", {}).items():
            if not key.startswith("$"):
                found.setdefault(key, []).append(value)
        for branch in schema.get("allOf", []):
            for key, values in objects([branch["then"]]).items():
                found.setdefault(key, []).extend(values)
    return found


def type_of(name, schemas, classes):
    """The type of what satisfies one of the schemas. Classes of objects go into `classes`."""
    types, values, items, keys = [], [], [], []
    for schema in (each for schema in schemas for each in schema.get("anyOf", [schema])):
        if "enum" in schema:
            values += schema["enum"]
        elif schema.get("type") == "array":
            items.append(schema.get("items", {}))
        elif schema.get("type") == "object":
            keys.append(schema)
        else:
            kinds = schema.get("type")
            types += [SCALARS.get(kind, "Any") for kind in (kinds if isinstance(kinds, list) else [kinds])]
    if keys:
        types.append(class_of(name, keys, classes))
    if items:
        types += [f"Sequence[{type_of(name, items, classes)}]", "numpy.ndarray"]
    if values:
        types.append(f"Literal[{', '.join(map(repr, dict.fromkeys(values)))}]")
    types = list(dict.fromkeys(types))
    if "Any" in types:
        return "Any"
    return types[0] if len(types) == 1 else f"Union[{', '.join(types)}]"


def class_of(name, schemas, classes):
    """Adds the class of an object to `classes`, which has the texts of classes by their bodies, and returns its name."""
    members = objects(schemas)
    keys = {key: type_of(name.removesuffix("Keys") + camel(key), values, classes)
            for key, values in sorted(members.items())}
    if all(key.isidentifier() and not keyword.iskeyword(key) for key in keys):
        lines = [line for key, kind in keys.items() for line in (f"    {key}: {kind}", *documentation(members[key]))]
        body = "\n".join(lines or ["    pass"])
        text = f"class {name}(TypedDict, total=False):\n{body}"
    else:
        body = "".join(f"    {key!r}: {kind},\n" for key, kind in keys.items())
        text = f"{name} = TypedDict({name!r}, {{\n{body}}}, total=False)"
    return classes.setdefault(body, (name, text))[0]


def documentation(schemas):
    texts = list(dict.fromkeys(schema["description"].split("\n")[0] for schema in schemas if "description" in schema))
    text = " / ".join(texts).replace("\\", "\\\\").replace('"', "'")
    lines = textwrap.wrap(f'"""{text}"""', 100, initial_indent="    ", subsequent_indent="    ")
    return lines if text else []


def camel(key):
    return "".join(word.capitalize() for word in re.split(r"[^a-zA-Z0-9]+", key))


def stub(schema):
    classes = {}
    class_of("CaseKeys", [inlined(schema)], classes)
    return HEADER + "\n" + "\n\n".join(text for _, text in classes.values()) + "\n"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        sys.stdout.write(stub(json.load(file)))
