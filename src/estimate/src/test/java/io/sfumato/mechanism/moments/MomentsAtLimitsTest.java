// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.moments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.estimate.moments.MomentError;
import io.sfumato.estimate.moments.NoisyMoments;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.additive.GridGaussian;
import io.sfumato.mechanism.additive.GridLaplace;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.bounds.BucketSums;
import io.sfumato.mechanism.bounds.PowerBounds;
import io.sfumato.mechanism.bounds.PowerBuckets;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is charged for sums that are rounded, which parts go where, and what is no sum. */
class MomentsAtLimitsTest {
  private static final long STEPS = BernsteinParts.STEPS;

  /** R groups of F numbers: 2 steps of each group in L1, 5/3 sqrt(R F) of a step in L2. */
  @ParameterizedTest
  @CsvSource({"1, 1, 1", "1, 2, 3", "2, 3, 2", "2, 1, 7"})
  void roundedSumsMoveByTheirRoundingsToo(int degree, int fields, int groups) {
    for (MomentSensitivity exact :
        List.of(
            MomentSensitivity.addOrRemove(degree, fields, 2),
            MomentSensitivity.replaceOne(degree, fields))) {
      MomentSensitivity rounded = exact.rounded(groups);
      GridSensitivity moved = rounded.moved();
      double l2 = exact.moved().l2() + 5 / 3.0 * Math.sqrt(groups * fields);
      assertThat(moved.l2()).isBetween(l2, l2 * (1 + 1e-11));
      assertThat(moved.each()).isEqualTo(exact.moved().each() + 2 * groups);
      assertThat(moved.parts()).isEqualTo(exact.moved().parts());
      assertThat(moved.unit()).isEqualTo(exact.unit());
      assertThat(moved.word()).isEqualTo("%s rounded=%d", exact.moved().word(), groups);
      assertThat(List.of(rounded.degree(), rounded.fields(), rounded.roundings()))
          .containsExactly(degree, fields, groups);
      assertThat(rounded.resolution()).as("u, and its square").isEqualTo(0x1.0p-14);
      assertThat(exact.resolution()).isEqualTo(0x1.0p-20);
      assertThatThrownBy(() -> rounded.rounded(1)).hasMessageContaining("rounded once");
      assertThatThrownBy(() -> exact.rounded(0)).hasMessageContaining("at least 1 group");
    }
  }

  @Test
  void aSensitivityIsOfPartsThatThereAre() {
    GridSensitivity moved = new GridSensitivity("any", PrivacyUnit.RECORD, 1, 1, 1);
    for (int firstPart : new int[] {-1, 2}) {
      assertThatThrownBy(() -> new MomentSensitivity(1, 1, firstPart, 0, moved))
          .hasMessageContaining("parts from 0 or 1 on");
    }
    assertThatThrownBy(() -> new MomentSensitivity(0, 1, 0, 0, moved))
        .hasMessageContaining("1 or 2");
    assertThat(new MomentSensitivity(2, 1, 1, 0, moved).sizeIsPublic()).isTrue();
  }

  private static PowerBounds bounds(double low, double high) {
    return new PowerBounds(PowerBuckets.of(low), PowerBuckets.of(high));
  }

  /** Whole powers of two, for which u is 0. */
  private static BucketSums sums(double... numbers) {
    long[] sums = new long[BucketSums.SIZE];
    for (double x : numbers) {
      sums[PowerBuckets.of(x) * BucketSums.OF_BUCKET]++;
    }
    return new BucketSums(sums);
  }

  /** Two groups of two numbers: from 1 to 4 and from 2 to 4, where numbers beyond are at an end. */
  private static OpenSums open() {
    return new OpenSums(
        new MomentShape(2, 2, 1),
        List.of(sums(1, 64), sums(2, 64), sums(1), sums(64)),
        List.of(bounds(1, 2), bounds(2, 2)));
  }

  @Test
  void openSumsAreThoseOfTheirGroupsAndNumbers() {
    ExactVector sums = open().sums();
    assertThat(sums.values()).containsExactly(STEPS, STEPS, STEPS, STEPS, STEPS, 0, 0, STEPS);
    assertThat(open().shape().records(sums)).isEqualTo(3);
    assertThat(open().toString()).startsWith("OpenSums[[PowerBounds").doesNotContain("64");
    assertThat(open().within(List.of(bounds(1, 2), bounds(2, 2)))).isEqualTo(open());
    MomentShape shape = new MomentShape(2, 2, 1);
    List<BucketSums> four = open().buckets();
    assertThatThrownBy(() -> new OpenSums(shape, four.subList(0, 1), open().bounds()))
        .hasMessageContaining("in each group");
    assertThatThrownBy(() -> new OpenSums(shape, four, List.of(bounds(1, 2))))
        .hasMessageContaining("and bounds");
  }

