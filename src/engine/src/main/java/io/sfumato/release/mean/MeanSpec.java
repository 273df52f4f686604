// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.estimate.moments.MomentError;
import io.sfumato.estimate.moments.PartsError;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.PeriodBounds;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.continual.RowCharge;
import io.sfumato.mechanism.moments.MomentQuery;
import io.sfumato.mechanism.moments.MomentSensitivity;
import io.sfumato.mechanism.moments.MomentShape;
import io.sfumato.pipeline.Grouping;
import io.sfumato.pipeline.OverWindows;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.PowersRule;
import io.sfumato.pipeline.PrivacyRationale;
import io.sfumato.pipeline.RecordAggregation;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.UnplannableException;
import io.sfumato.schema.MeanRelease;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.avro.Schema;

/**
 * Private number, sum, mean and perhaps variance of numbers, for every subject and closed window,
 * or over windows.
 *
 * @param head name, topic and share
 * @param values that are summarised, at least one
 * @param dimensions numbers of a record, at least 1
 * @param grouping what is summarised apart
 * @param groups number of categories; 1 where all records are taken together
 * @param moments 1 for means, 2 for variances too
 * @param method what noise is added
 * @param over over which windows sums are told
 * @param population what one user may add, where many users feed one subject
 * @param planSize PUBLIC guess of a window's records in one group, for plans only
 */
