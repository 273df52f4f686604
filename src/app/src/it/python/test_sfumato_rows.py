# SPDX-License-Identifier: Apache-2.0
# Copyright The Sfumato authors
"""Intervals of combined rows hold the truth in 95 of 100 cases, and invalid combinations are refused."""
import builtins
import datetime
import io
import itertools
import json
import math
import os
import random
import tempfile
import unittest
import xml.etree.ElementTree
from unittest import mock

import sfumato_rows as sr

FALSE_ALARM = 1e-9
CASES = 64  # at least as many as there are checks of coverage: each has its part of the false-alarm rate
DRAWS = 2000


def row(value, half=None, deviation=None, day=1, zone=datetime.timezone.utc, **cells):
    """A count of one day, with discrete Laplace noise unless told otherwise."""
    low, high = (value - half, value + half) if half is not None else (None, None)
    full = {
        "subject": "east", "window_start": "2026-11-%02dT00:00:00Z" % day, "window_end": "2026-11-%02dT00:00:00Z" % (day + 1),
        "output": "orders", "category": "", "measure": "count", "value": value, "low": low, "high": high, "deviation": deviation,
        "noise": "discrete-laplace", "unknown": False, "clamped": False, "left_out": None, "version": 1,
        "released": "2026-12-01T00:00:00Z", "noise_scope": "row",
    }
    full.update(cells)
    return sr.Row(full, zone)


def fact(value, measure, day=1, **cells):
    return row(value, day=day, measure=measure, noise=None, noise_scope=None, **cells)


def laplace(p):
    """Whole noise, P(z) proportional to p^|z|: its probabilities from -most to most, and its stated deviation."""
    most = math.ceil(math.log(1e-17) / math.log(p)) + 1
    return [(1 - p) / (1 + p) * p ** abs(z) for z in range(-most, most + 1)], math.sqrt(2 * p) / (1 - p)


def gaussian(sigma):
    most = math.ceil(9 * sigma) + 1
    weights = [math.exp(-z * z / (2 * sigma * sigma)) for z in range(-most, most + 1)]
    pmf = [weight / sum(weights) for weight in weights]
    return pmf, sigma


def within(pmf, half):
    middle = len(pmf) // 2
    return sum(pmf[max(0, middle - half) : middle + half + 1])


def half_width(pmf):
    """As a release states it: the least whole number that holds 95%."""
    return next(half for half in range(len(pmf)) if within(pmf, half) >= 0.95)


def convolved(one, other):
    found = [0.0] * (len(one) + len(other) - 1)
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            found[i + j] += a * b
    keep = sum(1 for chance in found if chance < 1e-18) // 2
    return found[keep : len(found) - keep] if keep else found


def continuous(kind, deviation, source):
    if kind == "gaussian":
        return source.gauss(0, deviation)
    scale = deviation / math.sqrt(2)
    return source.choice((-1, 1)) * source.expovariate(1 / scale)


def upper_tail(hits, draws, chance):
    """P(a binomial number >= hits)."""
    logs = [
        math.lgamma(draws + 1) - math.lgamma(k + 1) - math.lgamma(draws - k + 1) + k * math.log(chance) + (draws - k) * math.log1p(-chance)
        for k in range(hits, draws + 1)
    ]
    return math.fsum(math.exp(log) for log in logs)


