# SPDX-License-Identifier: Apache-2.0
# Copyright The Sfumato authors
"""Reads rows that `sfumato export` wrote, combines them with correct 95% intervals, and plots them.

One file, Python 3.8 or later, no other package. Copy it next to your script, or set PYTHONPATH to its folder.

    import sfumato_rows as sr
    rows = sr.read("orders.csv").where(output="order-counts", measure="count")
    print(sr.sum_rows(rows.where(subject="east")))                          # 13,902 (13,794 to 14,010)
    print(sr.difference(rows.where(subject="east"), rows.where(subject="west")))
    sr.plot(rows, "orders.svg")

Files have times in UTC. If the pipeline file has `window.zone`, give the same zone to `read`, so that days are local ones:

    rows = sr.read("orders.csv", zone="Europe/London")

A combination that has no valid interval raises Refused. Its message says what to do instead.

How intervals are made: noise of different draws is independent, so the noise of a weighted sum has a known
characteristic function. The interval of a sum is the least that holds 95% of that noise; whole-number noise keeps its
exact, discrete distribution. The interval of a ratio x / y holds every r for which x - r y is within its own noise
(Fieller).
"""
import collections
import csv
import datetime
import decimal
import io
import json
import math
import re

__all__ = ["Combined", "Refused", "Row", "Rows", "difference", "plot", "pooled_mean", "ratio", "read", "sum_rows", "weighted_mean"]

FIELDS = (
    "subject", "window_start", "window_end", "output", "measure", "value", "low", "high", "deviation", "noise",
    "unknown", "clamped", "left_out", "version", "released", "noise_scope",
)
_TIMES = ("window_start", "window_end")
_PLAIN = _TIMES + ("value", "low", "high", "deviation", "unknown", "clamped", "left_out", "version", "released")
_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "'")  # what a spreadsheet would calculate, and the mark itself
_BYTE_ORDER_MARK = "\ufeff"
_KEYS = {  # two rows have independent noise unless they agree in all that the scopes of both name
    "row": ("subject", "output", "window", "group", "measure"),
    "group": ("subject", "output", "window", "group"),
    "series": ("subject", "output", "group"),
    "window": ("subject", "output", "window"),
    "output": ("subject", "output"),
    "pipeline": ("subject",),
}
_COUNTS = ("count", "users", "noisy count", "noisy users", "other")
NORMAL = 1.959963984540054  # the 97.5% quantile of a standard Gaussian
LEVEL = 0.95
_WHOLE = re.compile(r"[+-]?\d+\Z")
_LINEAR = ("count", "sum", "users", "noisy count", "noisy users", "other", "part", "records")


class Refused(ValueError):
    """The combination has no valid interval. The message says why, and what to do instead."""


class Row:
    """One number of a release. `group` holds the category columns that are not empty, as (column, value) pairs.

    `window_start` and `window_end` are times in the zone, each with its offset then: so an hour that a clock change
    repeats is two windows.
    """

    def __init__(self, cells, zone=datetime.timezone.utc):
        missing = [name for name in FIELDS if name not in cells]
        if missing:
            raise ValueError("no column %s: read a file that `sfumato export` wrote" % ", ".join(missing))
        text = {name: "" if cell is None else cell for name, cell in cells.items()}
        self.cells = {name: _text(cell) for name, cell in text.items()}
        self.subject, self.output, self.measure = text["subject"], text["output"], text["measure"]
        self.noise, self.noise_scope = text["noise"], text["noise_scope"]
        self.zone = zone
        self.window_start, self.window_end = (_in_zone(_time(text[name]), zone) for name in _TIMES)
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

    def _identity(self):
        """Everything that the file says: two equal rows are one."""
        return tuple(sorted(self.cells.items()))

    def __str__(self):
        place = [self.output, self.subject] + [value for _, value in self.group] + [self.measure]
        return "%s at %s" % (" ".join(word for word in place if word), _shown(self.window_start))

    def _cell(self, column):
        """The cell as a file has it."""
        return _iso(getattr(self, column)) if column in _TIMES else self.cells.get(column, "")

    def __getitem__(self, column):
        if column in FIELDS:
            return getattr(self, column)
        return self.cells.get(column, "")


