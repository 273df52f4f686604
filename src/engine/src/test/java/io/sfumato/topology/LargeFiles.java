// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Pipeline files with long names, many categories, many numbers, and every kind of release. */
final class LargeFiles {
  /** As long as a subject may be; JSON makes six characters of each of these. */
  static final String SUBJECT = "\"".repeat(256);

  private static final String NAME = "n".repeat(62);

  /** Names that YAML and JSON must escape, and names of several bytes a character. */
  private static final List<String> PREFIXES =
      List.of("c", "\\\"\\\"", "\\\"\\\\", "\\u00f6\\u20ac\\ud83d\\ude00", "x".repeat(40));

  private LargeFiles() {}

  static List<String> some(int seed) {
    Random random = new Random(seed);
    return List.of(
        ofRecords(random),
        ofUsers(random),
        ofItems(random),
        ofNumbers(random),
        ofUsersNumbers(random),
        ofUsersMeans(random),
        ofHistories(random),
        ofMeansOverWindows(random),
        ofRecordsMeans(random),
        ofFoundSubjects(random));
  }

  private static int one(Random random, int... of) {
    return of[random.nextInt(of.length)];
  }

  private static final String SUMMARIES =
      "summaries, clip: 3, summaries: [{ mean: value0, scale: 1 }, { quantile: value0, at: 0.3, scale: 2 }]";

  private static String one(Random random, String... of) {
    return of[random.nextInt(of.length)];
  }

  private static String format(Random random) {
    return one(random, "format: json", "format: avro", "schemas: registry");
  }

  private static String categories(Random random, int count) {
    String prefix = PREFIXES.get(random.nextInt(PREFIXES.size()));
    return "category: what, categories: [%s]%s"
        .formatted(
            IntStream.range(0, count)
                .mapToObj(i -> "\"" + prefix + i + "\"")
                .collect(Collectors.joining(", ")),
            random.nextBoolean() ? ", other: the rest" : "");
  }

  private static String values(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "value" + i)
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static String ofRecords(Random random) {
    boolean featured = random.nextBoolean();
    return """
        pipeline: p%s
        version: 1000000
        input: { topic: in, subject: who, time: at, id: event, %s%s }
        %s
        %s
        subjects: %s
        window: { size: 10s }
        budget: { name: b%s, unit: record, epsilon: 6, delta: 1e-6, period: window }
        releases:
          - histogram: { name: h%s, method: %s, share: { epsilon: 3, delta: 5e-7 } }
          - abc: { name: a%s, method: %s, threshold: 0.1, share: { epsilon: 3, delta: 5e-7 }, queries: 1%s }
        """
        .formatted(
            NAME,
            categories(random, one(random, 2, 127, 128, 600)),
            featured ? ", values: " + values(one(random, 1, 127, 128, 1000)) : "",
            featured
                ? "features: { bandwidth: 1, count: %d }".formatted(one(random, 2, 500, 10000))
                : "",
            format(random),
            one(random, "observed", "roster"),
            NAME,
            NAME,
            one(random, "gaussian", "laplace", "dirichlet, output: counts"),
            NAME,
            one(random, "rejection", "soft"),
            featured ? ", distance: " + one(random, "features", "categories", SUMMARIES) : "");
  }

  private static String ofFoundSubjects(Random random) {
    return """
        pipeline: p%s
        version: 1000000
        input: { topic: in, subject: ward, user: who, time: at, %s }
        contributions: { per-window: %d, subjects: 9%s }
        %s
        subjects: { discover: { name: s%s, noise: %s, forget-names: 1000000, share: { epsilon: 3, delta: 3e-7 } } }
        window: { size: 10s, clock: ticks, begin: 2026-06-01 }
        budget: { name: b%s, unit: user, epsilon: 9, delta: 1e-6, period: window }
        """
        .formatted(
            NAME,
            categories(random, one(random, 2, 127, 1000)),
            one(random, 9, 1000),
            random.nextBoolean() ? ", plan-records: 3" : "",
            format(random),
            NAME,
            one(random, "laplace", "gaussian", "best"),
            NAME);
  }