class ClosedForms(unittest.TestCase):
    """Quantiles of sums, where a formula gives them."""

    def half(self, *parts):
        laws = {True: "laplace", False: "gaussian"}
        return sr._Noise([(weight, deviation, laws[wide], 0, *(times or [1])) for weight, deviation, wide, *times in parts]).half_width()

    def test_one_laplace(self):
        self.assertAlmostEqual(math.exp(-self.half((1, math.sqrt(2), True))), 0.05, 12)

    def test_gaussians_add_in_squares(self):
        self.assertAlmostEqual(self.half((1, 3, False), (2, 2, False)), 1.959963984540054 * 5, 10)

    def test_equal_laplaces(self):
        """P(|sum of n| > t) = e^-t sum_k ..., from the density of a difference of two Erlang variables."""
        for n in (2, 3, 7, 30):
            t = self.half((1, math.sqrt(2), True, n))
            tail = 0.0
            for j in range(n):
                # Of n Laplace variables the sum is a difference of two gammas: condition on which exponential ends last.
                weight = 2 * math.comb(n - 1 + j, j) * 0.5 ** (n + j)
                tail += weight * math.exp(-t) * sum(t**i / math.factorial(i) for i in range(n - j))
            self.assertAlmostEqual(tail, 0.05, 6, n)

    def test_two_unequal_laplaces(self):
        for a, b in ((1, 2), (1, 10), (3, 4)):
            t = self.half((1, a * math.sqrt(2), True), (b, math.sqrt(2), True))
            tail = (a * a * math.exp(-t / a) - b * b * math.exp(-t / b)) / (a * a - b * b)
            self.assertAlmostEqual(tail, 0.05, 6)

    def test_laplace_and_gaussian(self):
        """P(L + G > t) = Phi(-t/s) + exp(s^2/2) (e^-t Phi(t/s - s) - e^t Phi(-t/s - s)) / 2, scale 1."""

        def phi(z):
            return math.erfc(-z / math.sqrt(2)) / 2

        for s in (0.3, 1, 4):
            t = self.half((1, math.sqrt(2), True), (1, s, False))
            tail = phi(-t / s) + math.exp(s * s / 2) * (math.exp(-t) * phi(t / s - s) - math.exp(t) * phi(-t / s - s)) / 2
            self.assertAlmostEqual(2 * tail, 0.05, 6)

    def test_no_sum_is_wider_than_its_half_widths_in_squares(self):
        source = random.Random(7)
        for _ in range(200):
            parts = [(1, 10 ** source.uniform(-1, 1), source.random() < 0.7) for _ in range(source.randint(1, 5))]
            squares = sum((deviation * (math.log(20) / math.sqrt(2) if wide else sr.NORMAL)) ** 2 for _, deviation, wide in parts)
            total = math.sqrt(sum(deviation**2 for _, deviation, _ in parts))
            self.assertLessEqual(self.half(*parts), math.sqrt(squares) * (1 + 1e-7))
            self.assertGreaterEqual(self.half(*parts), 1.95 * total)

    def test_fieller_of_gaussians(self):
        """(x - r y)^2 = 1.96^2 (a^2 + r^2 b^2)."""
        above, below = (row(value, deviation=deviation, noise="discrete-gaussian", measure="count", day=day) for value, deviation, day in ((400.5, 30, 1), (900.5, 50, 2)))
        found = sr.ratio(above, below)
        z = 1.959963984540054
        a, b, c = 900.5**2 - (z * 50) ** 2, -2 * 400.5 * 900.5, 400.5**2 - (z * 30) ** 2
        root = math.sqrt(b * b - 4 * a * c)
        self.assertAlmostEqual(found.low, (-b - root) / (2 * a), 9)
        self.assertAlmostEqual(found.high, (-b + root) / (2 * a), 9)
        self.assertEqual(found.value, 400.5 / 900.5)


class ExactCoverage(unittest.TestCase):
    """Sums of whole noise, whose distribution is computed by convolution: nothing is drawn."""

    def check(self, distribution, noise, known):
        pmf, deviation = distribution
        half = half_width(pmf)
        total, count = pmf, 1
        for wanted in (2, 3, 7):
            while count < wanted:
                total, count = convolved(total, pmf), count + 1
            rows = [row(0, half, deviation if known else None, day, noise=noise) for day in range(1, wanted + 1)]
            found = sr.sum_rows(rows)
            self.assertIsInstance(found.high, int)
            covered = within(total, found.high)
            self.assertGreaterEqual(covered, 0.95, (wanted, deviation, known))
            if known and deviation > 5:
                self.assertLess(covered, 0.97, (wanted, deviation))

    def test_laplace(self):
        for known in (True, False):
            for p in (0.01, 0.024, 0.026, 0.1, 0.2, 0.22, 0.5, 0.8):
                self.check(laplace(p), "discrete-laplace", known)

    def test_gaussian(self):
        for known in (True, False):
            for sigma in (0.2, 0.36, 0.38, 0.5, 0.75, 0.77, 1, 2, 6):
                self.check(gaussian(sigma), "discrete-gaussian", known)