  /** All that is charged and drawn is that of the parts; bounds and parts are encoded. */
  @Test
  void openSumsAreDrawnAsTheirParts() {
    GridMeasurement<MomentQuery> parts =
        new MomentQuery(MomentSensitivity.addOrRemove(1, 2, 1).rounded(1))
            .with(new GridLaplace(20, 2 * STEPS));
    DeferredBoundsMechanism mechanism = new DeferredBoundsMechanism(parts);
    assertThat(mechanism.charge().mechanism())
        .isEqualTo(parts.charge().mechanism())
        .contains("rounded=1");
    assertThat(mechanism.charge().pure()).isEqualTo(parts.charge().pure()).isPresent();
    assertThat(mechanism.method()).isEqualTo("laplace");
    assertThat(mechanism.parameters()).isEqualTo(parts.parameters()).isNotEmpty();
    NoisyVector drawn = mechanism.distribution(open()).draw(KeyedRandom.ofPublicSeed("open"));
    assertThat(drawn)
        .isEqualTo(parts.distribution(open().sums()).draw(KeyedRandom.ofPublicSeed("open")));
    CanonicalEncoder encoded = new CanonicalEncoder();
    mechanism.distribution(open()).encodeInput(encoded);
    CanonicalEncoder expected = new CanonicalEncoder().text("found-bounds").number(2);
    for (PowerBounds bounds : open().bounds()) {
      expected.number(bounds.lowest()).number(bounds.highest());
    }
    parts.distribution(open().sums()).encodeInput(expected);
    assertThat(encoded.toBytes()).isEqualTo(expected.toBytes());
    OpenSums other =
        new OpenSums(
            open().shape(), open().buckets(), List.of(bounds(1, 1 << 20), bounds(2, 1 << 20)));
    assertThat(mechanism.divergence(2, open(), other)).as("at the bounds of the first").hasValue(0);
    OpenSums more =
        new OpenSums(
            open().shape(),
            List.of(sums(1, 1, 64), sums(2, 64, 64), sums(1), sums(64)),
            other.bounds());
    assertThat(mechanism.divergence(2, open(), more).orElseThrow()).isPositive();
    assertThatThrownBy(
            () ->
                new DeferredBoundsMechanism(
                    new MomentQuery(MomentSensitivity.addOrRemove(1, 2, 1)).with(parts.noise())))
        .hasMessageContaining("need noise for that");
  }

  /** What follows from the rest has no noise of its own, and loses nothing more. */
  @Test
  void whatFollowsFromTheRestLosesNothing() {
    MomentShape shape = new MomentShape(1, 2, 2);
    ExactVector first = new ExactVector(STEPS, 0, 0, 0, STEPS, 0);
    ExactVector second = new ExactVector(0, STEPS, 0, 0, 0, STEPS);
    GridGaussian noise = new GridGaussian(20, 5 * STEPS);
    double unit = 2 / (2 * 25.0); // of a squared distance of one record, at order 2
    double all =
        new MomentQuery(MomentSensitivity.replaceOne(2, 2))
            .with(noise)
            .divergence(2, first, second)
            .orElseThrow();
    assertThat(all).isCloseTo(4 * unit, within(1e-9));
    double drawn =
        new MomentQuery(MomentSensitivity.replaceOneOfOneGroup(2, 2))
            .with(noise)
            .divergence(2, first, second)
            .orElseThrow();
    assertThat(drawn).isCloseTo(3 * unit, within(1e-9));
    assertThat(new MomentQuery(MomentSensitivity.replaceOne(2, 2)).with(noise).method())
        .isEqualTo("gaussian");
  }

  /** Every place once, group by group; none beyond an end. */
  @Test
  void everySumHasAPlaceOfItsOwn() {
    MomentShape shape = new MomentShape(2, 3, 2);
    int next = 0;
    for (int group = 0; group < 2; group++) {
      for (int field = 0; field < 3; field++) {
        for (int k = 0; k < 3; k++) {
          assertThat(shape.place(group, field, k)).isEqualTo(next++);
        }
      }
    }
    assertThat(shape.size()).isEqualTo(next);
    for (int[] bad :
        new int[][] {{-1, 0, 0}, {2, 0, 0}, {0, -1, 0}, {0, 3, 0}, {0, 0, -1}, {0, 0, 3}}) {
      assertThatThrownBy(() -> shape.place(bad[0], bad[1], bad[2]))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
    assertThatThrownBy(() -> new MomentShape(1 << 15, 1 << 15, 1))
        .as("more than an array has")
        .isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> new MomentShape(0, 1, 1)).hasMessageContaining("1 group");
  }

