# SPDX-License-Identifier: Apache-2.0
# Copyright The Sfumato authors
"""Reads rows that `sfumato export` wrote, combines them with correct 95% intervals, and plots them.

One file, Python 3.8 or later, no other package. Copy it next to your script, or set PYTHONPATH to its folder.

    import sfumato_rows as sr
    rows = sr.read("orders.csv").where(output="order-counts", measure="count")
    print(sr.sum_rows(rows.where(subject="east")))                          # 13,902 (13,794 to 14,010)
    print(sr.difference(rows.where(subject="east"), rows.where(subject="west")))
    sr.plot(rows, "orders.svg")

A combination that has no valid interval raises Refused. Its message says what to do instead.

How intervals are made: noise of different draws is independent, so the noise of a weighted sum has the known
characteristic function of weighted Laplace and Gaussian noise. The interval of a sum reaches to the 97.5% quantile of
that noise. The interval of a ratio x / y holds every r for which x - r y is within its own noise (Fieller).
"""
import collections
import csv
import datetime
import io
import json
import math
import re

__all__ = ["Combined", "Refused", "Row", "Rows", "difference", "plot", "pooled_mean", "ratio", "read", "sum_rows", "weighted_mean"]

FIELDS = (
    "subject", "window_start", "window_end", "output", "measure", "value", "low", "high", "deviation", "noise",
    "unknown", "clamped", "left_out", "version", "released", "noise_scope",
)
_KEYS = {  # two rows have independent noise unless they agree in all that the scopes of both name
    "row": ("subject", "output", "window", "group", "measure"),
    "group": ("subject", "output", "window", "group"),
    "series": ("subject", "output", "group"),
    "window": ("subject", "output", "window"),
    "output": ("subject", "output"),
    "pipeline": ("subject",),
}
NORMAL = 1.959963984540054  # the 97.5% quantile of a standard Gaussian
LAPLACE = math.log(20) / math.sqrt(2)  # the 97.5% quantile of a Laplace with standard deviation 1
LEVEL = 0.95
_WHOLE = re.compile(r"[+-]?\d+\Z")
_LINEAR = ("count", "sum", "users", "noisy count", "other", "part", "records")
_MOVED = {"estimated": "noisy count", "share": "noisy count or count"}


class Refused(ValueError):
    """The combination has no valid interval. The message says why, and what to do instead."""


class Row:
    """One number of a release. `group` holds the category columns that are not empty, as (column, value) pairs."""

    def __init__(self, cells):
        missing = [name for name in FIELDS if name not in cells]
        if missing:
            raise ValueError("no column %s: read a file that `sfumato export` wrote" % ", ".join(missing))
        text = {name: "" if cell is None else cell for name, cell in cells.items()}
        self.subject, self.output, self.measure = text["subject"], text["output"], text["measure"]
        self.noise, self.noise_scope = text["noise"], text["noise_scope"]
        self.window_start, self.window_end = _time(text["window_start"]), _time(text["window_end"])
        self.group = tuple((name, str(cell)) for name, cell in text.items() if name not in FIELDS and cell != "")
        self.value, self.low, self.high = (_number(text[name]) for name in ("value", "low", "high"))
        self.deviation, self.left_out = _number(text["deviation"]), _number(text["left_out"])
        self.version, self.released = text["version"], text["released"]
        self.unknown, self.clamped = _truth(text["unknown"]), _truth(text["clamped"])
        if self.value is None:
            raise ValueError("a row has no value: %s" % self)
        if self.noise_scope not in _KEYS and not self.is_exact:
            raise ValueError("unknown noise scope %r: this module is older than the file" % self.noise_scope)

    @property
    def window(self):
        """Start and end."""
        return self.window_start, self.window_end

    @property
    def kind(self):
        """The measure without the number that it is of: `count` of `running count`, `part` of `part 1 amount`."""
        words = re.sub(r"\A(running|last) ", "", self.measure)
        return next((kind for kind in _LINEAR if words == kind or words.startswith(kind + " ")), words.split(" ")[0])

    @property
    def spans_windows(self):
        """Whether the number is about more windows than its own."""
        return self.measure.startswith(("running ", "last "))

    @property
    def is_exact(self):
        """Whether the number is a public fact: without noise."""
        return not self.noise and not self.noise_scope

    def __str__(self):
        place = [self.output, self.subject] + [value for _, value in self.group] + [self.measure]
        return "%s at %s" % (" ".join(word for word in place if word), _iso(self.window_start))

    def __getitem__(self, column):
        if column in FIELDS:
            return getattr(self, column)
        return dict(self.group).get(column, "")