class Coverage(unittest.TestCase):
    """How often intervals hold the truth, counted over draws with a fixed seed."""

    def check(self, draw, most=None, draws=DRAWS):
        source = random.Random(20261102)
        hits = 0
        for _ in range(draws):
            found, truth = draw(source)
            hits += found.low <= truth <= found.high
        self.assertGreater(1 - upper_tail(hits + 1, draws, 0.95), FALSE_ALARM / CASES, "%d of %d" % (hits, draws))
        if most is not None:
            self.assertGreater(upper_tail(hits, draws, most), FALSE_ALARM / CASES, "too wide: %d of %d" % (hits, draws))

    def noisy(self, truth, deviation, source, kind="laplace", **cells):
        return row(truth + continuous(kind, deviation, source), deviation=deviation, noise="discrete-" + kind, **cells)

    def test_sums_and_weighted_means(self):
        for kind in ("laplace", "gaussian"):
            for count in (1, 2, 7):
                self.check(lambda source: (sr.sum_rows([self.noisy(10.0, 5, source, kind, day=day + 1) for day in range(count)]), 10 * count), 0.95)
            weights = [3, 1, 0, 2.5]
            self.check(
                lambda source: (
                    sr.weighted_mean([self.noisy(day, 4.0 + day, source, kind, day=day + 1) for day in range(4)], weights),
                    (1 + 2.5 * 3) / 6.5,
                ),
                0.95,
            )

    def test_differences(self):
        def draw(source):
            one, other = self.noisy(40.0, 5, source), self.noisy(30.0, 2, source, "gaussian", subject="west")
            return sr.difference(one, other), 10

        self.check(draw, 0.95)

    def test_difference_of_sums_with_common_rows(self):
        def draw(source):
            days = [self.noisy(10.0, 5, source, day=day + 1) for day in range(3)]
            return sr.difference(days[:2], days[1:]), 0

        self.check(draw, 0.95)

    def check_ratio(self, draw, truth):
        """By the set that the ends enclose, which is faster; every fiftieth time by the ends."""
        self.check_fieller(draw, lambda drawn: sr._joined(*map(sr._terms, drawn)), lambda drawn: sr.ratio(*drawn), truth)

    def check_fieller(self, draw, terms, combine, truth):
        calls = itertools.count()
        missed, held = sr.Combined(1, 1, 1, [(1, row(1, 1))]), sr.Combined(0, 0, 0, [(1, row(1, 1))])

        def membership(source):
            drawn = draw(source)
            above, below, noise = sr._sums(terms(drawn))
            holds = noise(1, -truth).excess(abs(above - truth * below)) <= 0
            if next(calls) % 100 == 0:
                found = combine(drawn)
                self.assertEqual(found.low <= truth <= found.high, holds)
            return (held if holds else missed), 0

        self.check(membership, 0.95)

    def test_ratios(self):
        for kind, truth in (("laplace", 60.0), ("gaussian", 60.0), ("laplace", 45.0)):
            self.check_ratio(lambda source: (self.noisy(20.0, 4, source, kind), self.noisy(truth, 4, source, kind, day=2)), 20 / truth)

    def test_shares(self):
        def draw(source):
            web, phone = (self.noisy(truth, 4, source, category=name) for truth, name in ((30.0, "web"), (50.0, "phone")))
            return [web], [web, phone]

        self.check_ratio(draw, 3 / 8)

    def means(self, source, numbers, deviation, kind, moments, day=1, public=False, subject="east"):
        """All rows of a mean release whose numbers lie between -10 and 30, and its true sum."""
        parts = [0.0] * (moments + 1)
        for number in numbers:
            t = (number + 10) / 40
            for k in range(moments + 1):
                parts[k] += math.comb(moments, k) * t**k * (1 - t) ** (moments - k)
        place = {"day": day, "subject": subject, "output": "paid", "noise_scope": "group"}
        rows = [fact(-10.0, "lowest of amount", day, subject=subject, output="paid"), fact(30.0, "highest of amount", day, subject=subject, output="paid")]
        if moments == 2:
            rows.append(row(1.0, 1.0, measure="variance of amount", **place))
        if public:
            rows.append(fact(len(numbers), "records", day, subject=subject, output="paid"))
        for i, part in enumerate(parts[1:] if public else parts):
            rows.append(self.noisy(part, deviation, source, kind, measure="part %d of amount" % i, **place))
        return rows

    def test_pooled_means(self):
        numbers = [[-10, 5, 30, 8, 20 + day] for day in range(1, 8)]
        truth = sum(map(sum, numbers)) / 35
        for kind in ("laplace", "gaussian"):
            for moments in (1, 2):
                for public in (False, True):

                    def draw(source):
                        return [one for day, of_day in enumerate(numbers, 1) for one in self.means(source, of_day, 1, kind, moments, day, public)]

                    self.check_fieller(draw, lambda rows: sr._pooled_terms(rows)[0], sr.pooled_mean, truth)

    def test_difference_of_means(self):
        """Of numbers with intervals alone: each interval is a Fieller set, from few records to many."""
        for count, deviation in ((5, 0.5), (20, 1), (200, 3)):
            for kind in ("laplace", "gaussian"):

                def draw(source):
                    found = []
                    for subject, numbers in (("east", [5, 25] * count), ("west", [-5, 0] * count)):
                        mean = sr.pooled_mean(self.means(source, numbers, deviation, kind, 1, subject=subject))
                        found.append(
                            row(mean.value, measure="mean of amount", subject=subject, output="paid", low=mean.low, high=mean.high, noise_scope="group")
                        )
                    return sr.difference(*found), 17.5

                self.check(draw, draws=DRAWS if kind == "gaussian" else DRAWS // 8)


class Refusals(unittest.TestCase):
    """Every refusal says what to do instead."""

    def refuses(self, words, combine, *arguments):
        with self.assertRaises(sr.Refused) as caught:
            combine(*arguments)
        self.assertRegex(str(caught.exception), words)

    def test_running_sums(self):
        rows = [row(9, 2, day=day, measure="running count", noise_scope="series") for day in (1, 2)]
        self.refuses("share draws, as sums over windows do: take the last", sr.sum_rows, rows)
        self.refuses("share draws", sr.difference, rows[1], rows[0])
        last = [row(9, 2, day=day, measure="last count", noise_scope="series") for day in (1, 8)]
        self.refuses("share draws", sr.sum_rows, last)
        other = row(7, 2, measure="running count", noise_scope="series", subject="west")
        self.assertEqual(sr.sum_rows([rows[0], other]).value, 16)

    def test_overlapping_windows(self):
        day = row(9, 2)
        hour = row(3, 2, window_end="2026-11-01T01:00:00Z")
        self.refuses("overlap.*select windows of one size", sr.sum_rows, [day, hour])
        self.refuses("overlap.*select windows of one size", sr.weighted_mean, [day, hour])
        self.assertEqual(sr.ratio(hour, day).value, 1 / 3)

    def test_outputs(self):
        self.refuses("outputs orders, other, which may count the same", sr.sum_rows, [row(9, 2), row(5, 2, output="other")])
        self.refuses("outputs orders, other", sr.sum_rows, [row(9, 2), row(5, 2, output="other", day=2)])
        self.refuses("outputs orders, other", sr.weighted_mean, [row(9, 2), row(5, 2, output="other", day=2)])
        self.assertEqual(sr.difference(row(9, 2), row(5, 2, output="other")).value, 4)

    def test_versions(self):
        self.refuses(r"in versions 1 and 2 of the file: select one with where\(version='2'\)", sr.sum_rows, [row(9, 2), row(8, 2, version=2)])
        self.refuses("in versions 1 and 2", sr.ratio, row(9, 2), row(90, 2, version=2))
        self.refuses("in versions 1 and 2", sr.difference, row(9, 2), row(90, 2, version=2))
        hour = row(3, 2, window_end="2026-11-01T01:00:00Z", version=2)
        self.refuses("windows of two versions of the file overlap", sr.sum_rows, [row(9, 2), hour])
        self.assertEqual(sr.sum_rows([row(9, 2), row(8, 2, day=2, version=2)]).value, 17)

    def test_facts(self):
        facts = [fact(value, "records", day) for day, value in ((1, 9), (2, 8))]
        total = sr.sum_rows(facts)
        self.assertEqual((total.value, total.low, total.high), (17, 17, 17))
        self.refuses("is there twice", sr.sum_rows, [facts[0], facts[0]])
        noisy = row(4.0, 2.0, deviation=1.0, day=3, measure="records")
        self.refuses("is a public fact, and orders east records at .* has noise", sr.sum_rows, facts + [noisy])
        self.refuses("have the measures count, records", sr.sum_rows, [row(9, 2), facts[1]])

    def test_shared_draws(self):
        table = [row(9, 2, category=name, noise_scope="window", noise="discrete-gaussian") for name in ("a", "b")]
        self.refuses("share draws: take the row of their total", sr.sum_rows, table)
        self.assertEqual(sr.sum_rows([table[0], row(9, 2, day=2, category="b", noise_scope="window")]).value, 18)
        estimates = [row(9.0, 2.0, day=day, measure="estimated count", noise_scope="output") for day in (1, 2)]
        self.refuses("take the measure `noisy count`", sr.sum_rows, estimates)
        self.refuses("share draws", sr.difference, *estimates)
        mean = [row(9.0, 2.0, measure=name + " of amount", noise_scope="group") for name in ("sum", "count")]
        self.refuses("share draws.*pooled_mean", sr.ratio, *mean)
        top = row(9, 2, output="top", noise_scope="pipeline")
        self.refuses("share draws", sr.ratio, top, row(9, 2, day=2))

    def test_nested_groups(self):
        web, every = row(30, 1, category="web"), row(90, 1)
        self.refuses("different category columns, so one may include", sr.sum_rows, [web, every])
        self.refuses("different category columns", sr.sum_rows, [web, row(90, 1, day=2)])
        self.assertEqual(sr.ratio(web, every).value, 1 / 3)
        self.assertEqual(sr.difference(every, web).value, 60)

    def test_values_that_say_nothing(self):
        self.refuses("unknown.*leave it out, and say so", sr.sum_rows, [row(9, 2, unknown=True)])
        self.refuses("clamped.*take a `count` release", sr.sum_rows, [row(0, low=0, high=3, clamped=True)])
        self.refuses("not symmetric.*next window", sr.sum_rows, [row(40, low=10, high=44)])
        self.refuses("neither interval nor deviation", sr.sum_rows, [row(40)])

    def test_measures_that_do_not_add_up(self):
        self.refuses("take pooled_mean", sr.sum_rows, [row(4.0, 1.0, measure="mean of amount", noise_scope="group")])
        self.refuses("release it for longer windows", sr.sum_rows, [row(4.0, 1.0, measure="quantile 0.5 of amount", noise_scope="group")])
        self.refuses(r"have the measures count, users: select one, such as where\(measure='count'\)", sr.sum_rows, [row(4, 1), row(4, 1, day=2, measure="users")])
        for measure in ("users", "noisy users"):
            self.refuses("counts distinct users.*weighted_mean", sr.sum_rows, [row(4, 1, day=day, measure=measure) for day in (1, 2)])
        self.refuses(
            "take the measure `noisy count` or `count`; if the file has neither, export a `count` output", sr.sum_rows, [row(0.5, 0.1, measure="share")]
        )
        estimate = row(4, 1, measure="estimated users", noise_scope="output")
        self.refuses("take the measure `noisy users`", sr.sum_rows, [estimate])
        self.assertEqual(sr.weighted_mean([row(4, 1, day=day, measure="users") for day in (1, 2)]).value, 4)

    def test_duplicates(self):
        self.refuses("is there twice.*read_committed", sr.sum_rows, [row(4, 1), row(4, 1)])

    def test_ratios_without_bounds(self):
        self.refuses("denominator contains 0.*add up more windows", sr.ratio, row(4, 1), row(3, 4, day=2))
        self.refuses("denominator contains 0", sr.ratio, row(4, 1), row(0, 0, deviation=0.1, day=2))
        self.refuses("denominator contains 0", sr.ratio, row(4, 1), fact(0, "records"))
        self.refuses("cannot be combined further", sr.sum_rows and sr.difference, sr.ratio(row(4, 1), row(90, 4, day=2)), row(1, 1))

    def test_weights(self):
        for weights in ([1], [1, -1], [0, 0], [math.nan, 1]):
            self.refuses("one weight of 0 or more", sr.weighted_mean, [row(4, 1), row(4, 1, day=2)], weights)

    def test_nothing(self):
        self.refuses("no rows", sr.sum_rows, [])


class Reading(unittest.TestCase):
    HEAD = "subject,window_start,window_end,output,app,measure,value,low,high,deviation,noise,unknown,clamped,left_out,version,released,noise_scope\n"

    def test_times_keep_parts_of_a_second(self):
        rows = sr.Rows([row(5, 1, window_start="2026-11-02T00:00:00Z"), row(7, 1, window_start="2026-11-02T00:00:00.500Z")])
        self.assertEqual([one.value for one in rows.where(window_start="2026-11-02T00:00:00.500Z")], [7])
        self.assertEqual([one.value for one in rows.where(window_start="2026-11-02T00:00:00Z")], [5])

    def test_csv_and_json_lines_say_the_same(self):
        text = self.HEAD + (
            '"a ""b"", c",2026-11-01T00:00:00Z,2026-11-02T00:00:00Z,orders,\'=web,count,-12,-40,16,,discrete-laplace,false,true,0.25,3,2026-11-02T02:00:00.123Z,row\n'
        )
        line = {
            "subject": 'a "b", c', "window_start": "2026-11-01T00:00:00Z", "window_end": "2026-11-02T00:00:00Z", "output": "orders",
            "app": "=web", "measure": "count", "value": -12, "low": -40, "high": 16, "deviation": None, "noise": "discrete-laplace",
            "unknown": False, "clamped": True, "left_out": 0.25, "version": 3, "released": "2026-11-02T02:00:00.123Z", "noise_scope": "row",
        }
        (one,), (other,) = sr.read(io.StringIO(text)), sr.read(io.StringIO(json.dumps(line) + "\n"))
        self.assertEqual(one.group, (("app", "=web"),))
        for name in ("subject", "window", "output", "group", "measure", "value", "low", "high", "deviation", "unknown", "clamped", "left_out", "noise_scope"):
            self.assertEqual(getattr(one, name), getattr(other, name), name)
        self.assertIsInstance(one.value, int)

    def test_selection(self):
        rows = sr.Rows(row(day, 1, day=day, category=name) for day in (1, 2, 3) for name in ("web", "phone"))
        self.assertEqual([found.value for found in rows.where(category="web", since="2026-11-02T00:00:00Z", until="2026-11-03")], [2])
        self.assertEqual(len(rows.where(category=["web", "phone"], window_start="2026-11-03T00:00:00Z")), 2)
        self.assertEqual({key: sr.sum_rows(found).value for key, found in rows.by("category").items()}, {"web": 6, "phone": 6})

    def test_typos(self):
        rows = sr.Rows(row(day, 1, day=day, category=name) for day in (1, 2, 3) for name in ("web", "phone"))
        for typo in (lambda: rows.where(categry="web"), lambda: rows.by("categry")):
            with self.assertRaisesRegex(sr.Refused, "no column categry. Did you mean category. The columns are subject, "):
                typo()
        with self.assertRaisesRegex(sr.Refused, "no row has wbe in the column category. Did you mean web. The values are phone, web"):
            rows.where(category=["phone", "wbe"])
        with self.assertRaisesRegex(sr.Refused, "no row has 2026-12-01T00:00:00Z in the column window_start. .*The values are 2026-11-01T00:00:00Z"):
            rows.where(window_start="2026-12-01")
        many = sr.Rows(row(day, 1, category="c%02d" % day) for day in range(1, 20))
        with self.assertRaisesRegex(sr.Refused, "The values are c01, .*c10 and 9 more"):
            many.where(category="elsewhere")
        self.assertEqual(len(rows.where(version="1", unknown=False, value=2)), 2)
        self.assertEqual(sr.Rows().where(anything="x"), [])

    def test_foreign_files(self):
        with self.assertRaisesRegex(ValueError, "no column window_start.*sfumato export"):
            sr.read(io.StringIO("subject,value\neast,3\n"))
        with self.assertRaisesRegex(ValueError, "file ending in .csv or .jsonl"):
            sr.read("rows.parquet")


class Writing(unittest.TestCase):
    def test_a_written_file_is_what_an_export_has(self):
        text = Reading.HEAD + (
            '"a ""b"", c",2026-11-01T00:00:00.250Z,2026-11-02T00:00:00Z,orders,\'=web,count,-12,-40,16,,discrete-laplace,false,true,0.25,3,2026-11-02T02:00:00.123Z,row\n'
            "\u6771,2026-11-01T00:00:00Z,2026-11-02T00:00:00Z,orders,''s,count,1.5,,,,,false,false,,3,2026-11-02T02:00:00.123Z,\n"
        )
        for begin, zone in (("", None), ("\ufeff", "Europe/London")):
            with tempfile.TemporaryDirectory() as folder:
                path = sr.read(io.StringIO(begin + text), zone).write(os.path.join(folder, "rows.csv"))
                with open(path, encoding="utf-8", newline="") as file:
                    self.assertEqual(file.read(), text)


class Zones(unittest.TestCase):
    """Local days: files have times in UTC."""

    def days(self, zone, *starts):
        lines = [
            "east,%s,%s,orders,,count,%d,%d,%d,2.0,discrete-laplace,false,false,,1,2026-12-01T00:00:00Z,row\n"
            % (start, end, number, number - 5, number + 5)
            for number, (start, end) in enumerate(zip(starts, starts[1:]))
        ]
        return sr.read(io.StringIO(Reading.HEAD + "".join(lines)), zone)

    def london(self):
        """The last two days of winter time and the first two of summer time; Sunday has 23 hours."""
        days = ("2026-03-27T00", "2026-03-28T00", "2026-03-29T00", "2026-03-29T23", "2026-03-30T23")
        return self.days("Europe/London", *[day + ":00:00Z" for day in days])

    def test_rows_have_local_days(self):
        rows = self.london()
        self.assertEqual([row.window_start.date().isoformat() for row in rows], ["2026-03-27", "2026-03-28", "2026-03-29", "2026-03-30"])
        self.assertEqual([start.isoformat() for start in rows.by("window_start")][2:], ["2026-03-29T00:00:00+00:00", "2026-03-30T00:00:00+01:00"])
        self.assertEqual(rows[3].window_start.tzname(), "BST")
        self.assertEqual(rows[2].window_end - rows[2].window_start, datetime.timedelta(hours=23))
        self.assertEqual(str(rows[3]), "orders east count at 2026-03-30T00:00:00+01:00")
        self.assertEqual(sr.sum_rows(rows).window_end.isoformat(), "2026-03-31T00:00:00+01:00")

    def test_days_that_select_are_local(self):
        rows = self.london()
        for since, until in (("2026-03-29", "2026-03-31"), (datetime.date(2026, 3, 29), "2026-03-30T23:00:00Z"), (datetime.datetime(2026, 3, 29), None)):
            self.assertEqual([row.value for row in rows.where(since=since, until=until)], [2, 3])
        self.assertEqual([row.value for row in rows.where(since="2026-03-30").where(until="2026-03-31")], [3])
        for day in ("2026-03-30", "2026-03-29T23:00:00Z", datetime.date(2026, 3, 30), rows[3].window_start):
            self.assertEqual([row.value for row in rows.where(window_start=day)], [3])
        with self.assertRaisesRegex(sr.Refused, "no row has 2026-03-31T23:00:00Z in the column window_start"):
            rows.where(window_start="2026-04-01")

    def test_days_of_utc(self):
        rows = self.days(None, "2026-03-29T00:00:00Z", "2026-03-30T00:00:00Z")
        self.assertIs(rows.zone, datetime.timezone.utc)
        self.assertEqual([row.value for row in rows.where(since="2026-03-29", until=datetime.date(2026, 3, 30))], [0])

    def test_an_hour_that_clocks_repeat_is_two_windows(self):
        rows = self.days("Europe/London", *["2026-10-25T%02d:00:00Z" % hour for hour in range(4)])
        self.assertEqual([start.isoformat()[11:] for start in rows.by("window_start")], ["01:00:00+01:00", "01:00:00+00:00", "02:00:00+00:00"])
        self.assertEqual(sr.sum_rows(rows).value, 3)
        self.assertEqual([row.value for row in rows.where(since=rows[1].window_start)], [1, 2])

    def test_other_zones(self):
        brasilia = datetime.timezone(datetime.timedelta(hours=-3))
        rows = self.days(brasilia, "2026-11-02T03:00:00Z", "2026-11-03T03:00:00Z")
        self.assertEqual(rows[0].window_start.isoformat(), "2026-11-02T00:00:00-03:00")
        self.assertEqual(len(rows.where(since="2026-11-02", until="2026-11-03")), 1)
        self.assertEqual(len(sr.Rows(rows)), 1)
        with self.assertRaisesRegex(sr.Refused, "the rows have the zones Europe/London, UTC-03:00: read all files with one zone"):
            sr.plot(list(rows) + list(self.london()))

    def test_zones_that_are_not_there(self):
        for zone in ("Europe/Londn", "../x", "/etc/passwd"):
            with self.assertRaisesRegex(ValueError, "no time zone .*: give a name such as Europe/London.* tzdata"):
                self.days(zone)
        with mock.patch.object(builtins, "__import__", side_effect=_without("zoneinfo")):
            with self.assertRaisesRegex(ValueError, "need Python 3.9 or later.*python-dateutil.*gettz..Europe/London"):
                self.days("Europe/London")
            self.assertEqual(self.days("UTC"), [])

    def test_plots_have_local_days(self):
        with mock.patch.object(builtins, "__import__", side_effect=_without("matplotlib")):
            drawing = sr.plot(self.london())
        self.assertRegex(drawing, ">2026-03-30</text>")
        self.assertNotRegex(drawing, r">2026-03-\d\d \d\d:\d\d</text>")
        self.assertIn(">time zone: Europe/London</text>", drawing)
        self.assertIn("2026-03-30T00:00:00+01:00: 3 (-2 to 8)", drawing)


class Plots(unittest.TestCase):
    def test_svg(self):
        rows = sr.Rows(row(10 * day, 4, day=day, subject=name) for day in (1, 2, 3) for name in ("east <&> west", "north"))
        rows.append(row(7, 4, day=4, subject="north", unknown=True))
        with mock.patch.object(builtins, "__import__", side_effect=_without("matplotlib")):
            drawing = sr.plot(rows, title="Orders")
        tree = xml.etree.ElementTree.fromstring(drawing)
        titles = [element.text for element in tree.iter("{http://www.w3.org/2000/svg}title")]
        self.assertEqual(len(titles), 6)
        self.assertIn(">Orders</text>", drawing)
        self.assertIn(">2026-11-01</text>", drawing)
        self.assertIn(">time zone: UTC</text>", drawing)
        self.assertIn("north, 2026-11-02T00:00:00Z: 20 (16 to 24)", titles)

    def test_bands_and_titles(self):
        rows = [row(10 + day, 4, day=1 + day % 28, subject="a long subject" if day < 28 else "b", window_end="2026-12-31T00:00:00Z") for day in range(50)]
        for number, one in enumerate(rows):
            one.window_start += sr.datetime.timedelta(hours=number)
            one.subject = "a subject with a name that is longer than sixty letters, which no legend has room for"
        drawing = sr._svg(sr._series(rows), sr._common_words(rows))
        self.assertIn("with 95% intervals</text>", drawing)
        self.assertIn('fill-opacity="0.2"', drawing)
        self.assertRegex(drawing, r">2026-11-\d\d \d\d:00</text>")
        many = sr._svg(sr._series([row(day, 4, subject="s%d" % day) for day in range(12)]), "Twelve")
        self.assertEqual(many.count("stroke-dasharray"), 5)
        xml.etree.ElementTree.fromstring(drawing + "")

    def test_equal_values(self):
        self.assertIn("<svg", sr._svg(sr._series([row(0, 0)]), ""))

    def test_several_measures(self):
        rows = [row(9, 4), row(5, 2, measure="users"), row(5, 2, measure="records", unknown=True)]
        with self.assertRaisesRegex(sr.Refused, r"have the measures count, users: select one, such as where\(measure='count'\)"):
            sr.plot(rows)

    def test_many_series(self):
        """The largest averages, in the order of the file; of equal ones the first."""
        rows = [row(1000 + 10 * min(number, 4), 4, subject="s%02d" % number) for number in range(20)]
        rows += [row(10 * 99, 4, day=2, subject="s19")]
        with mock.patch.object(builtins, "__import__", side_effect=_without("matplotlib")):
            drawing = sr.plot(rows)
            few = sr.plot(rows[:12])
        self.assertIn(">time zone: UTC; 12 of 20 series: those with the largest average</text>", drawing)
        titles = [element.text for element in xml.etree.ElementTree.fromstring(drawing).iter("{http://www.w3.org/2000/svg}title")]
        self.assertEqual([title[:3] for title in titles], ["s%02d" % number for number in range(4, 16)])
        self.assertIn(">time zone: UTC</text>", few)
        self.assertEqual(few.count("<title>"), 12)

    def test_nothing_to_draw(self):
        with self.assertRaises(sr.Refused):
            sr.plot([row(1, 1, unknown=True)])


_IMPORT = builtins.__import__


def _without(module):
    """Imports all but one."""

    def imported(name, *arguments, **options):
        if name.startswith(module):
            raise ImportError(name)
        return _IMPORT(name, *arguments, **options)

    return imported


if __name__ == "__main__":
    unittest.main()