class Rows(list):
    """Rows in the order of the file."""

    @property
    def zone(self):
        """The zone that they were read with: UTC unless another one was given."""
        zones = {_zone_name(row.zone): row.zone for row in self}
        if len(zones) > 1:
            raise Refused("the rows have the zones %s: read all files with one zone" % ", ".join(sorted(zones)))
        return next(iter(zones.values()), datetime.timezone.utc)

    def where(self, since=None, until=None, **cells):
        """Rows whose columns have the given text, or one of several. Windows start at `since` or later, and before `until`.

        A day, and a time without an offset, is one of the rows' zone. A column or a text that no row has is refused, so
        that a typo selects nothing else.
        """
        since, until = (None if time is None else _time(time, self.zone) for time in (since, until))
        wanted = {column: self._wanted(column, cell) for column, cell in cells.items()}
        return Rows(
            row
            for row in self
            if (since is None or row.window_start >= since)
            and (until is None or row.window_start < until)
            and all(row._cell(column) in texts for column, texts in wanted.items())
        )

    def _wanted(self, column, cell):
        self._require_column(column)
        given = [cell] if isinstance(cell, (str, int, float, datetime.date)) else cell
        wanted = {_iso(_time(one, self.zone)) if column in _TIMES else _text(one) for one in given}
        texts = sorted({row._cell(column) for row in self})
        for text in sorted(wanted):
            if self and text not in texts:
                raise Refused("no row has %s in the column %s.%s The values are %s" % (_quoted(text), column, _question(text, texts), _listed(texts)))
        return wanted

    def _require_column(self, column):
        columns = list(dict.fromkeys(column for row in self for column in row.cells))
        if self and column not in columns:
            raise Refused("no column %s.%s The columns are %s" % (_quoted(column), _question(column, columns), ", ".join(columns)))

    def by(self, *columns):
        """A dictionary from the cells of these columns to the rows that have them."""
        for column in columns:
            self._require_column(column)
        found = {}
        for row in self:
            key = tuple(row[column] for column in columns)
            found.setdefault(key[0] if len(columns) == 1 else key, Rows()).append(row)
        return found

    def write(self, path):
        """Writes them to a CSV file, as `sfumato export` does, such as for a spreadsheet."""
        columns = list(dict.fromkeys(column for row in self for column in row.cells))
        with open(path, "w", encoding="utf-8", newline="") as file:
            lines = csv.writer(file, lineterminator="\n")
            lines.writerow(columns)
            for row in self:
                lines.writerow([_marked(column, row._cell(column)) for column in columns])
        return path


class Combined:
    """A number computed from rows, with its 95% interval. `terms` pairs each weight with its row."""

    def __init__(self, value, low, high, terms, deviation=None):
        self.value, self.low, self.high, self.terms, self.deviation = value, low, high, terms, deviation
        self.window_start = min(row.window_start for _, row in terms)
        self.window_end = max(row.window_end for _, row in terms)
        self.left_out = max((row.left_out for _, row in terms if row.left_out is not None), default=None)

    def __str__(self):
        low, high = _short(self.low, self, decimal.ROUND_FLOOR), _short(self.high, self, decimal.ROUND_CEILING)
        return "%s (%s to %s)" % (_short(self.value, self), low, high)  # ends are rounded outwards

    __repr__ = __str__


def read(source, zone=None):
    """Rows of a file ending in .csv or .jsonl, or of an open text file.

    Windows have times of the zone, such as "Europe/London": take the `window.zone` of the pipeline file. By default it is
    UTC. The zone may also be a tzinfo object; Python 3.8 needs one, because it has no zones of its own.
    """
    zone = _zone(zone)
    if hasattr(source, "read"):
        return _parse(source.read(), zone)
    if not str(source).endswith((".csv", ".jsonl")):
        raise ValueError("%s: give a file ending in .csv or .jsonl, such as `sfumato export TOPIC --to rows.csv` writes" % source)
    with open(source, encoding="utf-8", newline="") as file:
        return _parse(file.read(), zone)


def _zone(zone):
    if zone is None or zone == "UTC":
        return datetime.timezone.utc
    if isinstance(zone, datetime.tzinfo):
        return zone
    try:
        import zoneinfo
    except ImportError:
        instead = "import dateutil.tz and give zone=dateutil.tz.gettz(%r)" % zone
        raise ValueError("names of zones need Python 3.9 or later. In Python 3.8 install the package python-dateutil, %s" % instead) from None
    try:
        return zoneinfo.ZoneInfo(zone)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(
            "no time zone %s: give a name such as Europe/London. If a name of this form is not found, run `python -m pip install tzdata`" % _quoted(str(zone))
        ) from None


def _zone_name(zone):
    return getattr(zone, "key", None) or str(zone)


def _parse(text, zone):
    text = text[1:] if text.startswith(_BYTE_ORDER_MARK) else text
    if text.lstrip().startswith("{"):
        return Rows(Row(json.loads(line), zone) for line in text.split("\n") if line.strip())
    lines = csv.DictReader(io.StringIO(text, newline=""), restval="")
    return Rows(Row({name: _unmarked(cell) for name, cell in cells.items()}, zone) for cells in lines)


def _unmarked(cell):
    """Text that a spreadsheet would take for a formula has an apostrophe before it."""
    return cell[1:] if cell.startswith("'") else cell


def _marked(column, cell):
    return "'" + cell if column not in _PLAIN and cell.startswith(_FORMULAS) else cell


def sum_rows(rows):
    """Sum of one measure over windows, subjects or groups that share no records and no draws."""
    rows = list(rows)
    _require_linear(rows)
    if len(rows) > 1:
        _require_no_users(rows)
        _require_disjoint(rows)
    return _linear([(1, row) for row in rows])


def weighted_mean(rows, weights=None):
    """Mean of one measure, with public weights: a number for each row (equal weights if None)."""
    rows = list(rows)
    weights = [1] * len(rows) if weights is None else list(weights)
    if len(weights) != len(rows) or any(not weight >= 0 for weight in weights) or not 0 < sum(weights) < math.inf:
        raise Refused("give one weight of 0 or more for each of the %d rows, and not only zeros" % len(rows))
    _require_linear(rows)
    _require_disjoint(rows)
    total = sum(weights)
    return _linear([(weight / total, row) for weight, row in zip(weights, rows)])


def difference(first, second):
    """first - second: each a row, rows (their sum), or a combination of rows."""
    if _is_row(first) and _is_row(second) and not (_adds(_only(first)) and _adds(_only(second))):
        return _apart(_only(first), _only(second))
    terms = _joined([(weight, row) for weight, row in _terms(first)], [(-weight, row) for weight, row in _terms(second)])
    _require_one_measure([row for _, _, row in terms])
    return _linear([(above + below, row) for above, below, row in terms])