class Rows(list):
    """Rows in the order of the file."""

    def where(self, since=None, until=None, **cells):
        """Rows whose columns have the given text, or one of several. Windows start at `since` or later, and before `until`."""
        since, until = (None if time is None else _time(time) for time in (since, until))
        wanted = {column: _choices(column, cell) for column, cell in cells.items()}
        return Rows(
            row
            for row in self
            if (since is None or row.window_start >= since)
            and (until is None or row.window_start < until)
            and all(row[column] in choices for column, choices in wanted.items())
        )

    def by(self, *columns):
        """A dictionary from the cells of these columns to the rows that have them."""
        found = {}
        for row in self:
            key = tuple(row[column] for column in columns)
            found.setdefault(key[0] if len(columns) == 1 else key, Rows()).append(row)
        return found


class Combined:
    """A number computed from rows, with its 95% interval. `terms` pairs each weight with its row."""

    def __init__(self, value, low, high, terms, deviation=None):
        self.value, self.low, self.high, self.terms, self.deviation = value, low, high, terms, deviation
        self.window_start = min(row.window_start for _, row in terms)
        self.window_end = max(row.window_end for _, row in terms)
        self.left_out = max((row.left_out for _, row in terms if row.left_out is not None), default=None)

    def __str__(self):
        return "%s (%s to %s)" % tuple(_short(number, self) for number in (self.value, self.low, self.high))

    __repr__ = __str__


def read(source):
    """Rows of a file ending in .csv or .jsonl, or of an open text file."""
    if hasattr(source, "read"):
        return _parse(source.read())
    if not str(source).endswith((".csv", ".jsonl")):
        raise ValueError("%s: give a file ending in .csv or .jsonl, such as `sfumato export TOPIC --to rows.csv` writes" % source)
    with open(source, encoding="utf-8", newline="") as file:
        return _parse(file.read())


def _parse(text):
    if text.lstrip().startswith("{"):
        return Rows(Row(json.loads(line)) for line in text.split("\n") if line.strip())
    lines = csv.DictReader(io.StringIO(text, newline=""), restval="")
    return Rows(Row({name: _unmarked(cell) for name, cell in cells.items()}) for cells in lines)


def _unmarked(cell):
    """Text that a spreadsheet would take for a formula has an apostrophe before it."""
    return cell[1:] if cell.startswith("'") else cell


def sum_rows(rows):
    """Sum of one measure over windows, subjects or groups that share no records and no draws."""
    terms = [(1, row) for row in rows]
    _require_linear(terms)
    if len({row.measure for _, row in terms}) > 1:
        raise Refused("%s and %s measure different things: select one with where(measure=...)" % _two(terms, lambda row: row.measure))
    for _, row in terms if len(terms) > 1 else ():
        if row.kind == "users":
            raise Refused(
                "%s counts different users, and a user of two windows or subjects counts in each: average the rows with"
                " weighted_mean, or let the pipeline count users `over` several windows" % row
            )
    _require_disjoint(terms)
    return _linear(terms)


def weighted_mean(rows, weights=None):
    """Mean of one measure, with public weights: a number for each row (equal weights if None)."""
    rows = list(rows)
    weights = [1] * len(rows) if weights is None else list(weights)
    if len(weights) != len(rows) or any(not weight >= 0 for weight in weights) or not 0 < sum(weights) < math.inf:
        raise Refused("give one weight of 0 or more for each of the %d rows, and not only zeros" % len(rows))
    terms = [(weight, row) for weight, row in zip(weights, rows)]
    _require_linear(terms)
    if len({row.measure for row in rows}) > 1:
        raise Refused("%s and %s measure different things: select one with where(measure=...)" % _two(terms, lambda row: row.measure))
    total = sum(weights)
    return _linear([(weight / total, row) for weight, row in terms])


def difference(first, second):
    """first - second: each a row, rows (their sum), or a combination of rows."""
    if _is_row(first) and _is_row(second) and not (_adds(_only(first)) and _adds(_only(second))):
        return _apart(_only(first), _only(second))
    return _linear(_subtracted(_terms(first), _terms(second)))


