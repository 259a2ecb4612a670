"""Checks a JSON Schema against verdicts of the reader it was made from.

usage: check_schema.py schema.json verdicts.json

verdicts.json is a list of {"case": ..., "accepted": true or false}. Exits with 1, naming each
case, when the schema is not valid itself or decides differently.
"""

import json
import sys

from jsonschema import Draft202012Validator


def main(schema_file, verdicts_file):
    with open(schema_file) as stream:
        schema = json.load(stream)
    with open(verdicts_file) as stream:
        verdicts = json.load(stream)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    differing = 0
    for verdict in verdicts:
        faults = [fault.message for fault in validator.iter_errors(verdict["case"])]
        if verdict["accepted"] == bool(faults):
            differing += 1
            reader = "accepts" if verdict["accepted"] else "refuses"
            print(f"the reader {reader} {json.dumps(verdict['case'])}, the schema says {faults}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
