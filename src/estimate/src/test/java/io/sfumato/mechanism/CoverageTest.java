// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.Estimate;
import io.sfumato.estimate.HistogramAccuracy;
import io.sfumato.estimate.Plans;
import io.sfumato.estimate.continual.RowErrorBars;
import io.sfumato.estimate.history.EmpiricalBayesHistogram;
import io.sfumato.estimate.history.LearningCounts;
import io.sfumato.estimate.history.ReleaseHistory;
import io.sfumato.estimate.moments.MomentEstimates;
import io.sfumato.estimate.moments.NoisyMoments;
import io.sfumato.estimate.partitionselection.CountInterval;
import io.sfumato.estimate.quantile.QuantileEstimates;
import io.sfumato.estimate.tables.TablesEstimate;
import io.sfumato.estimate.tables.TablesEstimates;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.additive.GaussianNoise;
import io.sfumato.mechanism.additive.GridGaussian;
import io.sfumato.mechanism.additive.GridLaplace;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.mechanism.additive.NoisyHistogram;
import io.sfumato.mechanism.additive.PostProcessing;
import io.sfumato.mechanism.continual.Rows;
import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.mechanism.continual.RunningSums;
import io.sfumato.mechanism.continual.SquareRootCoefficients;
import io.sfumato.mechanism.moments.BernsteinParts;
import io.sfumato.mechanism.moments.MomentQuery;
import io.sfumato.mechanism.moments.MomentSensitivity;
import io.sfumato.mechanism.partitionselection.NoisyName;
import io.sfumato.mechanism.partitionselection.Threshold;
import io.sfumato.mechanism.quantile.Bins;
import io.sfumato.mechanism.quantile.QuantileQuery;
import io.sfumato.mechanism.tables.CrossTables;
import io.sfumato.mechanism.tables.TableQuery;
import io.sfumato.random.KeyedRandom;
import io.sfumato.testkit.Numerical;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/**
 * How often intervals of every kind hold the truth, with noise from far below one record to many:
 * the table of docs/concepts/intervals.md, number by number. Seeds are fixed.
 */
@Numerical
class CoverageTest {
  private static final Path DOCUMENT = Path.of("docs/concepts/intervals.md");
  private static final String HEAD = "| kind | unit | noise |";
  private static final double[] DEVIATIONS = {0.3, 1, 3, 10, 30};
  private static final int DRAWS = 1_000;

  /** A dataset: says whether each of its intervals holds the truth in one draw. */
  private interface Data {
    boolean[] held(KeyedRandom random);
  }

  /** A row of the table. */
  private record Kind(String name, String unit, String noise, Made made) {}

  /**
   * Whether so few would be held with a probability below 1e-12, were it 95% of them (Chernoff's
   * bound): of the five hundred parts of which the table has the least, any with less than 1e-9.
   */
  private static boolean isTooFew(double part) {
    double divergence = part * Math.log(part / 0.95) + (1 - part) * Math.log((1 - part) / 0.05);
    return part < 0.95 && DRAWS * divergence > Math.log(1e12);
  }

  /** Datasets with noise of a standard deviation. */
  private interface Made {
    List<Data> of(double deviation);
  }

  private static AdditiveNoise whole(String method, double deviation) {
    return method.equals("gaussian")
        ? new GaussianNoise(Math.round(deviation * deviation * 1024))
        : new LaplaceNoise(Math.round(Math.sqrt(2) / deviation * LaplaceNoise.STEPS));
  }

  private static GridNoise grid(String method, double deviation) {
    return method.equals("gaussian")
        ? new GridGaussian(20, Math.round(deviation * (1 << 20)))
        : new GridLaplace(20, Math.round(deviation / Math.sqrt(2) * (1 << 20)));
  }

  private static Data one(ToLongFunction<KeyedRandom> ignored) {
    return random -> new boolean[] {ignored.applyAsLong(random) == 1};
  }

  private static List<Data> counts(AdditiveNoise noise) {
    long half = noise.halfWidth(1);
    ToLongFunction<KeyedRandom> sampler = noise.sampler();
    return List.of(one(random -> Math.abs(sampler.applyAsLong(random)) <= half ? 1 : 0));
  }