def ratio(first, second):
    """first / second: each a row, rows (their sum), or a combination. Rows may be part of both, as in a share."""
    return _fieller(_ratio_terms(first, second), "add up more windows or groups below, or take a coarser group")


def _ratio_terms(first, second):
    """Terms (weight above, weight below, row)."""
    terms = {}
    for place, side in enumerate((_terms(first), _terms(second))):
        for weight, row in side:
            key = _key(row)
            pair = terms.setdefault(key, [0, 0, row])
            pair[place] += weight
    terms = list(terms.values())
    _require_independent([row for _, _, row in terms])
    return terms


def pooled_mean(rows):
    """Mean of a number over windows and groups, from all rows of a mean release: `part`, `lowest`, `highest` and others."""
    terms, low, high = _pooled_terms(rows)
    mean = _fieller(terms, "add more windows")
    return Combined(*(float(_within(number, low, high)) for number in (mean.value, mean.low, mean.high)), mean.terms)


def _pooled_terms(rows):
    """Terms (weight in the sum, weight in the number of records, row), and the numbers' bounds."""
    cells, records, numbers = {}, {}, set()
    for row in rows:
        name, _, number = row.measure.partition(" of ")
        release = (row.output, row.subject, row.window)
        if row.measure == "records":
            records[release] = row
        elif number:
            numbers.add(number)
            found = cells.setdefault(release + (row.group,), {})
            if name in found:
                raise Refused("%s is there twice, or with another number: drop duplicates, and pass one number's rows" % row)
            found[name] = row
    if len(numbers) > 1:
        raise Refused("rows of the numbers %s: pass one number's rows" % ", ".join(sorted(numbers)))
    terms, ranges = [], []
    for place, found in cells.items():
        if "part 0" in found:
            terms += _parts(found, records.get(place[:3]), ranges)
    if not terms:
        raise Refused("no `part` rows of one window: pass all rows of a mean release, not only those of one measure")
    _require_linear([(1, row) for _, _, row in terms if not row.is_exact])
    _require_disjoint([(1, row) for _, _, row in terms if row.measure.startswith("part 0 ")])
    return terms, min(ends[0] for ends in ranges), max(ends[1] for ends in ranges)


def _parts(found, records, ranges):
    """Terms (weight in the sum, weight in the number of records, row) of one window and group."""
    for name in ("lowest", "highest"):
        if name not in found:
            raise Refused("no `%s` row for %s: pass all rows of the mean release" % (name, found["part 0"]))
    low, high = found["lowest"].value, found["highest"].value
    ranges.append((low, high))
    parts = [found[name] for name in ("part 0", "part 1", "part 2") if name in found]
    moments = 2 if "variance" in found else 1
    first = moments + 1 - len(parts)
    if first not in (0, 1) or first == 1 and (records is None or found["part 0"].group):
        raise Refused("parts of %s are missing: pass all rows of the mean release" % found["part 0"])
    terms = [((high - low) * (first + i) / moments + (0 if first else low), 1 - first, row) for i, row in enumerate(parts)]
    return terms + ([(low, 1, records)] if first else [])


# Which rows may be combined.


def _terms(side):
    if isinstance(side, Combined):
        if side.terms and all(weight is not None for weight, _ in side.terms):
            return side.terms
        raise Refused("a ratio or mean cannot be combined further: combine rows, or sums of rows")
    if isinstance(side, Row):
        _require_linear([(1, side)])
        return [(1, side)]
    return sum_rows(side).terms


def _subtracted(first, second):
    terms = {}
    for sign, side in ((1, first), (-1, second)):
        for weight, row in side:
            pair = terms.setdefault(_key(row), [0, row])
            pair[0] += sign * weight
    found = [(weight, row) for weight, row in terms.values()]
    _require_independent([row for _, row in found])
    return found


def _is_row(side):
    return isinstance(side, Row) or isinstance(side, list) and len(side) == 1


def _only(side):
    return side if isinstance(side, Row) else side[0]


def _adds(row):
    """Whether numbers of this measure can be added up: right on average, with noise of a known size."""
    return row.kind in _LINEAR


def _key(row):
    return row.output, row.subject, row.window_start, row.window_end, row.group, row.measure


