"""Tests of covering.py against enumeration of all rows."""

import itertools
import unittest

from covering import Constraint, Model, covering_array

SIDES = ["periodic", "wall", "open"]


def all_rows(model):
    for values in itertools.product(*model.factors.values()):
        row = dict(zip(model.factors, values))
        if model.allows(row):
            yield row


def tuples(rows, strength):
    found = set()
    for row in rows:
        found.update(itertools.combinations(row.items(), strength))
    return found


def models():
    plain = Model({"a": [1, 2, 3], "b": [1, 2], "c": "xyz", "d": [0.5, 2.5], "e": [True, False]})
    factors = {"dimensions": [1, 2], "order": [1, 2], "scheme": ["fused", "separate", "tiles"],
               "west": SIDES, "east": SIDES, "south": SIDES + ["none"], "north": SIDES + ["none"]}
    def pair(low, high):
        return (low == "periodic") == (high == "periodic")
    constrained = Model(factors, [
        Constraint(["west", "east"], pair),
        Constraint(["south", "north"], pair),
        Constraint(["dimensions", "south"], lambda d, side: (d < 2) == (side == "none")),
        Constraint(["dimensions", "north"], lambda d, side: (d < 2) == (side == "none")),
        Constraint(["scheme", "order"], lambda scheme, order: scheme != "tiles" or order == 1)])
    # No constraint forbids a = 1 with b = 1 by itself, but no value of c goes with both.
    hidden = Model({"a": [1, 2], "b": [1, 2], "c": [1, 2], "d": [1, 2, 3]},
                   [Constraint(["a", "c"], lambda a, c: a != 1 or c == 1),
                    Constraint(["b", "c"], lambda b, c: b != 1 or c == 2)])
    return {"plain": plain, "constrained": constrained, "hidden": hidden}


class Covering(unittest.TestCase):
    def test_all_that_is_allowed_is_covered(self):
        for name, model in models().items():
            for strength in (2, 3):
                for seed in (1, 2):
                    with self.subTest(model=name, strength=strength, seed=seed):
                        rows = covering_array(model, strength, seed)
                        self.assertTrue(all(model.allows(row) for row in rows))
                        self.assertTrue(all(list(row) == list(model.factors) for row in rows))
                        self.assertEqual(tuples(rows, strength),
                                         tuples(all_rows(model), strength))

    def test_far_fewer_rows_than_combinations(self):
        model = Model({f"factor_{n}": list(range(4)) for n in range(10)})
        self.assertLess(len(covering_array(model)), 50)

    def test_of_those_alike_one_is_enough(self):
        sides = ["west", "east", "south", "north"]
        def alike(*values):
            return tuple(sorted(("side" if name in sides else name, str(value)) for name, value in values))
        model = Model({**{side: "abcdefgh" for side in sides}, "order": [1, 2]},
                      [Constraint(["west", "order"], lambda kind, order: kind != "a" or order == 1)])
        rows = covering_array(model, alike=alike)
        self.assertEqual({alike(*t) for t in tuples(rows, 2)}, {alike(*t) for t in tuples(all_rows(model), 2)})
        self.assertLess(len(rows), 20)  # 64 with all places

    def test_same_seed_same_rows(self):
        model = models()["constrained"]
        self.assertEqual(covering_array(model, 2, 7), covering_array(model, 2, 7))
        self.assertNotEqual(covering_array(model, 2, 7), covering_array(model, 2, 8))

    def test_unknown_factor(self):
        with self.assertRaises(ValueError):
            Model({"a": [1]}, [Constraint(["b"], bool)])


if __name__ == "__main__":
    unittest.main()
