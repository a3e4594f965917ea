#!/usr/bin/env python3
"""Makes what cacti.c knows of CACTI 7 from files of its runs: cacti_data.h, and of each kind of array cacti_KIND.csv.

    python3 src/model/area/cacti_fit.py src/model/area RUNS.csv...
    python3 src/model/area/cacti_fit.py --unseen RUNS.csv...

Each kind of array has two layers:

- A closed form: a sum of non-negative terms, fitted by least squares of the relative error; one
  set of coefficients a node, for the area one set in squares of the feature size. Every term grows
  with capacity, ways and ports, hence so does the sum. It serves outside the table.
- A table: the runs themselves on a grid. At a point that CACTI refuses, or that nobody ran, the
  ratio between CACTI and the closed form is that of the nearest runs, weighed by ordinary kriging
  with a linear variogram (Cressie, Statistics for Spatial Data, 1993, section 3.2): a run counts
  the more the nearer it is, and less beside others. Of a data array those are near that read as
  many bits in all (ways times width), because they have the same rows and columns. CACTI's
  areas and leakages never fall when the capacity doubles, so what was filled in between them may not
  either; its times and energies do fall here and there, where it chooses other rows and columns.

--unseen says how far the model is off arrays that nobody ran: it deals the geometries of the runs
(capacity, ways, ports and width, at all nodes and with all lines) to FOLDS parts, leaves out one part
after the other, and estimates it from the rest.

A file has one row per run: its columns are CACTI's input (`node`, `bytes`, `ways`, `line`, `ports`,
`banks`, `out_bits`, ...) and output (`area_mm2` and the shares of data and tags, `access_ns`,
`read_nJ`, `search_nJ`, `leak_mW`). Needs nothing but Python; takes a quarter of a minute, --unseen
FOLDS times that.
"""
import contextlib
import csv
import functools
import heapq
import itertools
import math
import random
import sys
from collections import defaultdict

NODES = [90, 65, 45, 32, 22]
PORTS = [0, 1, 3]  # ports beyond the first
EXTRA_PORTS = {"1RW": 0, "1R1W": 1, "2R2W": 3}
AREA, TIME, ENERGY, LEAKAGE, LATE = range(5)
NAMES = ["area", "time", "energy", "leakage", "late"]
TAG_BITS = 32  # of the entries in the tables of tags
CACHES = ("main", "width", "threehalves")  # grids of caches of one bank
NEAR = 12  # runs that a point without one is made of
FOLDS = 10
ASCENDING = (AREA, LEAKAGE)  # with the capacity: CACTI's own never fall
FILLED = 0.05  # the weight of a value that no run gave, beside one
ADDRESS = 47  # CACTI: 42 bits of address and 5 more in every tag


# ---- closed forms ---------------------------------------------------------------------------------
# A shape is (bits, width, ways, ports) of a data or tag array, (entries, tag, payload) of an
# associative one. cacti.c has the same terms.


def cell_area(ports):
    return (10 + 5 * ports) * (14.6 + 5 * ports)


def array_terms(metric, shape, node, area):
    bits, width, ways, ports = shape
    feature = node / 1000
    if metric == AREA:
        cells, square = bits * cell_area(ports), width * width
        return [cells, math.sqrt(cells), bits / width, square * ways, square * ways * ports,
                square * ways * ports * ports, square * math.sqrt(ways), width * ways * (1 + ports),
                square * ways * ways]
    side = math.sqrt(area) * feature
    if metric in (TIME, LATE):
        return [1, max(0, math.log2(bits) - 9), side, width * ways * feature,
                math.sqrt(bits * cell_area(ports)) * feature]
    if metric == ENERGY:
        return [width * side, width * ways, width * ways * side, math.sqrt(bits),
                math.sqrt(width * bits), width * width * ways, bits]
    millions = bits / 1e6
    return [millions, millions * ports, math.sqrt(millions), width * ways * ports / 1e3,
            width * width * ways / 1e6]