  /** After ten windows of others. */
  private static List<Data> learnedCounts(AdditiveNoise noise) {
    LearningCounts learning = new LearningCounts(noise);
    ToLongFunction<KeyedRandom> sampler = noise.sampler();
    ReleaseHistory past = ReleaseHistory.none(3);
    for (int window = 0; window < 10; window++) {
      past = learning.made(past, window, new long[] {0, 4, 60}).past();
    }
    ReleaseHistory before = past;
    List<Data> all = new ArrayList<>();
    for (long[] truth : new long[][] {{0, 4, 60}, {40, 0, 0}, {1, 1, 1}}) {
      all.add(
          random -> {
            long[] noisy = noisy(truth, sampler, random);
            LearningCounts.Made made = learning.made(before, 10, noisy);
            boolean[] held = new boolean[3];
            for (int i = 0; i < 3; i++) {
              held[i] = Math.abs(made.counts().get(i) - truth[i]) <= made.errors().get(i);
            }
            return held;
          });
    }
    return all;
  }

  private static long[] noisy(
      long[] truth, ToLongFunction<KeyedRandom> sampler, KeyedRandom random) {
    long[] noisy = truth.clone();
    Arrays.setAll(noisy, i -> noisy[i] + sampler.applyAsLong(random));
    return noisy;
  }

  private static NoisyHistogram histogram(AdditiveNoise noise, Sensitivity sensitivity) {
    return new NoisyHistogram(
        noise,
        noise instanceof GaussianNoise
            ? Optional.of(PostProcessing.POSTERIOR_MEAN)
            : Optional.empty(),
        sensitivity);
  }

  /** What is published once, with a bar that the document calls rough. */
  private static List<Data> plainShares(AdditiveNoise noise, Sensitivity sensitivity) {
    NoisyHistogram mechanism = histogram(noise, sensitivity);
    List<Data> all = new ArrayList<>();
    for (long[] truth : new long[][] {{500, 0, 0, 0, 0, 0}, {960, 480, 320, 240, 9, 0}}) {
      long size = Arrays.stream(truth).sum();
      OutputDistribution<HistogramRelease> distribution =
          mechanism.distribution(new Histogram(truth));
      all.add(
          random -> {
            Distribution drawn = (Distribution) distribution.draw(random);
            long records = mechanism.sizeIsPublic() ? size : drawn.size().orElseThrow();
            boolean[] held = new boolean[truth.length];
            for (int i = 0; i < truth.length; i++) {
              double bar =
                  HistogramAccuracy.of(mechanism).halfWidth(drawn.share(i), records, truth.length);
              held[i] = Math.abs(drawn.share(i) - truth[i] / (double) size) <= bar + 1e-9;
            }
            return held;
          });
    }
    return all;
  }

  /** The first window, and one after ten others. */
  private static List<Data> shares(AdditiveNoise noise, Sensitivity sensitivity) {
    NoisyHistogram mechanism = histogram(noise, sensitivity);
    EmpiricalBayesHistogram learning = new EmpiricalBayesHistogram(mechanism);
    ReleaseHistory past = ReleaseHistory.none(4);
    for (int window = 0; window < 10; window++) {
      past = learning.made(past, window, new long[] {20, 10, 5, 0}, 35).past();
    }
    List<Data> all = new ArrayList<>();
    for (ReleaseHistory before : List.of(ReleaseHistory.none(4), past)) {
      for (long[] truth : new long[][] {{1, 0, 0, 0}, {3, 1, 0, 0}, {960, 480, 320, 240}}) {
        long size = Arrays.stream(truth).sum();
        OutputDistribution<NoisyVector> distribution =
            mechanism.counts().distribution(new ExactVector(truth));
        all.add(
            random -> {
              EmpiricalBayesHistogram.Made made =
                  learning.made(before, 10, distribution.draw(random).values(), size);
              boolean[] held = new boolean[4];
              for (int i = 0; i < 4; i++) {
                double off = Math.abs(made.shares().share(i) - truth[i] / (double) size);
                held[i] = off <= made.errors().get(i) + 1e-9;
              }
              return held;
            });
      }
    }
    return all;
  }