  private static String ofUsers(Random random) {
    int subjects = one(random, 1, 9);
    boolean lost = random.nextBoolean();
    return """
        pipeline: p%s
        input: { topic: in, subject: ward, user: who, time: at%s, %s }
        contributions: { per-window: %d, subjects: %d%s }
        %s
        subjects: %s
        window: { size: 10s, clock: ticks, begin: 2026-06-01 }
        budget: { name: b%s, unit: user, epsilon: 9, delta: 1e-6, period: %s }
        releases:
          - histogram: { name: h%s, method: gaussian, share: { epsilon: 3, delta: 3e-7 }, windows: 2 }
          - count: { name: c%s, by: %s, share: { epsilon: 3, delta: 3e-7 }, windows: 2 }
          - count: { name: r%s, by: category, running: %d, method: %s, share: { epsilon: 3, delta: 3e-7 }, windows: 2 }
        """
        .formatted(
            NAME,
            lost || random.nextBoolean() ? "" : ", id: event",
            categories(random, one(random, 2, 127, 128, 1000)),
            one(random, 9, 127, 128, 1000),
            subjects,
            lost ? ", left-out: " + one(random, 1, 30) : "",
            format(random),
            one(random, "roster", "[north, south]"),
            NAME,
            one(random, "lifetime", "20s"),
            NAME,
            NAME,
            lost ? "left-out" : one(random, "total", "category"),
            NAME,
            one(random, 2, 7, 8, 1000),
            one(random, "gaussian", "laplace"));
  }

  private static String ofHistories(Random random) {
    return """
        pipeline: p%s
        input: { topic: in, subject: ward, user: who, time: at, %s }
        contributions: { per-window: 9, subjects: 1 }
        %s
        subjects: [north, south]
        window: { size: 10s, clock: ticks, begin: 2026-06-01 }
        budget: { name: b%s, unit: user, epsilon: 3, delta: 3e-7, period: window }
        releases:
          - histogram: { name: h%s, method: %s, post-processing: history, share: { epsilon: 1, delta: 1e-7 } }
          - count: { name: c%s, method: %s, by: %s, post-processing: history, share: { epsilon: 2, delta: 2e-7 } }
        """
        .formatted(
            NAME,
            categories(random, one(random, 2, 127, 128, 1000)),
            format(random),
            NAME,
            NAME,
            one(random, "gaussian", "laplace"),
            NAME,
            one(random, "gaussian", "laplace"),
            one(random, "category", "total"));
  }

  private static String ofUsersNumbers(Random random) {
    int subjects = one(random, 1, 9);
    return """
        pipeline: p%s
        input: { topic: in, subject: ward, user: who, time: at, values: %s%s }
        contributions: { per-window: %d, subjects: %d }
        features: { bandwidth: 1, count: %d }
        %s
        subjects: %s
        window: { size: 10s, clock: ticks, begin: 2026-06-01 }
        budget: { name: b%s, unit: user, epsilon: 3, delta: 3e-7, period: window }
        releases:
          - features: { name: f%s, share: { epsilon: 3, delta: 3e-7 } }
        """
        .formatted(
            NAME,
            values(one(random, 1, 127, 128)),
            random.nextBoolean() ? ", " + categories(random, one(random, 2, 200)) : "",
            one(random, 9, 40, 80),
            subjects,
            one(random, 2, 500, 10000),
            format(random),
            one(random, "roster", "[north, south]"),
            NAME,
            NAME);
  }

  private static String ofUsersMeans(Random random) {
    int values = one(random, 1, 2, 9);
    boolean categorised = random.nextBoolean();
    String names = values(values);
    String bounds =
        names.replace(",", ": [-5, 1e6],").replace("[v", "{ v").replaceAll("]$", ": [-5, 1e6] }");
    return """
        pipeline: p%s
        input: { topic: in, subject: ward, user: who, time: at, values: %s%s }
        contributions: { per-window: %d, subjects: %d }
        %s
        subjects: %s
        window: { size: 10s, clock: ticks, begin: 2026-06-01 }
        budget: { name: b%s, unit: user, epsilon: 3, delta: 3e-7, period: window }
        releases:
          - mean: { name: m%s, values: %s, bounds: %s, moments: %d, by: %s, share: { epsilon: 1 } }
          - quantile: { name: q%s, value: %s, bounds: [-1e3, 1e9]%s, of: %s, share: { epsilon: 1, delta: 3e-7 } }
          - bounds: { name: r%s, value: %s, share: { epsilon: 0.5 } }
          - mean: { name: a%s, value: %s, bounds: auto, by: total, share: { epsilon: 0.5 } }
        """
        .formatted(
            NAME,
            names,
            categorised ? ", " + categories(random, one(random, 2, 40)) : "",
            one(random, 9, 40, 80),
            one(random, 1, 9),
            format(random),
            one(random, "roster", "[north, south]"),
            NAME,
            NAME,
            names,
            names
                .replace(",", ": [-5, 1e6],")
                .replace("[v", "{ v")
                .replaceAll("]$", ": [-5, 1e6] }"),
            one(random, 1, 2),
            categorised ? "category" : "total",
            NAME,
            names.replaceAll("[\\[\\]]", "").split(", ")[0],
            categorised
                ? one(random, ", by: category, bins: 1000", ", by: category, bins: 2", "")
                : one(random, ", bins: 2", "", ", bins: 50000"),
            one(random, "[0.5]", "[0.001, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999]"),
            NAME,
            names.replaceAll("[\\[\\]]", "").split(", ")[0],
            NAME,
            names.replaceAll("[\\[\\]]", "").split(", ")[0]);
  }