def _require_linear(terms):
    if not terms:
        raise Refused("no rows: check the file and the selection")
    for _, row in terms:
        if not _adds(row):
            if row.kind in _MOVED:
                raise Refused("%s was moved to a possible value, so errors do not cancel: take the measure `%s`" % (row, _MOVED[row.kind]))
            if row.kind == "mean":
                raise Refused("%s cannot be added up: take pooled_mean, with all rows of the output" % row)
            raise Refused("%s is not a count or a sum, so it cannot be added up: release it for longer windows" % row)
        _require_known(row)
        if row.clamped:
            raise Refused("%s is clamped, so it is too large on average: take a `count` release, or the `part` rows of a mean" % row)
        if row.low is not None and not row.is_exact and abs((row.high - row.value) - (row.value - row.low)) > _slack(row):
            raise Refused("%s was selected or moved (its interval is not symmetric): start with the next window, or take `noisy count`" % row)
    _require_independent([row for _, row in terms])


def _require_known(row):
    if row.unknown:
        raise Refused("%s is unknown (too much noise): leave it out, and say so" % row)
    if row.low is None and row.deviation is None and not row.is_exact:
        raise Refused("%s has neither interval nor deviation: it is no number with known noise" % row)


def _slack(row):
    return 1 if _all_whole(row) else 1e-6 * max(abs(row.value), abs(row.low), abs(row.high), 1e-300)


def _require_independent(rows):
    """No two rows share noise: noise scopes decide."""
    seen, releases = {}, {}
    noisy = [row for row in rows if not row.is_exact]
    scopes = {_scope(row) for row in noisy}
    for row in noisy:
        mine = _scope(row)
        for scope in scopes:
            other = seen.get((scope,) + _common(row, mine, scope))
            if other is not None:
                _refuse_shared(other, row)
        for scope in scopes:
            seen[(mine,) + _common(row, mine, scope)] = row
        release = releases.setdefault((row.output, row.subject, row.window), row)
        if [name for name, _ in release.group] != [name for name, _ in row.group]:
            raise Refused("%s includes records of %s: take rows with the same category columns" % (release, row))


def _scope(row):
    """Parts of one group have draws of their own."""
    return "row" if row.kind == "part" and row.noise_scope == "group" else row.noise_scope


def _common(row, mine, other):
    """What two rows of these scopes have to agree in to share noise."""
    keys = tuple(key for key in _KEYS["row"] if key in _KEYS[mine] and key in _KEYS[other])
    return (keys,) + tuple(getattr(row, key) for key in keys)


def _refuse_shared(one, other):
    if _key(one) == _key(other):
        raise Refused("%s is there twice: drop duplicates; read topics with isolation.level=read_committed" % one)
    if one.spans_windows or other.spans_windows:
        raise Refused(
            "%s and %s share draws, as sums over windows do: take the last of them, or let the pipeline sum `over` fewer windows"
            % (one, other)
        )
    if (one.output, one.subject, one.window) == (other.output, other.subject, other.window):
        raise Refused("%s and %s share draws: take the row of their total, a `count` release, or pooled_mean" % (one, other))
    raise Refused("%s and %s share draws: take the measure `noisy count`, or the output that both are computed from" % (one, other))


def _require_disjoint(terms):
    """No record counts in two rows: windows of one subject do not overlap, unless their groups differ."""
    end = {}
    for row in sorted((row for _, row in terms), key=lambda row: (row.subject, row.window_start, row.window_end)):
        before = end.get(row.subject)
        if before is not None and row.window_start < before.window_end:
            same = before.window_start == row.window_start and before.window_end == row.window_end
            if not same:
                raise Refused("windows overlap, so records count twice: %s and %s; select windows of one size" % (before, row))
            if before.output != row.output:
                raise Refused("%s and %s are about the same records: select one output" % (before, row))
        if before is None or row.window_end > before.window_end:
            end[row.subject] = row


# The noise of combinations.


def _noise(row):
    """Standard deviation of a row's noise, and whether a Laplace has to be assumed."""
    if row.is_exact:
        return 0.0, False
    if row.deviation is not None:
        return row.deviation, row.noise != "discrete-gaussian"
    half = max(row.high - row.value, row.value - row.low)
    # Half widths of whole noise are rounded: the noise may be half a step wider. A Gaussian of this half width is no
    # narrower than any sum of Laplace noises that has it.
    return (half + (0.5 if _all_whole(row) else 0)) / NORMAL, False


def _all_whole(row):
    return all(isinstance(number, int) for number in (row.value, row.low, row.high))