  private static boolean holds(Estimate estimate, double truth) {
    double slack = 1e-9 * Math.max(1, Math.abs(truth)); // of the sums here, not of the release
    return estimate.low() - slack <= truth && truth <= estimate.high() + slack;
  }

  /** Count, sum, mean and variance of a few numbers and of many, in the middle and at an end. */
  private static List<Data> means(GridNoise noise, MomentSensitivity sensitivity, int degree) {
    NumberBounds bounds = new NumberBounds(-2, 6);
    GridMeasurement<MomentQuery> mechanism = new MomentQuery(sensitivity).with(noise);
    List<Data> all = new ArrayList<>();
    for (int size : new int[] {3, 200}) {
      for (double middle : new double[] {2, 5.9}) {
        double[] numbers = new double[size];
        Arrays.setAll(numbers, i -> middle + (i % 2 == 0 ? 0.1 : -1));
        all.add(means(mechanism, numbers, degree, bounds));
      }
    }
    return all;
  }

  private static Data means(
      GridMeasurement<MomentQuery> mechanism, double[] numbers, int degree, NumberBounds bounds) {
    long[] sums = new long[degree + 1];
    BernsteinParts parts = new BernsteinParts(bounds, degree);
    for (double x : numbers) {
      long[] of = parts.of(x);
      Arrays.setAll(sums, k -> sums[k] + of[k]);
    }
    double sum = Arrays.stream(numbers).sum();
    double mean = sum / numbers.length;
    double variance =
        Arrays.stream(numbers).map(x -> (x - mean) * (x - mean)).sum() / numbers.length;
    OutputDistribution<NoisyVector> distribution = mechanism.distribution(new ExactVector(sums));
    return random -> {
      NoisyMoments drawn = NoisyMoments.of(mechanism.query(), distribution.draw(random));
      MomentEstimates found = MomentEstimates.of(mechanism, drawn, 0, 0, bounds);
      return new boolean[] {
        holds(found.count(), numbers.length),
        holds(found.sum(), sum),
        holds(found.mean(), mean),
        found.variance().stream().allMatch(v -> holds(v, variance))
      };
    };
  }

  private static CalibrationTarget anyShare() {
    return new CalibrationTarget("any", Epsilon.of("1"), Delta.of("1e-6"), 1);
  }

  private static List<Data> quantiles(GridNoise noise, boolean sizeIsPublic) {
    Bins bins = Bins.of(0, 1, 64, Bins.Scale.LINEAR);
    GridMeasurement<QuantileQuery> planned =
        (sizeIsPublic
                ? Plans.quantilesOfRecords(anyShare(), bins)
                : Plans.quantilesOfUsers(anyShare(), bins, 1))
            .orElseThrow()
            .mechanism();
    GridMeasurement<QuantileQuery> mechanism =
        new GridMeasurement<>(planned.query(), planned.sensitivity(), noise);
    QuantileEstimates estimates = new QuantileEstimates(mechanism);
    List<Data> all = new ArrayList<>();
    for (int size : new int[] {3, 400}) {
      long[] counts = new long[bins.number()];
      for (int i = 0; i < size; i++) {
        counts[(7 * i * i + 11) % 40]++;
      }
      int[] truth = {bin(counts, 0.5 * size), bin(counts, 0.9 * size)};
      OutputDistribution<NoisyVector> distribution =
          mechanism.distribution(new ExactVector(counts));
      all.add(
          random -> {
            QuantileEstimates.Told told = estimates.told(distribution.draw(random), 0.5, 0.9);
            boolean[] held = new boolean[3];
            held[2] = holds(told.count(), size);
            for (int k = 0; k < 2; k++) {
              held[k] =
                  told.quantiles().get(k).low() <= bins.edge(truth[k])
                      && bins.edge(truth[k] + 1) <= told.quantiles().get(k).high();
            }
            return held;
          });
    }
    return all;
  }

  private static int bin(long[] counts, double rank) {
    long sum = 0;
    for (int bin = 0; bin < counts.length; bin++) {
      sum += counts[bin];
      if (sum >= rank) {
        return bin;
      }
    }
    throw new IllegalArgumentException("so many there are not");
  }

