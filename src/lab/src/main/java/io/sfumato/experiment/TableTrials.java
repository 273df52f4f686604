// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.additive.NoiseCalibration;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.estimate.tables.BestWeights;
import io.sfumato.estimate.tables.TablesError;
import io.sfumato.estimate.tables.TablesEstimate;
import io.sfumato.estimate.tables.TablesEstimates;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.tables.TableQuery;
import io.sfumato.mechanism.tables.TableWeights;
import io.sfumato.mechanism.tables.Tables;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/** Releases of one population's tables at one epsilon, by every method. */
final class TableTrials {
  static final String DELTA = "1e-6";

  /** In the order of results. */
  static final List<String> METHODS =
      List.of(
          "consistent tables",
          "least squares alone",
          "one release a table",
          "all combinations, added up");

  private final TablePopulation people;
  private final double epsilon;
  private final GridMeasurement<TableQuery> mechanism;
  private final TablesEstimates estimates;
  private final GridNoise separate;
  private final long[] truth;

  TableTrials(TablePopulation people, double epsilon) {
    this.people = people;
    this.epsilon = epsilon;
    this.truth = people.exact().values();
    TableQuery query = BestWeights.query(people.tables(), Tables.Total.MEASURED);
    this.mechanism =
        VectorCalibrator.gaussian(request(1), query, query.weights().addOrRemove(people.most()))
            .orElseThrow()
            .mechanism();
    this.estimates = new TablesEstimates(mechanism);
    long step = people.most() * TableWeights.ONE; // all of a user's records may fall into one cell
    GridSensitivity one = new GridSensitivity("a user's records", PrivacyUnit.USER, 1, step, step);
    this.separate =
        NoiseCalibration.gaussian(request(people.tables().tables()), one, GridNoise.DIGITS)
            .orElseThrow()
            .noise();
  }

  private CalibrationTarget request(int releases) {
    return new CalibrationTarget(
        "tables", Epsilon.of(Double.toString(epsilon)), Delta.of(DELTA), releases);
  }

  /**
   * One seed: mean squared errors of each table by method, and the part of intervals that held.
   *
   * @param squares by the methods that are drawn
   */
  record Trial(List<double[]> squares, double held) {}

  Trial trial(int seed) {
    KeyedRandom random =
        KeyedRandom.ofPublicSeed("tables " + people.name() + " " + epsilon + " " + seed);
    NoisyVector drawn = mechanism.distribution(people.exact()).draw(random);
    TablesEstimate told = estimates.of(drawn);
    long[] counts = told.counts();
    long[] low = told.low();
    long[] high = told.high();
    double held = 0;
    for (int cell = 0; cell < truth.length; cell++) {
      held += low[cell] <= truth[cell] && truth[cell] <= high[cell] ? 1 : 0;
    }
    double[] unbounded = estimates.unbounded(drawn);
    double[] noisy = new double[truth.length];
    ToLongFunction<KeyedRandom> sampler = separate.sampler();
    for (int cell = 0; cell < noisy.length; cell++) {
      double noise = sampler.applyAsLong(random) / (double) TableWeights.ONE;
      noisy[cell] = Math.max(0, Math.rint(truth[cell] + noise)); // as anybody would publish it
    }
    return new Trial(
        List.of(
            squares(cell -> counts[cell]),
            squares(cell -> unbounded[cell]),
            squares(cell -> noisy[cell])),
        held / truth.length);
  }

  /**
   * Roots of what a release errs by, as a result's metrics are.
   *
   * @param counts of all cells
   */
  double[] errors(long[] counts) {
    return TablesExperiment.roots(mechanism, squares(cell -> counts[cell]));
  }

  private double[] squares(IntToDoubleFunction told) {
    Tables tables = people.tables();
    double[] squares = new double[tables.tables()];
    for (int table = 0; table < squares.length; table++) {
      for (int cell = tables.start(table); cell < tables.start(table + 1); cell++) {
        double error = told.applyAsDouble(cell) - truth[cell];
        squares[table] += error * error / tables.size(table);
      }
    }
    return squares;
  }

  /** One a method; all combinations, which are far too many to draw, by theory. */
  List<Result> results(List<Trial> trials) {
    double[] combinations =
        Arrays.stream(TablesError.ofCategories(mechanism).rms()).map(x -> x * x).toArray();
    return IntStream.range(0, METHODS.size())
        .mapToObj(
            method ->
                result(
                    METHODS.get(method),
                    method == METHODS.size() - 1
                        ? List.of(combinations)
                        : trials.stream().map(trial -> trial.squares().get(method)).toList()))
        .toList();
  }

  /** Roots of means over all seeds, with how far single seeds lie around them. */
  private Result result(String method, List<double[]> squares) {
    double[] means = new double[people.tables().tables()];
    Arrays.setAll(
        means, table -> squares.stream().mapToDouble(x -> x[table]).average().orElseThrow());
    double[] roots = TablesExperiment.roots(mechanism, means);
    List<double[]> single =
        squares.stream().map(one -> TablesExperiment.roots(mechanism, one)).toList();
    List<MeasurementSummary> metrics =
        IntStream.range(0, roots.length)
            .mapToObj(
                metric ->
                    new MeasurementSummary(
                        roots[metric],
                        MeasurementSummary.of(single.stream().mapToDouble(x -> x[metric]).toArray())
                            .deviation()))
            .toList();
    return new Result(people.name(), method, OptionalDouble.of(epsilon), metrics, "");
  }
}