def ratio(first, second):
    """first / second: each a row, rows (their sum), or a combination.

    Rows may be part of both, as in the share of a category: their noise then has the joint weight 1 - r.
    """
    return _fieller(_joined(_terms(first), _terms(second)), "add up more windows or groups in it, or take a coarser group")


def _joined(first, second):
    """Terms (weight in the first, weight in the second, row): a row of both is one term."""
    terms = {}
    for place, side in enumerate((first, second)):
        for weight, row in side:
            pair = terms.setdefault(row._identity(), [0, 0, row])
            pair[place] += weight
    terms = list(terms.values())
    _require_once([row for _, _, row in terms])
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
    rows = list(rows)
    _require_once(rows)
    for row in rows:
        name, _, number = row.measure.partition(" of ")
        release = (row.output, row.subject, row.window)
        if row.measure == "records":
            records[release] = row
        elif number:
            numbers.add(number)
            cells.setdefault(release + (row.group,), {})[name] = row
    if len(numbers) > 1:
        raise Refused("the rows are of the numbers %s: select the rows of one" % _listed(sorted(numbers)))
    terms, ranges = [], []
    for place, found in cells.items():
        if "part 0" in found:
            terms += _parts(found, records.get(place[:3]), ranges)
    if not terms:
        raise Refused("no `part` rows of one window: pass all rows of a mean release, not only those of one measure")
    parts = [row for _, _, row in terms if not row.is_exact]
    _require_one_output(parts)
    _require_noise(parts)
    _require_disjoint([row for row in parts if row.measure.startswith("part 0 ")])
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
    return sum_rows([side] if isinstance(side, Row) else side).terms


def _is_row(side):
    return isinstance(side, Row) or isinstance(side, list) and len(side) == 1


def _only(side):
    return side if isinstance(side, Row) else side[0]


def _adds(row):
    """Whether numbers of this measure can be added up: right on average, with noise of a known size."""
    return row.kind in _LINEAR


def _key(row):
    return row.output, row.subject, row.window_start, row.window_end, row.group, row.measure


def _require_linear(rows):
    """Numbers of one kind that add up, each once and with noise of its own."""
    if not rows:
        raise Refused("no rows: check the file and the selection")
    _require_one_measure(rows)
    _require_one_output(rows)
    first = rows[0]
    for row in rows:
        if first.is_exact != row.is_exact:
            exact, noisy = (first, row) if first.is_exact else (row, first)
            raise Refused("%s is a public fact, and %s has noise: combine rows of one kind" % (exact, noisy))
    _require_noise(rows)


def _require_noise(rows):
    """Numbers that add up, each once and with noise of its own."""
    for row in rows:
        if not _adds(row):
            if row.kind in ("estimated", "share"):
                raise Refused("%s was moved to a possible value, so errors do not cancel: take %s" % (row, _measure_of_noise(row)))
            if row.kind == "mean":
                raise Refused("%s cannot be added up: take pooled_mean, with all rows of the output" % row)
            raise Refused("%s is not a count or a sum, so it cannot be added up: release it for longer windows" % row)
        _require_known(row)
        if row.clamped:
            raise Refused("%s is clamped, so it is too large on average: take a `count` release, or the `part` rows of a mean" % row)
        if row.low is not None and not row.is_exact and abs((row.high - row.value) - (row.value - row.low)) > _slack(row):
            raise Refused("%s was selected or moved (its interval is not symmetric): start with the next window, or take `noisy count`" % row)
    _require_once(rows)
    _require_independent(rows)


def _measure_of_noise(row):
    if row.kind == "share":
        return "the measure `noisy count` or `count`; if the file has neither, export a `count` output"
    return "the measure `noisy users`" if row.measure.endswith("users") else "the measure `noisy count`"


def _require_one_measure(rows):
    measures = sorted({row.measure for row in rows})
    if len(measures) > 1:
        raise Refused("the rows have the measures %s: select one, such as where(measure=%r)" % (_listed(measures), measures[0]))


def _require_one_output(rows):
    """One output, and one set of category columns: else records may count twice."""
    outputs = sorted({row.output for row in rows})
    if len(outputs) > 1:
        raise Refused(
            "the rows are of the outputs %s, which may count the same records: select one, such as where(output=%r)" % (_listed(outputs), outputs[0])
        )
    for row in rows:
        if {name for name, _ in row.group} != {name for name, _ in rows[0].group}:
            raise Refused(
                "%s and %s have different category columns, so one may include records of the other: select rows with the same columns" % (rows[0], row)
            )


def _require_once(rows):
    """No number is there twice, nor in two versions of the file."""
    seen = {}
    for row in rows:
        other = seen.get(_key(row))
        seen[_key(row)] = row
        if other is not None and other.cells["version"] != row.cells["version"]:
            versions = other.cells["version"], row.cells["version"]
            raise Refused("%s is there in versions %s and %s of the file: select one with where(version=%r)" % ((row,) + versions + versions[1:]))
        if other is not None:
            raise Refused("%s is there twice: drop duplicates; read topics with isolation.level=read_committed" % row)


def _require_no_users(rows):
    for row in rows:
        if row.kind in ("users", "noisy users"):
            raise Refused(
                "%s counts distinct users, and a user of two windows, subjects or categories counts in each: take weighted_mean, or let the pipeline"
                " count users `over` several windows" % row
            )