  private static List<Data> tables(GridNoise noise, boolean sizeIsPublic) {
    CrossTables tables = CrossTables.of(2, 3, 4);
    GridMeasurement<TableQuery> planned =
        (sizeIsPublic
                ? Plans.tablesOfRecords(anyShare(), tables)
                : Plans.tablesOfUsers(anyShare(), tables, 1))
            .orElseThrow()
            .mechanism();
    GridMeasurement<TableQuery> mechanism =
        new GridMeasurement<>(planned.query(), planned.sensitivity(), noise);
    TablesEstimates estimates = new TablesEstimates(mechanism);
    List<Data> all = new ArrayList<>();
    for (int size : new int[] {3, 400}) {
      long[] categories = new long[size];
      Arrays.setAll(categories, i -> (long) i * i % 7);
      ExactVector exact = tables.counts(categories);
      OutputDistribution<NoisyVector> distribution = mechanism.distribution(exact);
      long[] truth = exact.values();
      all.add(
          random -> {
            TablesEstimate told = estimates.of(distribution.draw(random));
            long[] low = told.low();
            long[] high = told.high();
            boolean[] held = new boolean[truth.length];
            for (int cell = 0; cell < truth.length; cell++) {
              held[cell] = low[cell] <= truth[cell] && truth[cell] <= high[cell];
            }
            return held;
          });
    }
    return all;
  }

  private static List<Data> publicNames(GridNoise noise) {
    ToLongFunction<KeyedRandom> sampler = noise.sampler();
    return List.of(
        one(
            random -> {
              CountInterval told =
                  CountInterval.of(
                      noise, new NoisyName((7L << 20) + sampler.applyAsLong(random), 20));
              return told.low() <= 7 && 7 <= told.high() ? 1 : 0;
            }));
  }

  /** Given that they were found: those that lucky noise lifts above the threshold, and others. */
  private static List<Data> foundNames(GridNoise noise) {
    ToLongFunction<KeyedRandom> sampler = noise.sampler();
    double deviation = Math.scalb(noise.deviation(), -20);
    Threshold threshold = new Threshold((long) Math.ceil(2 + 4.75 * deviation));
    List<Data> all = new ArrayList<>();
    for (double near : new double[] {-1.5, 0, 2}) {
      long truth = Math.max(1, Math.round(threshold.least() + near * deviation));
      all.add(
          one(
              random -> {
                NoisyName noisy;
                do {
                  noisy = new NoisyName((truth << 20) + sampler.applyAsLong(random), 20);
                } while (!noisy.passes(threshold));
                CountInterval told = CountInterval.ofPassed(noise, threshold, noisy);
                return told.low() <= truth && truth <= told.high() ? 1 : 0;
              }));
    }
    return all;
  }

  /** The running count, and that of the last three of eight windows. */
  private static List<Data> running(GridNoise rows) {
    SquareRootCoefficients coefficients = new SquareRootCoefficients(8);
    RunningMechanism mechanism =
        new RunningMechanism(
            coefficients,
            rows,
            0,
            new GridSensitivity("any", PrivacyUnit.USER, 1, 1L << 20, 1 << 20));
    RowErrorBars bars = new RowErrorBars(mechanism);
    long[] window = {5};
    return List.of(
        random -> {
          RunningSums sums = RunningSums.start(coefficients, 1);
          for (int i = 0; i < 8; i++) {
            Rows exact = sums.rows(window);
            sums = sums.plus(window, mechanism.distribution(exact).draw(random), 0, 3);
          }
          double all = Math.scalb((double) sums.told()[0], -20);
          double last = Math.scalb((double) sums.toldOf(3)[0], -20);
          return new boolean[] {
            Math.abs(all - 40) <= bars.halfWidth(8, 8), Math.abs(last - 15) <= bars.halfWidth(8, 3)
          };
        });
  }

