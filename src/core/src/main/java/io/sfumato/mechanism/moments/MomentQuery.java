// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.moments;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.additive.VectorMeasurement;
import io.sfumato.mechanism.additive.VectorQuery;
import io.sfumato.random.CanonicalEncoder;
import java.util.List;
import java.util.OptionalLong;

/**
 * The sums of records' {@link BernsteinParts} that are drawn, from which counts, sums, means and
 * variances follow: Theorem I of docs/theory/moments-and-quantiles.md. Exact data are the sums of
 * all parts, in the order of {@link MomentShape#place}.
 *
 * @param way which parts are drawn, and how far neighbours move them
 */
public record MomentQuery(MomentSensitivity way) implements VectorQuery {
  /** With noise on every part that is drawn. */
  public GridMeasurement<MomentQuery> with(GridNoise noise) {
    return new GridMeasurement<>(this, way.moved(), noise);
  }

  /**
   * Which parts of data are drawn, and how all of them lie: the number of groups is that of data.
   *
   * @param drawn how many parts are drawn, of all groups together
   * @throws IllegalArgumentException unless it is a multiple of the parts of one group
   */
  public DrawnParts parts(int drawn) {
    int ofGroup = way.fields() * (way.degree() + 1 - way.firstPart());
    return new DrawnParts(shape(drawn, ofGroup), way.firstPart());
  }

  private MomentShape shape(ExactVector exact) {
    return shape(exact.size(), way.fields() * (way.degree() + 1));
  }

  private MomentShape shape(int numbers, int ofGroup) {
    if (numbers % ofGroup != 0) {
      throw new IllegalArgumentException("sums of other parts than were planned");
    }
    return new MomentShape(numbers / ofGroup, way.fields(), way.degree());
  }

  @Override
  public int digits() {
    return GridNoise.DIGITS;
  }

  @Override
  public void requireUnit(PrivacyUnit unit) {
    if (unit != way.unit()) {
      throw new IllegalArgumentException("parts of other neighbours are drawn");
    }
  }

  @Override
  public void encode(
      CanonicalEncoder encoder, VectorMeasurement<?> measurement, ExactVector exact) {
    encoder
        .text("moments")
        .text(measurement.noise().method())
        .text(way.moved().word())
        .number(measurement.noise().digits())
        .number(measurement.noise().steps())
        .number(way.firstPart())
        .number(shape(exact).groups())
        .numbers(exact.values());
  }

  @Override
  public long[] vector(ExactVector exact) {
    records(exact);
    return new DrawnParts(shape(exact), way.firstPart()).of(exact.values());
  }

  @Override
  public OptionalLong records(ExactVector exact) {
    return OptionalLong.of(shape(exact).records(exact));
  }

  /**
   * Within the file's bounds, or within bounds that were found before, if there is noise for it.
   */
  @Override
  public List<Mechanism<?, ?>> paidFor(VectorMeasurement<?> measurement) {
    return way.roundings() < 1
        ? List.of(measurement)
        : List.of(measurement, new DeferredBoundsMechanism(measurement));
  }
}