def _require_known(row):
    if row.unknown:
        raise Refused("%s is unknown (too much noise): leave it out, and say so" % row)
    if row.low is None and row.deviation is None and not row.is_exact:
        raise Refused("%s has neither interval nor deviation: it is no number with known noise" % row)


def _slack(row):
    return 1 if _all_whole(row) else 1e-6 * max(abs(row.value), abs(row.low), abs(row.high), 1e-300)


def _require_independent(rows):
    """No two rows share noise: noise scopes decide."""
    seen = {}
    noisy = [row for row in rows if not row.is_exact]
    scopes = [scope for scope in _KEYS if any(_scope(row) == scope for row in noisy)]
    for row in noisy:
        mine = _scope(row)
        for scope in scopes:
            other = seen.get((scope,) + _common(row, mine, scope))
            if other is not None:
                _refuse_shared(other, row)
        for scope in scopes:
            seen[(mine,) + _common(row, mine, scope)] = row


def _scope(row):
    """Parts of one group have draws of their own."""
    return "row" if row.kind == "part" and row.noise_scope == "group" else row.noise_scope


def _common(row, mine, other):
    """What two rows of these scopes have to agree in to share noise."""
    keys = tuple(key for key in _KEYS["row"] if key in _KEYS[mine] and key in _KEYS[other])
    return (keys,) + tuple(getattr(row, key) for key in keys)


def _refuse_shared(one, other):
    if one.spans_windows or other.spans_windows:
        raise Refused(
            "%s and %s share draws, as sums over windows do: take the last of them, or let the pipeline sum `over` fewer windows"
            % (one, other)
        )
    if (one.output, one.subject, one.window) == (other.output, other.subject, other.window):
        raise Refused("%s and %s share draws: take the row of their total, a `count` release, or pooled_mean" % (one, other))
    raise Refused("%s and %s share draws: take the measure `noisy count`, or the output that both are computed from" % (one, other))


def _require_disjoint(rows):
    """No record counts in two rows: windows of one subject do not overlap, unless their groups differ."""
    end = {}
    for row in sorted(rows, key=lambda row: (row.subject, row.window_start, row.window_end)):
        before = end.get(row.subject)
        if before is not None and row.window_start < before.window_end and before.window != row.window:
            if before.cells["version"] == row.cells["version"]:
                raise Refused("windows overlap, so records count twice: %s and %s; select windows of one size" % (before, row))
            raise Refused(
                "windows of two versions of the file overlap, so records count twice: %s and %s; select one with where(version=...)" % (before, row)
            )
        if before is None or row.window_end > before.window_end:
            end[row.subject] = row


# The noise of combinations.


def _noise(row):
    """Standard deviation of a row's noise, its law, and its step: 1 for whole-number noise, 0 for noise of a fine grid.

    A law that begins with `rounded` follows from the half width alone.
    """
    if row.is_exact:
        return 0.0, "gaussian", 0
    step = 1 if _counts(row) else 0
    if row.deviation is not None:
        return row.deviation, "gaussian" if row.noise == "discrete-gaussian" else "laplace", step
    half = max(row.high - row.value, row.value - row.low)
    # A whole half width m holds 95% of the noise; so the noise, smoothed by a step, holds as much within m + 1/2. No
    # discrete Gaussian of this half width has a larger deviation than the root below, and no sum of Laplace noises is wider.
    deviation = math.hypot((half + step / 2) / NORMAL, step / math.sqrt(12))
    return deviation, "rounded gaussian" if row.noise == "discrete-gaussian" else "rounded laplace", step


def _all_whole(row):
    return all(isinstance(number, int) for number in (row.value, row.low, row.high) if number is not None)


def _counts(row):
    """Whether a row's noise is a whole number. Spreadsheets and databases may turn whole numbers into 10.0."""
    return row.kind in _COUNTS and all(number == int(number) for number in (row.value, row.low, row.high) if number is not None) or _all_whole(row)