public record MeanSpec(
    Head head,
    List<MeasuredValue> values,
    int dimensions,
    Grouping grouping,
    int groups,
    int moments,
    Method method,
    OverWindows over,
    Optional<Population> population,
    long planSize)
    implements ReleaseSpec {
  /** On what the privacy of sums of numbers rests. */
  static final PrivacyRationale.Source NUMBERS =
      new PrivacyRationale.Source(
          "Theorem I: numbers split into Bernstein parts within public bounds",
          "our own proof",
          "theory/moments-and-quantiles.md#theorem-i-numbers");

  public MeanSpec {
    values = List.copyOf(values);
    if (values.stream().map(MeasuredValue::isOpen).distinct().count() != 1) {
      throw new IllegalArgumentException("bounds are known of all numbers, or of none");
    }
  }

  /** What noise is added. */
  public enum Method {
    /** The one with the narrower intervals of means. */
    BEST,
    /** Discrete Gaussian. */
    GAUSSIAN,
    /** Discrete Laplace. */
    LAPLACE
  }

  /** What readers get, in words. */
  String summarised() {
    return "number of records, sum and mean of %s%s%s"
        .formatted(
            values.stream().map(MeasuredValue::name).collect(Collectors.joining(", ")),
            moments > 1 ? ", with variance and standard deviation" : "",
            isByCategory() ? ", of each category" : "");
  }

  @Override
  public Schema schema() {
    return MeanRelease.getClassSchema();
  }

  @Override
  public PlannedRelease plan() throws UnplannableException {
    Optional<? extends PlannedRelease> planned =
        over.needsPast() ? new RunningMeanMethods(this).planned() : ofOneWindow();
    return planned.orElseThrow(() -> head.cannotAfford());
  }

  private Optional<PlannedMean> ofOneWindow() {
    List<Calibrated<GridMeasurement<MomentQuery>>> candidates = candidates();
    return candidates.stream()
        .findFirst()
        .map(narrowest -> new PlannedMean(this, narrowest, candidates));
  }

  /**
   * What as many windows come to that are drawn each by itself, and added up. Nothing if the share
   * affords none.
   */
  Optional<PartsError> independent(long windows) {
    return candidates().stream()
        .map(Calibrated::mechanism)
        .findFirst()
        .map(own -> new PartsError(own.noise().summed(windows), own.query().way()));
  }

  /** What a share that has a delta must afford. */
  CalibrationTarget request() {
    return head.request();
  }

  @Override
  public boolean remembers() {
    return over.needsPast();
  }

  /** Rows of windows' own parts hold earlier ones too. */
  @Override
  public boolean readsEarlierWindows() {
    return over.last().isPresent() && over.running().isEmpty();
  }

  @Override
  public int windowsCounted() {
    return over.counted();
  }

  /** The plans among which the method chooses, the best first; none if the share affords none. */
  private List<Calibrated<GridMeasurement<MomentQuery>>> candidates() {
    return MomentError.narrowestFirst(
        sensitivities().stream().flatMap(way -> candidates(way).stream()));
  }

  private List<Calibrated<GridMeasurement<MomentQuery>>> candidates(MomentSensitivity way) {
    MomentQuery query = new MomentQuery(way);
    GridSensitivity moved = moved(way);
    if (isPure()) {
      return method == Method.GAUSSIAN
          ? List.of()
          : VectorCalibrator.pureLaplace(
                  share().ledger(), share().epsilon(), horizon(), query, moved)
              .stream()
              .toList();
    }
    return switch (method) {
      case BEST -> VectorCalibrator.either(request(), query, moved);
      case GAUSSIAN -> VectorCalibrator.gaussian(request(), query, moved).stream().toList();
      case LAPLACE -> VectorCalibrator.laplace(request(), query, moved).stream().toList();
    };
  }

  /** What one charge pays for: a window's parts, or those of one record of a user. */
  private GridSensitivity moved(MomentSensitivity way) {
    return population.map(users -> users.charged(way.moved())).orElseGet(way::moved);
  }

  /** The same where windows draw rows. */
  RowCharge rowCharge(MomentSensitivity way) {
    return period()
        .<RowCharge>map(bounds -> new RowCharge.OfRecord(way.moved(), bounds))
        .orElseGet(() -> new RowCharge.OfWindow(way.moved()));
  }

  /** Found bounds are drawn once a period, of whatever records count then. */
  @Override
  public boolean chargesRecords() {
    return population.filter(Population::chargesRecords).isPresent() && !isOpen();
  }

  private Optional<PeriodBounds> period() {
    return chargesRecords() ? population.flatMap(Population::period) : Optional.empty();
  }

  /** Whether the share has no delta. */
  boolean isPure() {
    return share().delta().value().signum() == 0;
  }

  /** Whether the method allows this noise. */
  boolean mayBe(Method noise) {
    return method == noise || method == Method.BEST;
  }

  /**
   * How far neighbours lie apart, by what may be drawn: where the number of records is public, the
   * first part follows from it, but noise on the others alone is not always less.
   */
  private List<MomentSensitivity> sensitivities() {
    List<MomentSensitivity> ways = waysOfParts();
    return isOpen() ? ways.stream().map(way -> way.rounded(roundings())).toList() : ways;
  }

  /** Groups, of all subjects, that one user's records, or a replaced one, may be in. */
  private int roundings() {
    return population
        .map(users -> (int) Math.min(users.records(), (long) users.subjects() * groups))
        .orElse(Math.min(2, groups));
  }

  List<MomentSensitivity> waysOfParts() {
    if (population.isPresent()) {
      return List.of(
          MomentSensitivity.addOrRemove(moments, values.size(), population.get().records()));
    }
    MomentSensitivity all = MomentSensitivity.replaceOne(moments, values.size());
    return groups == 1
        ? List.of(MomentSensitivity.replaceOneOfOneGroup(moments, values.size()), all)
        : List.of(all);
  }

  /** Whether categories are summarised apart. */
  boolean isByCategory() {
    return grouping == Grouping.CATEGORY;
  }

  /** How sums lie in a tally. */
  public MomentShape shape() {
    return new MomentShape(groups, values.size(), moments);
  }

  /** Whether its numbers' bounds have to be found: all of them, or none. */
  boolean isOpen() {
    return values.get(0).isOpen();
  }

  /** What is kept of records, where bounds are known. */
  PartsRule rule() {
    return new PartsRule(values, moments, groups);
  }

  /** What is kept of records, one a number, where bounds have to be found. */
  List<PowersRule> openRules() {
    return values.stream().map(value -> new PowersRule(value.place(), groups)).toList();
  }

  @Override
  public List<RecordAggregation> tallies() {
    return isOpen() ? List.copyOf(openRules()) : List.of(rule());
  }

  @Override
  public List<Integer> boundsWanted() {
    return values.stream().filter(MeasuredValue::isOpen).map(MeasuredValue::place).toList();
  }

  @Override
  public Optional<NumberBounds> bounds(int place) {
    return values.stream()
        .filter(value -> value.place() == place)
        .flatMap(value -> value.bounds().stream())
        .findFirst();
  }
}