class _Noise:
    """The sum of independent noises, each a (weight, deviation, is_laplace, times)."""

    TERMS, PERIOD, FAR = 4096, 40, 12

    def __init__(self, parts):
        self.gaussian = sum(times * (weight * deviation) ** 2 for weight, deviation, laplace, times in parts if not laplace)
        self.scales = {}
        for weight, deviation, laplace, times in parts:
            if laplace and weight * deviation != 0:
                scale = (weight * deviation) ** 2 / 2
                self.scales[scale] = self.scales.get(scale, 0) + times
        self.deviation = math.sqrt(self.gaussian + sum(2 * scale * times for scale, times in self.scales.items()))

    def half_width(self):
        """The 97.5% quantile."""
        if not self.scales:
            return NORMAL * self.deviation
        if self.gaussian == 0 and sum(self.scales.values()) == 1:
            return LAPLACE * self.deviation
        factors = self._factors()
        return _root(lambda half: self._within(half, factors) - LEVEL, 1.9 * self.deviation, 2.2 * self.deviation)

    def excess(self, distance):
        """P(|noise| <= distance) less 95%."""
        if not self.scales:
            return (math.erf(distance / self.deviation / math.sqrt(2)) if self.deviation > 0 else float(distance > 0)) - LEVEL
        return (self._within(distance, self._factors()) if distance < self.FAR * self.deviation else 1.0) - LEVEL

    def _factors(self):
        """Values of the characteristic function, divided by their number, until they are negligible."""
        step = 2 * math.pi / (self.PERIOD * self.deviation)
        found = []
        for k in range(1, self.TERMS + 1):
            square = (k * step) ** 2
            log = -self.gaussian * square / 2 - sum(times * math.log1p(scale * square) for scale, times in self.scales.items())
            found.append(math.exp(log) / k)
            if found[-1] < 1e-8:
                break
        return found

    def _within(self, distance, factors):
        """P(|noise| <= distance), by inversion of the characteristic function (a Fourier series of period 40 deviations)."""
        angle = 2 * math.pi * distance / (self.PERIOD * self.deviation)
        return angle / math.pi + 2 / math.pi * sum(factor * math.sin(k * angle) for k, factor in enumerate(factors, 1))


def _linear(terms):
    terms = [(int(weight) if weight == int(weight) else weight, row) for weight, row in terms]
    value = sum(weight * row.value for weight, row in terms)
    whole = all(isinstance(weight, int) and (_all_whole(row) if row.low is not None else isinstance(row.value, int)) for weight, row in terms)
    if len(terms) == 1 and terms[0][1].low is not None:
        weight, row = terms[0]
        ends = sorted((weight * row.low, weight * row.high))
        return Combined(value, ends[0], ends[1], terms, row.deviation and abs(weight) * row.deviation)
    noise = _Noise([key + (times,) for key, times in collections.Counter((weight,) + _noise(row) for weight, row in terms).items()])
    half = noise.half_width() if noise.deviation > 0 else 0
    if whole:
        half = math.ceil(half - 1e-9)
    return Combined(value, value - half, value + half, terms, noise.deviation)


def _apart(first, second):
    """The difference of two numbers of which only intervals are known, such as means and quantiles."""
    for row in (first, second):
        _require_known(row)
        if row.low is None:
            raise Refused("%s has no interval: take a measure that has one" % row)
        if row.clamped:
            raise Refused("%s is clamped, so the difference is wrong on average: read both intervals instead" % row)
    if first.measure != second.measure:
        raise Refused("%s and %s measure different things: take one measure" % (first, second))
    _require_independent([first, second])
    value = first.value - second.value
    low = value - math.hypot(first.value - first.low, second.high - second.value)
    high = value + math.hypot(first.high - first.value, second.value - second.low)
    return Combined(value, low, high, [(None, first), (None, second)])


def _sums(terms):
    """The sums above and below, and their noise as a function of r: that of the first less r times the second."""
    above = sum(a * row.value for a, _, row in terms)
    below = sum(b * row.value for _, b, row in terms)
    noises = collections.Counter((a, b) + _noise(row) for a, b, row in terms)

    def noise(first, second):
        return _Noise([(first * a + second * b, deviation, laplace, times) for (a, b, deviation, laplace), times in noises.items()])

    return above, below, noise