  @Test
  void whatIsNoSumIsRefused() {
    MomentShape shape = new MomentShape(1, 1, 1);
    assertThat(new NoisyMoments(shape, new long[] {-3, 4}, OptionalLong.of(0)).of(0, 0, 0))
        .as("noise may go below 0, and nobody may be there")
        .isEqualTo(-3);
    assertThatThrownBy(() -> new NoisyMoments(shape, new long[2], OptionalLong.of(-1)))
        .hasMessageContaining("at least 0");
    assertThatThrownBy(() -> new NoisyMoments(shape, new long[3], OptionalLong.empty()))
        .hasMessageContaining("2 sums were expected");
    assertThatThrownBy(
            () ->
                ExactVector.none(shape.size())
                    .plus(ExactVector.none(new MomentShape(1, 1, 2).size())))
        .hasMessageContaining("do not add up");
    for (int firstPart : new int[] {-1, 2}) {
      assertThatThrownBy(() -> new DrawnParts(shape, firstPart))
          .hasMessageContaining("first parts");
    }
    assertThatThrownBy(() -> RoundedParts.of(sums(1).within(bounds(1, 1)), 3))
        .hasMessageContaining("1 or 2");
    assertThatThrownBy(() -> new BernsteinParts(new NumberBounds(0, 1), 3))
        .hasMessageContaining("1 or 2");
  }

  /** Of equal remainders the first is rounded up, so that everybody's parts are the same. */
  @Test
  void equalRemaindersRaiseTheFirst() {
    BernsteinParts halves = new BernsteinParts(new NumberBounds(0, 1), 1);
    assertThat(halves.of(0x1.0p-21)).containsExactly(STEPS, 0);
    assertThat(halves.of(0.5 + 0x1.0p-21)).containsExactly(STEPS / 2, STEPS / 2);
    // x = 2^-32 (1 + 2^-15) between 0 and 2^-26: (2^15 + 1) / 2 steps.
    long[] one = new long[BucketSums.SIZE];
    Arrays.fill(
        one,
        PowerBuckets.of(0x1.0p-32) * BucketSums.OF_BUCKET,
        (PowerBuckets.of(0x1.0p-32) + 1) * BucketSums.OF_BUCKET,
        1);
    assertThat(RoundedParts.of(new BucketSums(one).within(bounds(0, 0x1.0p-27)), 1))
        .containsExactly(STEPS - (1 << 14), 1 << 14);
  }

  /** C T / epsilon; and of what a share with a delta affords the narrowest interval first. */
  @Test
  void aPureShareBuysWhatItSays() {
    MomentSensitivity users = MomentSensitivity.addOrRemove(1, 1, 2);
    MomentQuery query = new MomentQuery(users);
    var plan =
        VectorCalibrator.pureLaplace("mean", Epsilon.of("0.5"), 4, query, users.moved())
            .orElseThrow();
    assertThat(plan.mechanism().noise()).isEqualTo(new GridLaplace(20, 16 * STEPS));
    assertThat(plan.mechanism().query()).isEqualTo(query);
    assertThat(plan.mechanism().sensitivity()).isEqualTo(users.moved());
    assertThat(plan.share().name()).isEqualTo("mean");
    assertThat(plan.share().epsilon()).isEqualTo(Epsilon.of("0.5"));
    assertThat(plan.share().delta()).isEqualTo(Delta.of("0"));
    assertThat(plan.releases()).isEqualTo(4);
    CalibrationTarget many = new CalibrationTarget("mean", Epsilon.of("1"), Delta.of("1e-6"), 365);
    assertThat(MomentError.best(many, List.of(users)))
        .extracting(each -> each.mechanism().method())
        .containsExactly("gaussian", "laplace");
    CalibrationTarget one = new CalibrationTarget("mean", Epsilon.of("1"), Delta.of("1e-6"), 1);
    assertThat(MomentError.best(one, List.of(users)))
        .extracting(each -> each.mechanism().method())
        .containsExactly("laplace", "gaussian");
  }
}