class _Noise:
    """The sum of independent noises, each a (weight, deviation, law, step, times).

    Noise of a step h > 0 has its values at multiples of h. Its tails reach further than those of the Laplace or
    Gaussian distribution with the same deviation, and a few values have most of the chance. So its distribution is the
    exact one, from its characteristic function:

    - If all steps, times weight, are multiples of one step g, the sum is a multiple of g, and the least multiple that
      holds 95% is found by inversion on this grid. No shorter symmetric interval has 95%.
    - Otherwise an independent V within [-d, d] smooths the sum S: P(|S| <= q) >= P(|S + V| <= q - d). V is the sum of
      four even draws, and d is 1% of the deviation (5% in a ratio).
    - Where half of the largest step is below d, the noise is taken for a continuous one with the discrete tail, and
      half of that step is added.

    Of noise that is known by its rounded half width alone, half a step is added too, and a whole one beside other noise.
    """

    GRID, PERIOD = 8192, 20

    def __init__(self, parts, coarse=None, smoothing=0.05):
        parts = [(abs(weight) * deviation, law, abs(weight) * step, times) for weight, deviation, law, step, times in parts if weight * deviation != 0]
        rounded = [law.startswith("rounded") for _, law, _, _ in parts]
        self.unstated = max((step / (2 if all(rounded) else 1) for (_, _, step, _), is_rounded in zip(parts, rounded) if is_rounded), default=0)
        counts = collections.Counter()
        for (deviation, law, step, times), is_rounded in zip(parts, rounded):
            if is_rounded:  # beside noise of a known law, the tails count as well
                law, step = "gaussian" if all(rounded) else law.split()[1], 0
            counts[deviation, law, step] += times
        self.parts = [key + (times,) for key, times in counts.items()]
        self.deviation = math.sqrt(sum(times * deviation**2 for deviation, _, _, times in self.parts))
        self.largest = max((step for _, _, step, _ in self.parts), default=0)
        self.smoothing = smoothing
        self.coarse = self.largest > 2 * smoothing * self.deviation if coarse is None else coarse
        self.factors = None

    def half_width(self):
        """Half the width of the shortest interval around 0 that surely holds 95%."""
        if not self.parts:
            return 0
        grid = self._grid()
        if grid:
            return self._on_grid(*grid)
        if len(self.parts) == 1 and not self.coarse and self.parts[0][3] == 1 and self.parts[0][1] == "laplace":
            return math.log(20) * self._scale(*self.parts[0][:3:2]) + self._margin()
        if not self.coarse and all(law != "laplace" for _, law, _, _ in self.parts):
            return NORMAL * math.sqrt(self._smooth()[0]) + self._margin()
        return _root(self.excess, 0.0, 4 * self.deviation + 2 * self.largest + self.unstated)

    def excess(self, distance):
        """P(|noise| <= distance) less 95%, or less than that."""
        if not self.parts:
            return float(distance > 0) - LEVEL
        inner = distance - self._margin()
        if inner <= 0:
            return inner / self.deviation - LEVEL
        if not self.coarse and all(law != "laplace" for _, law, _, _ in self.parts):
            return math.erf(inner / math.sqrt(2 * self._smooth()[0])) - LEVEL
        if self.factors is None:
            self.period = self.PERIOD * max(self.deviation, 0.35 * self.largest) * (1 if self.coarse else 2)
            self.factors = self._coarse_factors() if self.coarse else self._smooth_factors()
        if inner > 0.45 * self.period:
            return 1 - LEVEL
        angle = 2 * math.pi * inner / self.period
        sum_ = math.fsum(factor * math.sin(k * angle) for k, factor in enumerate(self.factors, 1))
        return angle / math.pi + 2 / math.pi * sum_ - LEVEL

    def _margin(self):
        """What is added to the quantile of the smoothed noise."""
        return self.unstated + (self._spread() if self.coarse else self.largest / 2)

    def _spread(self):
        return self.smoothing * max(self.deviation, 0.35 * self.largest)

    @staticmethod
    def _scale(deviation, step):
        """The scale b of the tails exp(-x / b)."""
        return step / (2 * math.asinh(step / (math.sqrt(2) * deviation))) if step > 0 else deviation / math.sqrt(2)

    def _smooth(self):
        """Variance of the Gaussian part, and the squared scales of the Laplace parts with their number."""
        variance = self.largest**2 / 12 if any(law == "gaussian" for _, law, _, _ in self.parts) else 0
        scales = []
        for deviation, law, step, times in self.parts:
            if law == "laplace":
                scales.append((self._scale(deviation, step) ** 2, times))
            else:
                variance += times * deviation**2
        return variance, scales

    def _smooth_factors(self):
        """Values of the characteristic function, divided by their number, until they are negligible."""
        variance, scales = self._smooth()
        found = []
        for k in range(1, 4097):
            square = (2 * math.pi * k / self.period) ** 2
            log = -variance * square / 2 - sum(times * math.log1p(scale * square) for scale, times in scales)
            found.append(math.exp(log) / k)
            if found[-1] < 1e-8:
                break
        return found

    def _coarse_factors(self):
        found = []
        reach = self._spread() / 4
        terms = math.ceil(4 * self.PERIOD / self.smoothing)
        for k in range(1, terms + 1):
            t = 2 * math.pi * k / self.period
            found.append(self._characteristic(t) * (math.sin(reach * t) / (reach * t)) ** 4 / k)
        return found

    def _characteristic(self, t):
        product = 1.0
        for deviation, law, step, times in self.parts:
            if law == "laplace":
                half = 2 / step * math.sin(step * t / 2) if step > 0 else t
                product *= (1 + (deviation * half) ** 2 / 2) ** -times
            elif law == "gaussian" and step > 0:
                product *= _gaussian_characteristic(deviation / step, step * t) ** times
            else:
                product *= math.exp(-times * (deviation * t) ** 2 / 2)
        return product

    def _grid(self):
        """The step of which the sum is a multiple, and the number of its values; None if there is none, or too many."""
        step = min(step for _, _, step, _ in self.parts)
        if step == 0 or any(abs(other / step - round(other / step)) > 1e-9 for _, _, other, _ in self.parts):
            return None
        points = 2 * math.ceil(self.PERIOD * max(self.deviation, self.largest) / step / 2) + 1
        return (step, points) if points <= self.GRID else None

    def _on_grid(self, step, points):
        factors = []
        for k in range(1, points // 2 + 1):
            angle = math.pi * k / points
            factors.append(self._characteristic(2 * angle / step) / math.sin(angle))

        def within(reach):
            width = 2 * reach + 1
            sines = math.fsum(factor * math.sin(width * math.pi * k / points) for k, factor in enumerate(factors, 1))
            return (width + 2 * sines) / points

        low, high = -1, points // 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if within(middle) >= LEVEL else (middle, high)
        return high * step


def _gaussian_characteristic(deviation, angle):
    """That of the discrete Gaussian with step 1, as a sum over its values or, for wide noise, over its images."""
    angle = math.remainder(angle, 2 * math.pi)
    if deviation < 0.6:
        weights = [math.exp(-((z / deviation) ** 2) / 2) for z in range(1, 8)]
        return (1 + 2 * sum(weight * math.cos(z * angle) for z, weight in enumerate(weights, 1))) / (1 + 2 * sum(weights))
    images = [2 * math.pi * k for k in range(-3, 4)]
    above = sum(math.exp(-((deviation * (angle - image)) ** 2) / 2) for image in images)
    return above / sum(math.exp(-((deviation * image) ** 2) / 2) for image in images)


def _linear(terms):
    terms = [(int(weight) if weight == int(weight) else weight, row) for weight, row in terms]
    value = sum(weight * row.value for weight, row in terms)
    whole = all(isinstance(weight, int) and _all_whole(row) for weight, row in terms)
    if len(terms) == 1 and terms[0][1].low is not None:
        weight, row = terms[0]
        ends = sorted((weight * row.low, weight * row.high))
        return Combined(value, ends[0], ends[1], terms, row.deviation and abs(weight) * row.deviation)
    parts = [key + (times,) for key, times in collections.Counter((weight,) + _noise(row) for weight, row in terms).items()]
    noise = _Noise(parts, smoothing=0.01)
    half = noise.half_width()
    if whole:
        half = math.floor(half + 1e-9)
    return Combined(value, value - half, value + half, terms, noise.deviation)


def _apart(first, second):
    """The difference of two numbers of which only intervals are known, such as means and quantiles.

    Distances add up: they may be limits of what is possible, so they do not add in squares as deviations of noise do.
    """
    for row in (first, second):
        _require_known(row)
        if row.low is None:
            raise Refused("%s has no interval: take a measure that has one" % row)
        if row.clamped:
            raise Refused("%s is clamped, so the difference is wrong on average: read both intervals instead" % row)
    _require_one_measure([first, second])
    _require_once([first, second])
    _require_independent([first, second])
    value = first.value - second.value
    return Combined(value, first.low - second.high, first.high - second.low, [(None, first), (None, second)])


def _sums(terms):
    """The sums above and below, and their noise as a function of r: that of the first less r times the second."""
    above = sum(a * row.value for a, _, row in terms)
    below = sum(b * row.value for _, b, row in terms)
    noises = collections.Counter((a, b) + _noise(row) for a, b, row in terms)

    def noise(first, second, coarse=None):
        return _Noise([(first * a + second * b,) + tuple(noise) + (times,) for (a, b, *noise), times in noises.items()], coarse)

    return above, below, noise


def _fieller(terms, instead):
    """The set of r for which sum (a - r b) x is within its noise; terms are (a, b, row)."""
    above, below, noise = _sums(terms)

    def excess(r):
        return noise(1, -r, coarse).excess(abs(above - r * below))

    if below == 0 or noise(0, 1).excess(abs(below)) <= 0:
        raise Refused("the interval of the denominator contains 0, so the ratio is unknown: %s" % instead)
    value = above / below
    coarse = noise(1, -value).coarse
    ends = []
    for sign in (-1, 1):
        inner, step = value, max(2 * noise(1, -value).deviation / abs(below), abs(value) * 1e-12, 1e-300)
        while excess(inner + sign * step) <= 0:
            inner, step = inner + sign * step, 2 * step
        ends.append(_root(excess, inner, inner + sign * step))
    return Combined(value, ends[0], ends[1], [(None, row) for _, _, row in terms])


# Plots.


def plot(rows, path=None, title=""):
    """Draws one measure over windows with its 95% intervals: one series a subject, output and group.

    Intervals are error bars; a series of more than 40 windows has a band. Of more than 12 series, those 12 with the
    largest average are drawn, and the plot says how many there are. With matplotlib, and without a path, returns its
    figure. Without matplotlib, writes (or returns) an SVG. Rows that are unknown have no point. Times are of the rows' zone.
    """
    rows = [row for row in rows if not row.unknown]
    if not rows:
        raise Refused("no rows with a number to draw: check the selection")
    _require_one_measure(rows)
    words = ["time zone: " + _zone_name(Rows(rows).zone)]
    series = _series(rows)
    if len(series) > _MOST_SERIES:
        words.append("%d of %d series: those with the largest average" % (_MOST_SERIES, len(series)))
        series = _largest(series)
    title = title or _common_words(rows)
    if path is None or not str(path).endswith(".svg"):
        try:
            from matplotlib.figure import Figure
        except ImportError:
            if path is not None:
                raise Refused("matplotlib is not installed: give a path that ends in .svg") from None
        else:
            return _figure(Figure(figsize=(9, 5), layout="constrained"), series, path, title, words, rows[0].zone)
    drawing = _svg(series, title, words)
    if path is None:
        return drawing
    with open(path, "w", encoding="utf-8") as file:
        file.write(drawing)
    return path


def _series(rows):
    """Points (time, value, low, high) by name; a name says only what differs."""
    names = [(row.output, row.subject) + tuple(value for _, value in row.group) + (row.measure,) for row in rows]
    common = set(names[0]).intersection(*names) if names else set()
    found = {}
    for row, name in zip(rows, names):
        label = " ".join(word for word in name if word and word not in common) or " ".join(word for word in name if word)
        low, high = (row.value, row.value) if row.low is None else (row.low, row.high)
        found.setdefault(label, []).append((row.window_start, row.value, low, high))
    return {label: sorted(points) for label, points in found.items()}


def _largest(series):
    """Those with the largest average, in the order of all; of equal ones the first."""
    averages = {label: math.fsum(value for _, value, _, _ in points) / len(points) for label, points in series.items()}
    kept = set(sorted(averages, key=averages.get, reverse=True)[:_MOST_SERIES])
    return {label: points for label, points in series.items() if label in kept}


def _common_words(rows):
    """What all rows are of, such as `order-counts count`."""
    names = [[row.output, row.subject] + [value for _, value in row.group] + [row.measure] for row in rows]
    common = [word for word in names[0] if word and all(word in name for name in names)]
    return " ".join(common + ["with 95% intervals"])


def _figure(figure, series, path, title, words, zone):
    axes = figure.add_subplot()
    axes.xaxis_date(zone)
    for number, (label, points) in enumerate(series.items()):
        times, values, lows, highs = zip(*points)
        colour = _COLOURS[number % len(_COLOURS)]
        is_hollow = number >= len(_COLOURS)
        if len(points) > _MOST_BARS:
            axes.plot(times, values, "--" if is_hollow else "-", color=colour, label=label)
            axes.fill_between(times, lows, highs, color=colour, alpha=0.2, linewidth=0)
            continue
        below = [max(0, value - low) for value, low in zip(values, lows)]
        above = [max(0, high - value) for value, high in zip(values, highs)]
        style = {"fmt": "o--" if is_hollow else "o-", "capsize": 3, "markerfacecolor": "white" if is_hollow else colour}
        axes.errorbar(times, values, yerr=[below, above], color=colour, label=label, **style)
    axes.set_title(title)
    axes.set_xlabel("; ".join(words))
    axes.grid(alpha=0.3)
    axes.legend(**({"loc": "upper left", "bbox_to_anchor": (1, 1)} if len(series) > len(_COLOURS) else {}))
    axes.tick_params(axis="x", rotation=30)
    if path is not None:
        figure.savefig(path)
        return path
    return figure


_WIDTH, _HEIGHT, _LEFT, _RIGHT, _BOTTOM = 900, 500, 80, 20, 66
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b37400", "#3b8fc4", "#000000")
_MOST_BARS = 40  # more windows have a band
_MOST_SERIES = 12  # with two kinds of markers in seven colours, each has a look of its own


def _svg(series, title, words=()):
    points = [point for all_of in series.values() for point in all_of]
    ticks = _ticks(min(point[2] for point in points), max(point[3] for point in points))
    first, last = min(point[0] for point in points), max(point[0] for point in points)
    legend = _legend(series)
    top = 44 + 18 * (1 + legend[-1][1])
    height = _HEIGHT + top
    span = max((last - first).total_seconds(), 1)

    def x(time):
        return _LEFT + 30 + (time - first).total_seconds() / span * (_WIDTH - _LEFT - _RIGHT - 60)

    def y(number):
        return height - _BOTTOM - (number - ticks[0]) / (ticks[-1] - ticks[0]) * (_HEIGHT - _BOTTOM)

    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13" fill="#222">' % (_WIDTH, height),
        '<rect width="100%" height="100%" fill="#fff"/>',
        '<text x="%d" y="24" font-size="16">%s</text>' % (_LEFT, _escaped(title)),
    ]
    for tick in ticks:
        lines.append('<path d="M%d %.1fH%d" stroke="%s"/>' % (_LEFT, y(tick), _WIDTH - _RIGHT, "#888" if tick == 0 else "#ddd"))
        lines.append('<text x="%d" y="%.1f" text-anchor="end">%s</text>' % (_LEFT - 8, y(tick) + 4, "{:,.12g}".format(tick)))
    times = sorted({point[0] for point in points})
    has_hours = any((time.hour, time.minute) != (times[0].hour, times[0].minute) for time in times)
    for time in times[:: max(1, math.ceil(len(times) / (6 if has_hours else 8)))]:
        label = time.strftime("%Y-%m-%d %H:%M" if has_hours else "%Y-%m-%d")
        lines.append('<path d="M%.1f %dv5" stroke="#888"/>' % (x(time), height - _BOTTOM))
        lines.append('<text x="%.1f" y="%d" text-anchor="middle">%s</text>' % (x(time), height - _BOTTOM + 23, label))
    lines.append('<text x="%d" y="%d" text-anchor="middle" fill="#666">%s</text>' % ((_LEFT + _WIDTH - _RIGHT) // 2, height - 14, _escaped("; ".join(words))))
    for number, (label, all_of) in enumerate(series.items()):
        lines += _svg_series(label, all_of, number, min(len(series), 7), x, y)
    for number, (left, line, label) in enumerate(legend):
        lines.append(_marker(left + 8, 46 + 18 * line, number, 5))
        lines.append('<text x="%d" y="%d">%s</text>' % (left + 18, 50 + 18 * line, _escaped(label)))
    return "\n".join(lines + ["</svg>", ""])


def _legend(series):
    """Place, line and words of each label; long ones are cut, and tips have them in full."""
    found, left, line = [], _LEFT, 0
    for label in series:
        words = label if len(label) <= 60 else label[:59] + "\u2026"
        width = 34 + 8 * len(words)
        if found and left + width > _WIDTH - _RIGHT:
            left, line = _LEFT, line + 1
        found.append((left, line, words))
        left += width
    return found


def _marker(x, y, number, radius):
    """Filled for the first seven series, hollow for the next."""
    colour = _COLOURS[number % len(_COLOURS)]
    fill = colour if number // len(_COLOURS) % 2 == 0 else "#fff"
    return '<circle cx="%.1f" cy="%.1f" r="%.1f" fill="%s" stroke="%s" stroke-width="1.5"/>' % (x, y, radius, fill, colour)


def _svg_series(label, points, number, series, x, y):
    colour = _COLOURS[number % len(_COLOURS)]
    has_bars = len(points) <= _MOST_BARS
    shift = 4 * (number % 7 - (series - 1) / 2) if has_bars else 0
    path = " ".join("%s%.1f %.1f" % ("L" if i else "M", x(time) + shift, y(value)) for i, (time, value, _, _) in enumerate(points))
    dashes = ' stroke-dasharray="5 3"' if number // len(_COLOURS) % 2 else ""
    lines = ['<path d="%s" fill="none" stroke="%s" stroke-opacity="%s"%s/>' % (path, colour, "0.4" if has_bars else "1", dashes)]
    if not has_bars:
        ends = [(time, high) for time, _, _, high in points] + [(time, low) for time, _, low, _ in reversed(points)]
        band = "L".join("%.1f %.1f" % (x(time), y(end)) for time, end in ends)
        lines.insert(0, '<path d="M%sZ" fill="%s" fill-opacity="0.2"/>' % (band, colour))
    for time, value, low, high in points:
        place = x(time) + shift
        tip = "%s, %s: %s (%s to %s)" % (label, _shown(time), value, low, high)
        bar = "M{0:.1f} {1:.1f}V{2:.1f}M{3:.1f} {1:.1f}h6M{3:.1f} {2:.1f}h6".format(place, y(low), y(high), place - 3)
        lines.append("<g><title>%s</title>" % _escaped(tip))
        if has_bars:
            lines.append('<path d="%s" stroke="%s" fill="none"/>' % (bar, colour))
        lines.append(_marker(place, y(value), number, 3.5 if has_bars else 1.5) + "</g>")
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
    if low >= 0:  # of numbers without noise, only rounded
        return inner
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
    return cell is True or str(cell).lower() in ("true", "t", "1")


def _time(cell, zone=datetime.timezone.utc):
    """The instant. A day, and a time without an offset, is one of the zone."""
    if isinstance(cell, datetime.datetime):
        return (cell if cell.tzinfo else cell.replace(tzinfo=zone)).astimezone(datetime.timezone.utc)
    if isinstance(cell, int):
        return datetime.datetime.fromtimestamp(cell / 1000, datetime.timezone.utc)
    text = str(cell)
    return _time(datetime.datetime.fromisoformat(text[:-1] + "+00:00" if text.endswith("Z") else text), zone)


def _in_zone(time, zone):
    """With its fixed offset: times of one zone object are compared by their clocks, and clocks repeat an hour a year."""
    if zone is datetime.timezone.utc:
        return time
    local = time.astimezone(zone)
    return local.replace(tzinfo=datetime.timezone(local.utcoffset(), local.tzname() or ""), fold=0)


def _iso(time):
    """As files have it: in UTC."""
    time = time.astimezone(datetime.timezone.utc)
    part = time.microsecond
    digits = "" if part == 0 else ".%06d" % part if part % 1000 else ".%03d" % (part // 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%S") + digits + "Z"


def _shown(time):
    """With its offset; `Z` in UTC."""
    return _iso(time) if time.tzinfo is datetime.timezone.utc else time.isoformat()


def _text(cell):
    """A cell as a CSV file has it."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return _iso(_time(cell)) if isinstance(cell, datetime.datetime) else str(cell)


# What there is to choose from, in messages.


def _listed(texts):
    """Ten of them, and how many more there are."""
    shown = ", ".join(map(_quoted, texts[:10]))
    return shown + " and %d more" % (len(texts) - 10) if len(texts) > 10 else shown


def _quoted(text):
    return text if re.match(r"[\w.:-]+\Z", text, re.ASCII) else "'%s'" % text


def _question(text, texts):
    """A question that names the nearest of them; empty text if none is near."""
    near = [other for other in texts if _distance(text, other) <= max(2, len(text) // 3)]
    return " Did you mean %s?" % _quoted(min(near, key=lambda other: _distance(text, other))) if near else ""


def _distance(one, other):
    """How many letters have to change (Levenshtein), whatever their case."""
    one, other = one.lower(), other.lower()
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, second in enumerate(other, 1):
            before, row[j] = row[j], min(before + (letter != second), row[j] + 1, row[j - 1] + 1)
    return row[-1]


def _within(number, low, high):
    return min(max(number, low), high)


def _short(number, combined, rounding=decimal.ROUND_HALF_EVEN):
    """As many digits as the interval leaves, and two more."""
    if all(isinstance(each, int) for each in (combined.value, combined.low, combined.high)):
        return "{:,}".format(number)
    half = (combined.high - combined.low) / 2
    places = max(0, 2 - int(math.floor(math.log10(half)))) if half > 0 else 4
    return "{:,}".format(decimal.Decimal(repr(float(number))).quantize(decimal.Decimal(1).scaleb(-min(places, 12)), rounding, decimal.Context(prec=400)))