def associative_terms(metric, shape, node, area):
    entries, tag, payload = shape
    feature = node / 1000
    if metric == AREA:
        cam, ram = entries * tag * 292, entries * payload * 146
        return [cam, ram, entries, payload * payload, payload + tag, math.sqrt(cam + ram), tag * tag, 1]
    side = math.sqrt(area) * feature
    if metric == TIME:
        return [1, math.log2(entries), side]
    if metric == ENERGY:
        return [1, entries, entries * tag * feature, payload * side, side, entries * side, tag * side]
    return [1, entries, tag, payload, payload * payload, entries * tag, entries * payload]


def solve(matrix, right):
    """Gaussian elimination with pivots; a singular direction gets zero."""
    size = len(right)
    rows = [list(matrix[i]) + [right[i]] for i in range(size)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda i: abs(rows[i][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        if abs(rows[column][column]) < 1e-300:
            continue
        for i in range(size):
            if i != column:
                factor = rows[i][column] / rows[column][column]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[column])]
    return [rows[i][size] / rows[i][i] if abs(rows[i][i]) >= 1e-300 else 0 for i in range(size)]


def non_negative(samples):
    """Non-negative least squares of the relative error (Lawson and Hanson): samples are (terms,
    value)."""
    count = len(samples[0][0])
    scale = [max(terms[i] / value for terms, value in samples) or 1 for i in range(count)]
    matrix = [[0.0] * count for _ in range(count)]
    right = [0.0] * count
    for terms, value in samples:
        scaled = [term / value / unit for term, unit in zip(terms, scale)]
        for i, a in enumerate(scaled):
            right[i] += a
            for j, b in enumerate(scaled):
                matrix[i][j] += a * b
    found, used = [0.0] * count, []
    while True:
        gradient = [right[i] - sum(matrix[i][j] * found[j] for j in range(count)) for i in range(count)]
        free = [i for i in range(count) if i not in used and gradient[i] > 1e-9 * len(samples)]
        if not free:
            return [value / unit for value, unit in zip(found, scale)]
        used.append(max(free, key=lambda i: gradient[i]))
        while True:
            part = solve([[matrix[i][j] for j in used] for i in used], [right[i] for i in used])
            if min(part) > 0:
                break
            step = min(found[i] / (found[i] - new) for i, new in zip(used, part) if new <= 0)
            for i, new in zip(used, part):
                found[i] += step * (new - found[i])
            used = [i for i in used if found[i] > 1e-12]
        found = [0.0] * count
        for i, new in zip(used, part):
            found[i] = new


class ClosedForm:
    def __init__(self, terms, samples):
        """samples: (node, shape) -> metrics. Areas are in squares of the feature size."""
        self.terms = terms
        self.area = non_negative([(terms(AREA, shape, node, 0), values[AREA])
                                  for (node, shape), values in samples.items()])
        self.others = {}
        for metric in (TIME, ENERGY, LEAKAGE):
            for node in NODES:
                self.others[metric, node] = non_negative(
                    [(terms(metric, shape, node, self.area_of(shape)), values[metric])
                     for (at, shape), values in samples.items() if at == node])

    def area_of(self, shape):
        return sum(a * b for a, b in zip(self.area, self.terms(AREA, shape, NODES[0], 0)))

    def __call__(self, metric, node, shape):
        area = self.area_of(shape)
        if metric == AREA:
            return area
        coefficients = self.others[TIME if metric == LATE else metric, node]
        return sum(a * b for a, b in zip(coefficients, self.terms(metric, shape, node, area)))


# ---- the runs -------------------------------------------------------------------------------------


def read_runs(paths, banked=False):
    """Valid runs with high-performance cells at 350 K, of one bank or of several; numbers as
    numbers."""
    for path in paths:
        with open(path, newline="") as file:
            for row in csv.DictReader(file):
                plain = (row["ok"], row["cell"], row["temp"], row["mode"])
                if (plain != ("1", "hp", "350", "normal") or row["ports"] not in EXTRA_PORTS
                        or (row["banks"] != "1") != banked):
                    continue
                for name, text in row.items():
                    try:
                        row[name] = float(text)
                    except ValueError:
                        pass
                yield row


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def median(values):
    return sorted(values)[len(values) // 2]


def collect(rows):
    """The runs by kind of array: (node, shape) -> metrics, the mean of runs that differ in what
    should not matter. A cache gives its data and its tag array; the leakage that CACTI adds for
    power gates is spread over both."""
    found = {kind: defaultdict(list) for kind in ("data", "tag", "fa", "cam")}
    late = defaultdict(list)
    for row in rows:
        node, squares = int(row["node"]), 1e6 / (row["node"] / 1000) ** 2
        ports, bits = EXTRA_PORTS[row["ports"]], 8 * row["bytes"]
        entries = row["bytes"] / row["line"]
        own = (row["area_mm2"] * squares, row["access_ns"], row["read_nJ"], row["leak_mW"])
        if row["grid"] == "ram":
            found["data"][node, (bits, row["out_bits"], 1, ports)].append(own)
        elif row["grid"] == "fa" and ports == 0:
            tag = 4 * math.ceil((ADDRESS - math.log2(row["line"])) / 4)
            found["fa"][node, (entries, tag, 8 * row["line"])].append(own[:2] + (row["search_nJ"], own[3]))
        elif row["grid"] == "cam":
            tag = 8 * math.ceil(row["tag_bits"] / 8)
            found["cam"][node, (entries, tag, 0)].append(own[:2] + (row["search_nJ"], own[3]))
        elif row["grid"] in CACHES:
            gates = row["leak_mW"] / (row["data_leak"] + row["tag_leak"])
            width = ADDRESS - math.log2(row["line"]) - math.log2(row["sets"])
            data = (node, (bits, row["out_bits"], row["ways"], ports))
            found["data"][data].append((row["data_area"] * squares, row["data_ns"],
                                        row["data_rd_nJ"], row["data_leak"] * gates))
            found["tag"][node, (entries * width, width, row["ways"], ports)].append(
                (row["tag_area"] * squares, row["tag_ns"], row["tag_rd_nJ"], row["tag_leak"] * gates))
            late[data].append((row["access_ns"] > 1.0001 * row["data_ns"],
                               row["access_ns"] - row["tag_ns"]))
    samples = {kind: {key: tuple(map(median, zip(*runs))) for key, runs in table.items()}
               for kind, table in found.items()}
    return samples, late


# ---- tables ---------------------------------------------------------------------------------------


def pool(values, weights):
    """The nearest ascending sequence: neighbours that fall share their mean."""
    blocks = []
    for value, weight in zip(values, weights):
        blocks.append([value, weight, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (a, m, i), (b, n, j) = blocks[-2:]
            blocks[-2:] = [[(a * m + b * n) / (m + n), m + n, i + j]]
    return [value for value, _, count in blocks for _ in range(count)]


class Table:
    """Values of one metric at one node over the axes of a kind. `where` says where a point lies among
    others: distances between such places are what runs are weighed by."""

    def __init__(self, axes, where):
        self.axes = axes
        self.points = list(itertools.product(*(range(len(axis)) for axis in axes)))
        self.places = {point: where(*(axis[i] for axis, i in zip(axes, point))) for point in self.points}
        self.nearest = functools.cache(self.nearest)
        self.weights = functools.cache(self.weights)

    def distance(self, point, other):
        return math.dist(self.places[point], self.places[other])

    def nearest(self, point, known):
        places, here = self.places, self.places[point]
        return tuple(heapq.nsmallest(NEAR, known, key=lambda other: math.dist(places[other], here)))

    def weights(self, point, near):
        """Of the values at `near`, so that they add up to 1 and the error expected at `point` is least."""
        rows = [[self.distance(a, b) for b in near] + [1] for a in near] + [[1] * len(near) + [0]]
        return solve(rows, [self.distance(a, point) for a in near] + [1])[:-1]

    def fill(self, known, closed):
        """known, closed: point -> value. Returns a value for every point."""
        logs = {point: math.log(value / closed[point]) for point, value in known.items()}
        runs, filled = frozenset(known), dict(known)
        for point in self.points:
            if point not in known:
                near = self.nearest(point, runs)
                weights = self.weights(point, near)
                filled[point] = closed[point] * math.exp(sum(w * logs[q] for w, q in zip(weights, near)))
        return filled

    def ascend(self, values, known):
        """Makes values ascend with the capacity, the first axis. Runs weigh more than what was filled in."""
        ascending = dict(values)
        for rest in itertools.product(*(range(len(axis)) for axis in self.axes[1:])):
            line = [(i, *rest) for i in range(len(self.axes[0]))]
            logs = pool([math.log(values[q]) for q in line], [1 if q in known else FILLED for q in line])
            ascending.update(zip(line, map(math.exp, logs)))
        return ascending


class Kind:
    """A kind of array: its axes, and what shape a point of them has."""

    def __init__(self, name, axes, shape, where, terms):
        self.name, self.axes, self.shape, self.terms = name, axes, shape, terms
        self.table = Table([axis[1] for axis in axes], where)

    def fit(self, samples, late=None, more=None):
        """more: runs of another kind that the closed form is fitted to as well."""
        self.closed = ClosedForm(self.terms, {**samples, **(more or {})})
        self.values = {}
        shapes = {point: self.shape(*(axis[1][i] for axis, i in zip(self.axes, point)))
                  for point in self.table.points}
        for node in NODES:
            for metric in (AREA, TIME, ENERGY, LEAKAGE):
                closed = {point: self.closed(metric, node, shape) for point, shape in shapes.items()}
                known = self.known(node, metric, shapes, samples)
                values = self.table.fill(known, closed)
                self.values[node, metric] = self.table.ascend(values, known) if metric in ASCENDING else values
            if late:
                self.values[node, LATE] = self.fit_late(node, shapes, late)
        return self

    def fit_late(self, node, shapes, late):
        """The part of the access time that follows the tags shows only in runs whose tags are
        slow; the others give a bound. It is filled in as a share of the access time."""
        known, time = {}, self.values[node, TIME]
        for point, shape in shapes.items():
            seen = [value for counts, value in late.get((node, shape), []) if counts]
            if seen:
                known[point] = median(seen)
        filled = self.table.fill(known, time)
        for point, shape in shapes.items():
            bounds = [value for counts, value in late.get((node, shape), []) if not counts]
            if point not in known and bounds:
                filled[point] = min(filled[point], min(bounds))
        return filled

    def known(self, node, metric, shapes, samples):
        return {point: samples[node, shape][metric] for point, shape in shapes.items()
                if (node, shape) in samples}


class TagKind(Kind):
    """Tags: CACTI chooses their width, the table has one. The closed form converts."""

    def known(self, node, metric, shapes, samples):
        runs = defaultdict(list)
        for (at, (bits, width, ways, ports)), values in samples.items():
            if at == node:
                unit = self.closed(metric, node, (bits, width, ways, ports))
                runs[round(bits / width), ways, ports].append(values[metric] / unit)
        known = {}
        for point, shape in shapes.items():
            bits, width, ways, ports = shape
            found = runs[round(bits / width), ways, ports]
            if found:
                known[point] = mean(found) * self.closed(metric, node, shape)
        return known


def powers(low, high, halves=range(0)):
    """2^low to 2^high, and 1.5 * 2^i for i in `halves`."""
    return sorted([2.0 ** i for i in range(low, high + 1)] + [1.5 * 2.0 ** i for i in halves])


def place(*coordinates):
    return tuple(map(math.log2, coordinates))


def place_data(bits, ways, ports, width):
    """What is read in all tells most of the rows and columns of a data array, and ports are far apart:
    weighed by the errors of runs that were left out."""
    return math.log2(bits), math.log2(ways), 2 * PORTS.index(ports), math.log2(width), 4 * math.log2(ways * width)


def place_tag(lines, ways, ports):
    return math.log2(lines), math.log2(ways), 2 * PORTS.index(ports)


def kinds():
    return {
        "data": Kind("data", [("bits", powers(9, 25, range(14, 25))), ("ways", powers(0, 4)), ("ports", PORTS),
                              ("width", powers(3, 11))],
                     lambda bits, ways, ports, width: (bits, width, ways, ports),
                     place_data, array_terms),
        "tag": TagKind("tag", [("lines", powers(2, 17, range(5, 16))), ("ways", powers(0, 4)), ("ports", PORTS)],
                       lambda lines, ways, ports: (lines * TAG_BITS, TAG_BITS, ways, ports),
                       place_tag, array_terms),
        "fa": Kind("fa", [("entries", powers(1, 12)), ("payload", powers(6, 11))],
                   lambda entries, payload:
                   (entries, 4 * math.ceil((ADDRESS - math.log2(payload / 8)) / 4), payload),
                   place, associative_terms),
        "cam": Kind("cam", [("entries", powers(1, 10)), ("tag", [16, 24, 32, 40, 48, 56, 64, 128])],
                    lambda entries, tag: (entries, tag, 0), place, associative_terms),
    }


def fit(rows):
    samples, late = collect(rows)
    fitted = kinds()
    for name, kind in fitted.items():
        # Only CAMs tell what the width of a tag does: those of associative caches are all alike.
        kind.fit(samples[name], late if name == "data" else None,
                 samples["cam"] if name == "fa" else None)
    return fitted


# ---- how good it is -------------------------------------------------------------------------------


def between(axis, value):
    """Where value lies on an ascending axis: the point below and the share of the one above."""
    value = min(max(value, axis[0]), axis[-1])
    low = max(i for i in range(len(axis) - 1) if axis[i] <= value)
    return low, (value - axis[low]) / (axis[low + 1] - axis[low])


def look_up(kind, node, metric, coordinates, shape):
    """The estimate of cacti.c at a fitted node: linear between the points of the table (in squares of
    the width), times the closed form over that of the nearest place in the table."""
    clipped = [min(max(at, axis[0]), axis[-1]) for (_, axis), at in zip(kind.axes, coordinates)]
    places = []
    for (name, axis), at in zip(kind.axes, clipped):
        if name == "width":
            axis, at = [value * value for value in axis], at * at
        places.append(between(axis, at))
    values, total = kind.values[node, metric], 0
    for corner in itertools.product((0, 1), repeat=len(places)):
        weight = math.prod(share if side else 1 - share for side, (_, share) in zip(corner, places))
        if weight:
            total += weight * values[tuple(low + side for side, (low, _) in zip(corner, places))]
    base = kind.shape(*clipped)
    if kind.terms is array_terms:  # a ratio that depended on the ways might fall with them
        shape, base = shape[:2] + (1,) + shape[3:], base[:2] + (1,) + base[3:]
    return total * kind.closed(metric, node, shape) / kind.closed(metric, node, base)


def estimate(fitted, row):
    """What array.c makes of a run of a fitted node: area in mm2, ns, nJ, mW."""
    node, ports = int(row["node"]), EXTRA_PORTS[row["ports"]]
    bits, lines, ways = 8 * row["bytes"], row["bytes"] / row["line"], row["ways"]
    shape = (bits, row["out_bits"], ways, ports)
    data = [look_up(fitted["data"], node, metric, (bits, ways, ports, row["out_bits"]), shape)
            for metric in range(5)]
    if row["grid"] == "ram":
        return (data[AREA] * (node / 1000) ** 2 * 1e-6, *data[TIME:LATE])
    tag = ADDRESS - math.log2(row["line"]) - math.log2(row["sets"])
    tags = [look_up(fitted["tag"], node, metric, (lines, ways, ports), (lines * tag, tag, ways, ports))
            for metric in range(4)]
    return ((data[AREA] + tags[AREA]) * (node / 1000) ** 2 * 1e-6, max(data[TIME], tags[TIME] + data[LATE]),
            data[ENERGY] + tags[ENERGY], data[LEAKAGE] + tags[LEAKAGE])


def scale(pairs):
    """The factor k of the least squares of y - k x; pairs are (x, y)."""
    return sum(x * y for x, y in pairs) / sum(x * x for x, _ in pairs)


def fit_banks(fitted, rows):
    """The wires between banks, from runs of several. Each level of their tree takes a multiple of the
    square of the width; an access takes a multiple of the time, and of the energy a bit, that the
    closed forms give a wire as long as the side of an array. Returns the three multiples."""
    closed, area, time, energy = fitted["data"].closed, [], [], []
    for row in rows:
        banks, node, width = row["banks"], int(row["node"]), row["out_bits"]
        squares = (node / 1000) ** 2 * 1e-6
        bank = dict(row, bytes=row["bytes"] / banks, sets=row["sets"] / banks)
        ours = estimate(fitted, bank)
        unit = 1 / row["area_mm2"]
        area.append((unit * squares * width * width * math.log2(banks),
                     unit * (row["area_mm2"] - banks * ours[AREA])))
        length = 1000 * (math.sqrt(row["area_mm2"]) - math.sqrt(ours[AREA]))
        time.append((wire_time(closed, node) * length / row["access_ns"],
                     (row["access_ns"] - ours[TIME]) / row["access_ns"]))
        energy.append((wire_energy(closed, node) * width * length / row["read_nJ"],
                       (row["read_nJ"] - ours[ENERGY]) / row["read_nJ"]))
    return scale(area), scale(time), scale(energy)


def wire_time(closed, node):
    """ns a um of the side of an array: the terms of its whole side and of that of its cells."""
    terms = closed.others[TIME, node]
    return terms[2] + terms[4]


def wire_energy(closed, node):
    """nJ a bit and um of the side."""
    return closed.others[ENERGY, node][0]


COLUMNS = ("area_mm2", "access_ns", "read_nJ", "leak_mW")


def errors(fitted, rows):
    """Relative errors of the four values of each run of a cache or RAM."""
    return [[abs(ours / row[column] - 1) for ours, column in zip(estimate(fitted, row), COLUMNS)]
            for row in rows]


def print_errors(title, found):
    cells = []
    for values in map(sorted, zip(*found)):
        cells.append(f"{100 * values[len(values) // 2]:.1f} / {100 * values[len(values) * 95 // 100]:.1f}")
    print(f"| {title} | {len(found)} | {' | '.join(cells)} |", flush=True)


def geometry(row):
    return row["grid"] == "ram", row["bytes"], row["ways"], row["ports"], row["out_bits"]


def print_unseen(paths):
    rows = list(read_runs(paths))
    tested = [row for row in rows if row["grid"] in CACHES or (row["grid"] == "ram" and row["ports"] != "2RW")]
    geometries = sorted({geometry(row) for row in tested})
    random.Random(1).shuffle(geometries)
    fold = {key: i % FOLDS for i, key in enumerate(geometries)}
    found = []
    for part in range(FOLDS):
        left = fit([row for row in rows if fold.get(geometry(row)) != part])
        out = [row for row in tested if fold[geometry(row)] == part]
        found += zip(out, errors(left, out))
    print("| median / 95th percentile of the error in % | runs left out | area | time | read energy | leakage |\n"
          "| --- | ---: | --- | --- | --- | --- |")
    for title, grids in (("all", CACHES + ("ram",)), ("caches of sizes 2^k, all widths", ("main", "width")),
                         ("of these: 128 and 512 bits of each way", ("width",)),
                         ("caches of sizes 1.5 x 2^k", ("threehalves",)), ("plain RAMs", ("ram",))):
        print_errors(title, [error for row, error in found if row["grid"] in grids])


# ---- output ---------------------------------------------------------------------------------------


HEAD = """/* What cacti.c knows of CACTI 7. Made by cacti_fit.py, which says how; do not edit.
 *
 * Nodes are rows: 90, 65, 45, 32, 22 nm. Areas are in squares of the feature size, times in ns,
 * energies in nJ, leakages in mW. The tables are cacti_KIND.csv: for each node and metric a line
 * per point of the first axis, the last axis fastest. A code is a number with a mantissa of ten
 * bits and an exponent of six (cacti.c, decode). */
#pragma once

/* clang-format off */

#include <stdint.h>

enum { NODES = 5 };
static const double node_nm[NODES] = {%s};
static const double tag_bits_of_table = %d;
""" % (", ".join(map(str, NODES)), TAG_BITS)


def encode(value):
    exponent = math.floor(math.log2(value))
    mantissa = round((value / 2.0 ** exponent - 1) * 1024)
    if mantissa == 1024:
        exponent, mantissa = exponent + 1, 0
    assert 0 <= exponent + 24 < 64, value
    return (exponent + 24) << 10 | mantissa


def write_table(folder, kind, metrics):
    """The codes of a kind; every line ends with a comma, as C reads them."""
    points = kind.table.points
    width = len(points) // len(kind.axes[0][1])
    with open(f"{folder}/cacti_{kind.name}.csv", "w", encoding="ascii") as file:
        for node, metric in itertools.product(NODES, metrics):
            codes = [str(encode(kind.values[node, metric][p])) for p in points]
            for i in range(0, len(codes), width):
                print(",".join(codes[i:i + width]) + ",", file=file)


def print_kind(folder, kind):
    print(f"\n/* ---- {kind.name} ---- */\n")
    for axis, points in kind.axes:
        print(f"static const double {kind.name}_{axis}[] = {{{', '.join(f'{at:g}' if at < 1e5 else str(int(at)) for at in points)}}};")
    print(f"static const double {kind.name}_area_terms[] = {{{', '.join(f'{c:.6g}' for c in kind.closed.area)}}};")
    for metric in (TIME, ENERGY, LEAKAGE):
        rows = [kind.closed.others[metric, node] for node in NODES]
        print(f"static const double {kind.name}_{NAMES[metric]}_terms[NODES][{len(rows[0])}] = {{")
        print(",\n".join("    {" + ", ".join(f"{c:.6g}" for c in row) + "}" for row in rows) + "};")
    metrics = [metric for metric in range(5) if (NODES[0], metric) in kind.values]
    print(f"enum {{ {kind.name}_metrics = {len(metrics)}, {kind.name}_points = {len(kind.table.points)} }};")
    print(f"static const uint16_t {kind.name}_table[NODES * {kind.name}_metrics * {kind.name}_points] = {{")
    print(f'#include "model/area/cacti_{kind.name}.csv"')
    print("};")
    write_table(folder, kind, metrics)


def print_banks(fitted, found):
    area, time, energy = found
    closed = fitted["data"].closed
    times = [time * wire_time(closed, node) for node in NODES]
    energies = [energy * wire_energy(closed, node) for node in NODES]
    print("\n/* ---- wires between banks: F^2 a level of the tree and squared bit of width, ns a um, nJ a"
          "\n * bit and um ---- */\n")
    print(f"static const double bank_tree_area = {area:.6g};")
    for name, values in (("time", times), ("energy", energies)):
        print(f"static const double bank_wire_{name}[NODES] = {{{', '.join(f'{v:.6g}' for v in values)}}};")


def main():
    if len(sys.argv) > 2 and sys.argv[1] == "--unseen":
        print_unseen(sys.argv[2:])
    elif len(sys.argv) > 2:
        fitted = fit(list(read_runs(sys.argv[2:])))
        with open(f"{sys.argv[1]}/cacti_data.h", "w", encoding="ascii") as header, contextlib.redirect_stdout(header):
            print(HEAD, end="")
            for kind in fitted.values():
                print_kind(sys.argv[1], kind)
            print_banks(fitted, fit_banks(fitted, list(read_runs(sys.argv[2:], banked=True))))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