def _fieller(terms, instead):
    """The set of r for which sum (a - r b) x is within its noise; terms are (a, b, row)."""
    above, below, noise = _sums(terms)

    def excess(r):
        return noise(1, -r).excess(abs(above - r * below))

    if noise(0, 1).excess(abs(below)) <= 0:
        raise Refused("the number below may be 0, so the ratio is unknown: %s" % instead)
    value = above / below
    ends = []
    for sign in (-1, 1):
        inner, step = value, max(2 * noise(1, -value).deviation / abs(below), abs(value) * 1e-12, 1e-300)
        while excess(inner + sign * step) <= 0:
            inner, step = inner + sign * step, 2 * step
        ends.append(_root(excess, inner, inner + sign * step))
    return Combined(value, ends[0], ends[1], [(None, row) for _, _, row in terms])


# Plots.


def plot(rows, path=None, title=""):
    """Draws values over windows with their intervals as error bars: one series a subject, output, group and measure.

    With matplotlib, and without a path, returns its figure. Without matplotlib, writes (or returns) an SVG.
    Rows that are unknown have no point.
    """
    series = _series(rows)
    if not series:
        raise Refused("no rows with a number to draw: check the selection")
    if path is None or not str(path).endswith(".svg"):
        try:
            from matplotlib.figure import Figure
        except ImportError:
            if path is not None:
                raise Refused("matplotlib is not installed: give a path that ends in .svg") from None
        else:
            return _figure(Figure(figsize=(9, 5), layout="constrained"), series, path, title)
    drawing = _svg(series, title)
    if path is None:
        return drawing
    with open(path, "w", encoding="utf-8") as file:
        file.write(drawing)
    return path


def _series(rows):
    """Points (time, value, low, high) by name; a name says only what differs."""
    shown = [row for row in rows if not row.unknown]
    names = [(row.output, row.subject) + tuple(value for _, value in row.group) + (row.measure,) for row in shown]
    common = set(names[0]).intersection(*names) if names else set()
    found = {}
    for row, name in zip(shown, names):
        label = " ".join(word for word in name if word and word not in common) or " ".join(word for word in name if word)
        low, high = (row.value, row.value) if row.low is None else (row.low, row.high)
        found.setdefault(label, []).append((row.window_start, row.value, low, high))
    return {label: sorted(points) for label, points in found.items()}


def _figure(figure, series, path, title):
    axes = figure.add_subplot()
    for label, points in series.items():
        below = [max(0, value - low) for _, value, low, _ in points]
        above = [max(0, high - value) for _, value, _, high in points]
        axes.errorbar([point[0] for point in points], [point[1] for point in points], yerr=[below, above], fmt="o-", capsize=3, label=label)
    axes.set_title(title)
    axes.grid(alpha=0.3)
    axes.legend()
    axes.tick_params(axis="x", rotation=30)
    if path is not None:
        figure.savefig(path)
        return path
    return figure


_WIDTH, _HEIGHT, _LEFT, _RIGHT, _BOTTOM = 900, 500, 80, 20, 50
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")


def _svg(series, title):
    points = [point for all_of in series.values() for point in all_of]
    ticks = _ticks(min(point[2] for point in points), max(point[3] for point in points))
    first, last = min(point[0] for point in points), max(point[0] for point in points)
    top = 44 + 16 * math.ceil(len(series) / 5)
    height = _HEIGHT + top
    span = max((last - first).total_seconds(), 1)

    def x(time):
        return _LEFT + 20 + (time - first).total_seconds() / span * (_WIDTH - _LEFT - _RIGHT - 40)

    def y(number):
        return height - _BOTTOM - (number - ticks[0]) / (ticks[-1] - ticks[0]) * (_HEIGHT - _BOTTOM)

    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13">' % (_WIDTH, height),
        '<rect width="100%" height="100%" fill="#fff"/>',
        '<text x="%d" y="22" font-size="16">%s</text>' % (_LEFT, _escaped(title)),
    ]
    for tick in ticks:
        lines.append('<path d="M%d %.1fH%d" stroke="#ddd"/>' % (_LEFT, y(tick), _WIDTH - _RIGHT))
        lines.append('<text x="%d" y="%.1f" text-anchor="end">%s</text>' % (_LEFT - 8, y(tick) + 4, "{:,.12g}".format(tick)))
    times = sorted({point[0] for point in points})
    for time in times[:: max(1, math.ceil(len(times) / 8))]:
        lines.append('<text x="%.1f" y="%d" text-anchor="middle">%s</text>' % (x(time), height - 25, time.strftime("%Y-%m-%d")))
    for number, (label, all_of) in enumerate(series.items()):
        lines += _svg_series(label, all_of, number, x, y)
    return "\n".join(lines + ["</svg>", ""])


