// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import java.util.Random;

/** Pipeline files of every unit and kind of release, small enough to be planned at once. */
public final class RandomFiles {
  private static final String SUMMARIES =
      ", distance: summaries, clip: 3, summaries: [{ mean: values.0, scale: 1 }, { deviation: values.1, scale: 1 },"
          + " { quantile: values.0, at: 0.3, scale: 2 }, { smallest: values.1, scale: 0.3 }, { share: a, scale: 0.5 }]";

  private RandomFiles() {}

  public static String of(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> ofRecords(random);
      case 1 -> ofUsers(random);
      case 2 -> featuresOfRecords(random);
      case 3 -> featuresOfUsers(random);
      case 4 -> numbersOfRecords(random);
      case 5 -> numbersOfUsers(random);
      case 6 -> foundBounds(random);
      default -> ofDatasets(random);
    };
  }

  private static String one(Random random, String first, String... others) {
    int place = random.nextInt(others.length + 1);
    return place == 0 ? first : others[place - 1];
  }

  private static int one(Random random, int... of) {
    return of[random.nextInt(of.length)];
  }

  private static String period(Random random, int windows) {
    return one(random, "window", "lifetime", windows * 10 + "s");
  }

  private static String windows(String period, int windows) {
    return period.equals("window") ? "" : ", windows: " + windows;
  }

  private static String ofRecords(Random random) {
    int windows = 2 + random.nextInt(3);
    String period = period(random, windows);
    boolean numbers = random.nextBoolean();
    return """
        pipeline: test
        input: { topic: in, %s, time: at, category: category, categories: [a, b, c]%s%s }
        %s
        %s
        window: { size: 10s, grace: 2s, clock: %s }
        budget: { name: test, unit: record, epsilon: 9, delta: 1e-5, period: %s }
        %s
        releases:
          - histogram: { name: mix, method: %s, share: { epsilon: 1.5, delta: 1e-6 }%s }
          - abc: { name: ask, method: %s%s, threshold: 0.4, share: { epsilon: 2, delta: 1e-6 }, queries: 2, candidates: 4, keep: 2 }
        """
        .formatted(
            numbers || random.nextBoolean()
                ? "subject: subject, format: avro"
                : one(random, "subject: who", "subject: $key"),
            random.nextBoolean() ? ", other: rest" : "",
            numbers ? ", values: [values.0, values.1]" : "",
            numbers ? "features: { bandwidth: 0.7, count: 20 }" : "",
            random.nextBoolean() ? "subjects: roster" : "",
            one(random, "records", "ticks"),
            period,
            one(random, "format: json", "schemas: registry", ""),
            one(random, "dirichlet", "gaussian", "laplace", "dirichlet, output: counts"),
            windows(period, windows),
            one(
                random,
                "rejection",
                "soft",
                "sparse-vector, acceptances: 1",
                "rejection, calibration: paper"),
            numbers ? one(random, ", distance: features", SUMMARIES) : "");
  }

  private static String ofUsers(Random random) {
    int windows = 2 + random.nextInt(3);
    String period = period(random, windows);
    int records = 1 + random.nextInt(3);
    boolean lost = random.nextBoolean();
    return """
        pipeline: test
        input: { topic: in, subject: ward, %s, time: at, category: %s, categories: [a, b, c] }
        contributions: { per-window: %d, subjects: %d%s }
        subjects: %s
        window: { size: 10s, grace: 2s, clock: ticks }
        budget: { name: test, unit: user, epsilon: 9, delta: 1e-5, period: %s }
        releases:
          - histogram: { name: mix, method: %s, share: { epsilon: 2, delta: 1e-6 }%s }
          - count: { name: n, method: %s, by: %s, share: { epsilon: 2, delta: 1e-6 }%s }
          - count: { name: run, method: %s, by: %s, running: %d, share: { epsilon: 2, delta: 1e-6 }%s }
        """
        .formatted(
            one(random, "user: who", "user: $key"),
            one(
                random,
                "what",
                "'tags[]'",
                "'order.lines[].product'",
                "what, weight: spent",
                "what, weight: visit.minutes"),
            records,
            1 + random.nextInt(records),
            lost ? ", left-out: " + (1 + random.nextInt(3)) : "",
            one(random, "roster", "[north, south]", "[north, south, west, x, y]"),
            period,
            one(random, "dirichlet", "gaussian", "laplace"),
            windows(period, windows),
            one(random, "gaussian", "laplace"),
            lost && random.nextBoolean() ? "left-out" : one(random, "total", "category"),
            windows(period, windows),
            one(random, "gaussian", "laplace"),
            lost ? "left-out" : one(random, "total", "category"),
            2 + random.nextInt(7),
            windows(period, windows));
  }

  private static String featuresOfRecords(Random random) {
    int windows = 2 + random.nextInt(3);
    String period = period(random, windows);
    boolean asked = random.nextBoolean();
    return """
        pipeline: test
        input: { topic: in, %s, time: at, values: [values.0, values.1]%s }
        features: { bandwidth: 0.7, count: %d }
        %s
        window: { size: 10s, grace: 2s, clock: %s }
        budget: { name: test, unit: record, epsilon: 9, delta: 1e-5, period: %s }
        releases:
          - features: { name: sums, share: { epsilon: 3, delta: 1e-6 }%s }
          %s
        """
        .formatted(
            one(random, "subject: who", "subject: $key", "subject: subject, format: avro"),
            random.nextBoolean() ? ", category: category, categories: [a, b]" : "",
            one(random, 2, 20, 100),
            random.nextBoolean() ? "subjects: roster" : "",
            one(random, "records", "ticks"),
            period,
            windows(period, windows),
            asked
                ? "- abc: { name: ask, method: soft, distance: features, threshold: 0.4, share: { epsilon: 2, delta: 1e-6 }, queries: 2, candidates: 4 }"
                : "");
  }

  private static String featuresOfUsers(Random random) {
    int windows = 2 + random.nextInt(3);
    String period = period(random, windows);
    int records = 1 + random.nextInt(4);
    boolean avro = random.nextInt(3) == 0;
    boolean categorised = random.nextBoolean();
    boolean lost = categorised && random.nextBoolean();
    return """
        pipeline: test
        input: { topic: in, %s, time: at%s }
        features: { bandwidth: 0.7, count: %d }
        contributions: { per-window: %d, subjects: %d%s }
        subjects: %s
        window: { size: 10s, grace: 2s, clock: ticks }
        budget: { name: test, unit: user, epsilon: 9, delta: 1e-5, period: %s }
        releases:
          - features: { name: sums, share: { epsilon: 3, delta: 1e-6 }%s }
          %s
        """
        .formatted(
            avro
                ? "format: avro, subject: subject, user: $key, values: [values.1, values.0]"
                : "subject: ward, values: [x, visit.y], " + one(random, "user: who", "user: $key"),
            categorised
                ? ", category: %s, categories: [a, b, c]".formatted(avro ? "category" : "what")
                : "",
            one(random, 2, 20, 100),
            records,
            1 + random.nextInt(records),
            lost ? ", left-out: " + (1 + random.nextInt(3)) : "",
            one(random, "roster", "[north, south]"),
            period,
            windows(period, windows),
            categorised
                ? "- count: { name: n, by: %s, share: { epsilon: 2, delta: 1e-6 }%s }"
                    .formatted(lost ? "left-out" : "category", windows(period, windows))
                : "");
  }

  private static String numbersOfRecords(Random random) {
    int windows = 2 + random.nextInt(3);
    String period = period(random, windows);
    boolean categorised = random.nextBoolean();
    return """
        pipeline: test
        input: { topic: in, %s, time: at, values: [values.0, values.1]%s }
        %s
        window: { size: 10s, grace: 2s, clock: %s }
        budget: { name: test, unit: record, epsilon: 9, delta: 1e-5, period: %s }
        releases:
          - mean: { name: means, %s, moments: %d, method: %s, by: %s, share: { epsilon: 3, delta: 1e-6 }%s }
          - quantile: { name: parts, value: values.0, bounds: [-2, 5], bins: %d, by: %s, share: { epsilon: 3, delta: 1e-6 }%s }
        """
        .formatted(
            one(random, "subject: who", "subject: $key", "subject: subject, format: avro"),
            categorised ? ", category: category, categories: [a, b]" : "",
            random.nextBoolean() ? "subjects: roster" : "",
            one(random, "records", "ticks"),
            period,
            one(
                random,
                "value: values.1, bounds: [-1, 4]",
                "values: [values.0, values.1], bounds: { values.0: [0, 1], values.1: [-3, 3] }"),
            1 + random.nextInt(2),
            one(
                random,
                "best",
                "gaussian",
                "laplace",
                "best, over: 2",
                "gaussian, running: 3, over: 2"),
            categorised ? one(random, "category", "total") : "total",
            windows(period, windows),
            one(random, 2, 7, 300),
            categorised ? one(random, "category", "total") : "total",
            windows(period, windows));
  }

  private static String numbersOfUsers(Random random) {
    int windows = 2 + random.nextInt(3);
    String period = period(random, windows);
    int records = 1 + random.nextInt(4);
    boolean avro = random.nextInt(3) == 0;
    boolean categorised = random.nextBoolean();
    String method =
        one(
            random,
            "best",
            "laplace",
            "gaussian, over: 3",
            "best, running: forever",
            "laplace, running: 3, over: 2");
    String number = avro ? "values.0" : "visit.y";
    return """
        pipeline: test
        input: { topic: in, %s, time: at%s }
        contributions: { per-window: %d, subjects: %d }
        subjects: %s
        window: { size: 10s, grace: 2s, clock: ticks }
        budget: { name: test, unit: user, epsilon: 9, delta: 1e-5, period: %s }
        releases:
          - mean: { name: means, %s, moments: %d, method: %s, by: %s, share: { epsilon: 3, delta: %s }%s }
          - quantile: { name: parts, value: %s, bounds: [1, 300], scale: log, bins: %d, by: %s, share: { epsilon: 3, delta: 1e-6 }%s }
        """
        .formatted(
            avro
                ? "format: avro, subject: subject, user: $key, values: [values.1, values.0]"
                : "subject: ward, values: [x, visit.y], " + one(random, "user: who", "user: $key"),
            categorised
                ? ", category: %s, categories: [a, b, c]".formatted(avro ? "category" : "what")
                : "",
            records,
            1 + random.nextInt(records),
            one(random, "roster", "[north, south]"),
            period,
            random.nextBoolean()
                ? "value: %s, bounds: [-1, 4]".formatted(number)
                : "values: [%s, %s], bounds: { %s: [0, 1], %s: [-3, 3] }"
                    .formatted(number, avro ? "values.1" : "x", number, avro ? "values.1" : "x"),
            1 + random.nextInt(2),
            method,
            categorised ? one(random, "category", "total") : "total",
            method.endsWith("over: 3") || method.endsWith("forever")
                ? "1e-6"
                : one(random, "0", "1e-6"),
            windows(period, windows),
            number,
            one(random, 2, 7, 300),
            categorised ? one(random, "category", "total") : "total",
            windows(period, windows));
  }

  /** The bounds' share decides whether single records pass, or next to nothing does. */
  private static String foundBounds(Random random) {
    int windows = 2 + random.nextInt(3);
    String period = period(random, windows);
    int records = 1 + random.nextInt(4);
    boolean users = random.nextBoolean();
    boolean categorised = random.nextBoolean();
    boolean both = random.nextBoolean();
    return """
        pipeline: test
        input: { topic: in, %s, time: at, values: [values.0, values.1]%s }
        %s
        window: { size: 10s, grace: 2s, clock: %s }
        budget: { name: test, unit: %s, epsilon: 2000, delta: 1e-5, period: %s }
        releases:
          - mean: { name: means, %s: %s, bounds: auto, moments: %d, method: %s, by: %s, share: { epsilon: 3, delta: 1e-6 }%s }
          - bounds: { name: range, value: values.1, share: { epsilon: %s } }
          - bounds: { name: other, value: values.0, share: { epsilon: %s, delta: 1e-6 } }
        """
        .formatted(
            users
                ? "format: avro, subject: subject, user: $key"
                : one(random, "subject: who", "subject: $key", "subject: subject, format: avro"),
            categorised ? ", category: category, categories: [a, b]" : "",
            users
                ? "contributions: { per-window: %d, subjects: %d }\nsubjects: %s"
                    .formatted(
                        records,
                        1 + random.nextInt(records),
                        one(random, "roster", "[north, south]"))
                : random.nextBoolean() ? "subjects: roster" : "",
            users ? "ticks, begin: 2026-01-05" : one(random, "records", "ticks, begin: 2026-01-05"),
            users ? "user" : "record",
            period,
            both ? "values" : "value",
            both ? "[values.0, values.1]" : "values.1",
            1 + random.nextInt(2),
            one(random, "best", "gaussian", "laplace"),
            categorised ? one(random, "category", "total") : "total",
            windows(period, windows),
            one(random, "1", "800"),
            one(random, "2", "900"));
  }

  private static String ofDatasets(Random random) {
    int windows = 2 + random.nextInt(3);
    String period = period(random, windows);
    boolean numbers = random.nextInt(3) == 0;
    return """
        pipeline: test
        input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c]%s }
        subjects: %s
        window: { size: 10s, grace: 2s, clock: ticks }
        budget: { name: test, unit: dataset, epsilon: 6, period: %s }
        releases:
          - mollifier: { name: taste, items: %d, sampler: %s, share: { epsilon: 6 }%s%s }
        """
        .formatted(
            numbers ? ", values: [x, y]" : "",
            one(random, "roster", "[ann, bob]"),
            period,
            1 + random.nextInt(2),
            numbers
                ? one(
                    random,
                    "clipped, bins: 4",
                    "projection, pool: 64",
                    "projection, pool: 32, band: minimax, estimator: logistic, features: 4")
                : one(random, "clipped", "mollifier"),
            windows(period, windows),
            numbers ? ", reference: { uniform: { low: [-3, -3], high: [7, 7] } }" : "");
  }
}