  private static String ofMeansOverWindows(Random random) {
    boolean categorised = random.nextBoolean();
    int values = categorised ? 1 : one(random, 1, 9);
    return """
        pipeline: p%s
        input: { topic: in, subject: ward, user: who, time: at, values: %s%s }
        contributions: { per-window: %d }
        %s
        subjects: %s
        window: { size: 10s, clock: ticks, begin: 2026-06-01 }
        budget: { name: b%s, unit: user, epsilon: 3, delta: 3e-7, period: %s }
        releases:
          - mean: { name: m%s, values: %s, bounds: { %s }, moments: %d, %s, windows: 3, share: { epsilon: 3, delta: 3e-7 } }
        """
        .formatted(
            NAME,
            values(values),
            categorised ? ", " + categories(random, one(random, 2, 40)) : "",
            one(random, 9, 40, 80),
            format(random),
            one(random, "roster", "[north, south]"),
            NAME,
            one(random, "lifetime", "30s"),
            NAME,
            values(values),
            IntStream.range(0, values)
                .mapToObj(i -> "value" + i + ": [-5, 1e6]")
                .collect(Collectors.joining(", ")),
            one(random, 1, 2),
            categorised
                ? one(random, "running: 9", "running: 100, over: 7")
                : one(random, "running: forever", "over: 3"));
  }

  private static String ofRecordsMeans(Random random) {
    return """
        pipeline: p%s
        input: { topic: in, subject: who, time: at, values: [x, y] }
        %s
        window: { size: 10s }
        budget: { name: b%s, unit: record, epsilon: 4, delta: 6e-7, period: %s }
        releases:
          - mean: { name: m%s, value: x, bounds: [0, 1], running: %s, over: %d, windows: 5, share: { epsilon: 1, delta: 3e-7 } }
        """
        .formatted(
            NAME,
            format(random),
            NAME,
            one(random, "lifetime", "50s"),
            NAME,
            one(random, "50", "forever"),
            one(random, 2, 30, 700));
  }

  private static String ofItems(Random random) {
    return """
        pipeline: p%s
        input: { topic: in, subject: who, time: at, %s }
        %s
        subjects: roster
        window: { size: 10s, clock: ticks, begin: 2026-06-01 }
        budget: { name: b%s, unit: dataset, epsilon: 6, period: window }
        releases:
          - mollifier: { name: m%s, items: 2, sampler: %s, share: { epsilon: 6 } }
        """
        .formatted(
            NAME,
            categories(random, one(random, 2, 127, 128, 3000)),
            format(random),
            NAME,
            NAME,
            one(random, "mollifier", "clipped"));
  }

  private static String ofNumbers(Random random) {
    int values = one(random, 1, 127, 128, 300);
    return """
        pipeline: p%s
        input: { topic: in, subject: who, time: at, values: %s%s }
        %s
        reservoir: %d
        subjects: roster
        window: { size: 10s, clock: ticks, begin: 2026-06-01 }
        budget: { name: b%s, unit: dataset, epsilon: 6, period: window }
        releases:
          - mollifier: { name: m%s, items: 2, sampler: mollifier, share: { epsilon: 6 }, reference: { gaussians: [ { mean: %s, deviation: %s } ] } }
        """
        .formatted(
            NAME,
            values(values),
            random.nextBoolean() ? ", " + categories(random, one(random, 2, 200)) : "",
            format(random),
            one(random, 1, 128, 256),
            NAME,
            NAME,
            numbers(values, "-0.123456789"),
            numbers(values, "1.5"));
  }

  private static String numbers(int count, String number) {
    return IntStream.range(0, count)
        .mapToObj(i -> number)
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