  private static List<Kind> kinds() {
    List<Kind> kinds = new ArrayList<>();
    for (String method : List.of("laplace", "gaussian")) {
      kinds.add(new Kind("count", "any", method, x -> counts(whole(method, x))));
      kinds.add(
          new Kind("count, `use-history`", "any", method, x -> learnedCounts(whole(method, x))));
      kinds.add(
          new Kind(
              "share, `use-history`",
              "user",
              method,
              x -> shares(whole(method, x), Sensitivity.addOrRemove(1))));
      kinds.add(
          new Kind(
              "share, `use-history`",
              "record",
              method,
              x -> shares(whole(method, x), Sensitivity.replaceOne())));
      for (Sensitivity unit : List.of(Sensitivity.addOrRemove(1), Sensitivity.replaceOne())) {
        kinds.add(
            new Kind(
                "share",
                unit.sizeIsPublic() ? "record" : "user",
                method,
                x -> plainShares(whole(method, x), unit)));
      }
      kinds.add(
          new Kind(
              "mean, sum, count",
              "user",
              method,
              x -> means(grid(method, x), MomentSensitivity.addOrRemove(1, 1, 1), 1)));
      kinds.add(
          new Kind(
              "mean, sum, count",
              "record",
              method,
              x -> means(grid(method, x), MomentSensitivity.replaceOneOfOneGroup(1, 1), 1)));
      kinds.add(
          new Kind(
              "mean, sum, count, variance",
              "user",
              method,
              x -> means(grid(method, x), MomentSensitivity.addOrRemove(2, 1, 1), 2)));
      kinds.add(
          new Kind("name or subject, public", "user", method, x -> publicNames(grid(method, x))));
      kinds.add(
          new Kind("name or subject, found", "user", method, x -> foundNames(grid(method, x))));
    }
    for (boolean isPublic : new boolean[] {false, true}) {
      String unit = isPublic ? "record" : "user";
      kinds.add(
          new Kind(
              "quantile, count", unit, "gaussian", x -> quantiles(grid("gaussian", x), isPublic)));
      kinds.add(new Kind("table", unit, "gaussian", x -> tables(grid("gaussian", x), isPublic)));
    }
    kinds.add(
        new Kind("running count, `over`", "any", "gaussian", x -> running(grid("gaussian", x))));
    return kinds;
  }

  /** The least part of draws in which an interval holds the truth, over datasets and intervals. */
  private static double least(Kind kind, double deviation) {
    double least = 1;
    for (Data data : kind.made().of(deviation)) {
      KeyedRandom random =
          KeyedRandom.ofPublicSeed(
              "coverage " + kind.name() + kind.unit() + kind.noise() + deviation);
      int[] held = new int[data.held(random).length];
      for (int draw = 0; draw < DRAWS; draw++) {
        boolean[] each = data.held(random);
        for (int i = 0; i < held.length; i++) {
          held[i] += each[i] ? 1 : 0;
        }
      }
      least = Math.min(least, Arrays.stream(held).min().orElseThrow() / (double) DRAWS);
    }
    return least;
  }

  @Test
  void shouldHoldTheTruthAsTheDocumentSays() throws Exception {
    StringBuilder table = new StringBuilder(HEAD);
    for (double deviation : DEVIATIONS) {
      table.append(" ").append(deviation == 0.3 ? "0.3" : Math.round(deviation)).append(" |");
    }
    table.append("\n|---|---|---|").append("---|".repeat(DEVIATIONS.length)).append("\n");
    for (Kind kind : kinds()) {
      table.append("| %s | %s | %s |".formatted(kind.name(), kind.unit(), kind.noise()));
      for (double deviation : DEVIATIONS) {
        double least = least(kind, deviation);
        assertThat(isTooFew(least)).as(kind + ": " + least + " at " + deviation).isFalse();
        table.append(String.format(Locale.ROOT, " %.1f%% |", 100 * least));
      }
      table.append("\n");
    }
    String document = Files.readString(DOCUMENT);
    int begin = document.indexOf(HEAD);
    int end = document.indexOf("\n\n", begin) + 1;
    if ("write".equals(System.getProperty("sfumato.golden"))) {
      Files.writeString(DOCUMENT, document.substring(0, begin) + table + document.substring(end));
      return;
    }
    assertThat(document.substring(begin, end)).isEqualTo(table.toString());
  }
}
