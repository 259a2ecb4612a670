"""Covering arrays: few rows of options in which every pair (or triple) of values occurs.

Faults of a program with many options mostly need one or two options at once. An array that has
every allowed combination of `strength` values in some row finds those with a few dozen rows, where
all combinations would be millions. The construction is greedy and seeded, so an array is the same
on every machine.
"""

import itertools
import random


class Constraint:
    """Values of `names` that may stand together: where `allows`, called with them, is true."""

    def __init__(self, names, allows):
        self.names = tuple(names)
        self.allows = allows

    def holds(self, row):
        """True also where a value is not yet chosen."""
        if any(name not in row for name in self.names):
            return True
        return bool(self.allows(*(row[name] for name in self.names)))


class OutOfPatience(Exception):
    """A search has met more dead ends than it was allowed."""


class Model:
    """Factors (name: list of values) and constraints. Within, values are known by their places."""

    def __init__(self, factors, constraints=()):
        self.names = list(factors)
        self.factors = {name: list(values) for name, values in factors.items()}
        self.constraints = list(constraints)
        number = {name: n for n, name in enumerate(self.names)}
        unknown = {name for c in self.constraints for name in c.names} - set(number)
        if unknown:
            raise ValueError(f"constraints name unknown factors: {sorted(unknown)}")
        self.scopes = [tuple(number[name] for name in c.names) for c in self.constraints]
        self.of_factor = [[c for c, scope in enumerate(self.scopes) if f in scope]
                          for f in range(len(self.names))]
        self.known = [{} for _ in self.constraints]
        self.weights = [1] * len(self.constraints)  # 1 + how often each has left nothing of a factor

    def allows(self, row):
        return all(constraint.holds(row) for constraint in self.constraints)

    def counts(self):
        return [len(self.factors[name]) for name in self.names]

    def holds(self, constraint, places):
        """Whether a constraint allows these places of its factors' values."""
        known = self.known[constraint]
        if places not in known:
            names = self.constraints[constraint].names
            values = [self.factors[name][place] for name, place in zip(names, places)]
            known[places] = bool(self.constraints[constraint].allows(*values))
        return known[places]

    def choose(self, chosen, domains, factor, place):
        """Domains once a factor has a value: what its constraints leave of those that are then
        the only one open. None where nothing is left of one."""
        chosen[factor] = place
        domains = list(domains)
        domains[factor] = [place]
        for constraint in self.of_factor[factor]:
            scope = self.scopes[constraint]
            left = [f for f in scope if chosen[f] is None]
            if len(left) > 1:
                continue
            places = [chosen[f] for f in scope]
            if not left:
                if not self.holds(constraint, tuple(places)):
                    self.weights[constraint] += 1
                    return None
                continue
            at = scope.index(left[0])
            kept = []
            for each in domains[left[0]]:
                places[at] = each
                if self.holds(constraint, tuple(places)):
                    kept.append(each)
            if not kept:
                self.weights[constraint] += 1
                return None
            domains[left[0]] = kept
        return domains

    def complete(self, chosen, domains, order, preferred, patience=None):
        """Chooses all that is open (None), or returns False where no way leads to the end.

        `preferred(chosen, factor, places)` puts places in the order in which to try them. Factors
        are chosen in the given order; without one, those first that have few values left for the
        weights of their constraints (the heuristic "dom/wdeg" of Boussemart et al. 2004): slower,
        but it does not try all ways of others before it sees that two factors never fit. Raises
        OutOfPatience after so many dead ends.
        """
        open_factors = [f for f in order or range(len(chosen)) if chosen[f] is None]
        if not open_factors:
            return True
        factor = next((f for f in open_factors if len(domains[f]) == 1), None)
        if factor is None:
            factor = open_factors[0] if order else min(open_factors, key=lambda f: len(
                domains[f]) / (1 + sum(self.weights[c] for c in self.of_factor[f])))
        for place in preferred(chosen, factor, domains[factor]):
            left = self.choose(chosen, domains, factor, place)
            if left is not None and self.complete(chosen, left, order, preferred, patience):
                return True
            chosen[factor] = None
            if patience is not None:
                patience[0] -= 1
                if patience[0] < 0:
                    raise OutOfPatience
        return False


def all_tuples(model, strength):
    """All choices of `strength` factors with a place of each."""
    counts = model.counts()
    for factors in itertools.combinations(range(len(counts)), strength):
        for places in itertools.product(*(range(counts[f]) for f in factors)):
            yield tuple(zip(factors, places))


def covering_array(model, strength=2, seed=1, candidates=5, alike=None):
    """Rows (dict of name: value) that hold every allowed combination of `strength` values.

    `alike((name, value), ...)` returns a key; of the combinations with the same key one is enough.
    """
    generator = random.Random(seed)
    counts = model.counts()
    uncovered = dict.fromkeys(all_tuples(model, strength))

    def class_of(t):
        if alike is None:
            return t
        return alike(*((model.names[f], model.factors[model.names[f]][place]) for f, place in t))

    members = {}
    for t in uncovered:
        uncovered[t] = class_of(t)
        members.setdefault(uncovered[t], []).append(t)
    # By a value: those that it has still to meet. For triples an estimate of what is to gain.
    partners = {}
    for t in uncovered:
        for one, other in itertools.permutations(t, 2):
            partners.setdefault(one, {}).setdefault(other, 0)
            partners[one][other] += 1
    entangled = {f for scope in model.scopes if len(scope) > 2 for f in scope}
    rows = []

    def preferred(chosen, factor, places):
        """By the tuples that a value may cover with those chosen; ties in random order."""
        places = list(places)
        generator.shuffle(places)
        others = [(f, place) for f, place in enumerate(chosen) if place is not None]
        def gain(place):
            met = partners.get((factor, place), {})
            return sum(1 for other in others if met.get(other))
        return sorted(places, key=gain, reverse=True)

    def make_row(first):
        """A row with the values of a tuple."""
        chosen = [None] * len(counts)
        domains = [list(range(count)) for count in counts]
        for factor, place in first:
            if place not in domains[factor]:
                return None
            domains = model.choose(chosen, domains, factor, place)
            if domains is None:
                return None
        # Factors with constraints among three or more first: these show late that no way is left.
        order = list(range(len(counts)))
        generator.shuffle(order)
        order.sort(key=lambda f: f not in entangled)
        start = list(chosen)
        try:
            return chosen if model.complete(chosen, domains, order, preferred, [2000]) else None
        except OutOfPatience:
            return start if model.complete(start, domains, None, preferred) else None

    def remove(t):
        del uncovered[t]
        for one, other in itertools.permutations(t, 2):
            partners[one][other] -= 1

    while uncovered:
        first = next(iter(uncovered))
        best, of_best = None, ()
        for _ in range(candidates):
            row = make_row(first)
            if row is None:
                break
            found = {uncovered[t] for t in itertools.combinations(enumerate(row), strength)
                     if t in uncovered}
            if best is None or len(found) > len(of_best):
                best, of_best = row, found
        if best is None:
            remove(first)  # cannot be: the search has tried all ways
            continue
        for t in itertools.chain.from_iterable(members[key] for key in of_best):
            if t in uncovered:
                remove(t)
        rows.append({name: model.factors[name][place] for name, place in zip(model.names, best)})
    return rows