def _svg_series(label, points, number, x, y):
    colour = _COLOURS[number % len(_COLOURS)]
    shift = 3 * (number % 7 - 3)
    path = " ".join("%s%.1f %.1f" % ("L" if i else "M", x(time) + shift, y(value)) for i, (time, value, _, _) in enumerate(points))
    lines = ['<path d="%s" fill="none" stroke="%s" stroke-opacity="0.4"/>' % (path, colour)]
    for time, value, low, high in points:
        place = x(time) + shift
        tip = "%s, %s: %s (%s to %s)" % (label, _iso(time), value, low, high)
        bar = "M{0:.1f} {1:.1f}V{2:.1f}M{3:.1f} {1:.1f}h6M{3:.1f} {2:.1f}h6".format(place, y(low), y(high), place - 3)
        lines.append('<g><title>%s</title><path d="%s" stroke="%s" fill="none"/>' % (_escaped(tip), bar, colour))
        lines.append('<circle cx="%.1f" cy="%.1f" r="3.5" fill="%s"/></g>' % (place, y(value), colour))
    left, line = _LEFT + 150 * (number % 5), 44 + 16 * (number // 5)
    lines.append('<circle cx="%d" cy="%d" r="5" fill="%s"/>' % (left + 8, line - 4, colour))
    lines.append('<text x="%d" y="%d">%s</text>' % (left + 18, line, _escaped(label[:20])))
    return lines


def _ticks(low, high):
    """Five to ten round numbers that enclose the range."""
    width = (high - low) or abs(high) or 1
    step = 10 ** math.floor(math.log10(width / 5))
    step *= next(factor for factor in (1, 2, 5, 10) if width / (step * factor) <= 8)
    first = math.floor(low / step)
    return [step * (first + i) for i in range(math.ceil(high / step) - first + 1)] if high > low else [low - width, low, low + width]


def _escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def _root(function, inner, outer):
    """Where a function that is negative at one end of a range and positive at the other one is 0 (Illinois method)."""
    low, high, last = function(inner), function(outer), 0
    for _ in range(200):
        if abs(outer - inner) <= 1e-12 * max(abs(inner), abs(outer)):
            break
        middle = (inner * high - outer * low) / (high - low)
        found = function(middle)
        if abs(found) < 1e-13:
            return middle
        if (found < 0) == (low < 0):
            inner, low = middle, found
            high, last = (high / 2 if last == 1 else high), 1
        else:
            outer, high = middle, found
            low, last = (low / 2 if last == 2 else low), 2
    return outer


# Cells.


def _number(cell):
    if cell is None or cell == "":
        return None
    if isinstance(cell, (int, float)) and not isinstance(cell, bool):
        return cell
    return int(cell) if _WHOLE.match(cell) else float(cell)


def _truth(cell):
    return cell is True or str(cell).lower() in ("true", "1")


def _time(cell):
    if isinstance(cell, datetime.datetime):
        return cell if cell.tzinfo else cell.replace(tzinfo=datetime.timezone.utc)
    if isinstance(cell, int):
        return datetime.datetime.fromtimestamp(cell / 1000, datetime.timezone.utc)
    text = str(cell)
    return _time(datetime.datetime.fromisoformat(text[:-1] + "+00:00" if text.endswith("Z") else text))


def _iso(time):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def _choices(column, cell):
    given = [cell] if isinstance(cell, (str, int, datetime.datetime)) else cell
    return {_time(one) if column in ("window_start", "window_end") else one for one in given}


def _two(terms, of):
    first = of(terms[0][1])
    return first, next(of(row) for _, row in terms if of(row) != first)


def _within(number, low, high):
    return min(max(number, low), high)


def _short(number, combined):
    """As many digits as the interval leaves, and two more."""
    if all(isinstance(each, int) for each in (combined.value, combined.low, combined.high)):
        return "{:,}".format(number)
    half = (combined.high - combined.low) / 2
    places = max(0, 2 - int(math.floor(math.log10(half)))) if half > 0 else 4
    return "{:,.{}f}".format(number, min(places, 12))
