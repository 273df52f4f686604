// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.continual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.bytes.CorruptBytesException;
import io.sfumato.estimate.continual.Horizon;
import io.sfumato.mechanism.additive.GridGaussian;
import io.sfumato.mechanism.additive.GridLaplace;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What rows are charged, drawn and encoded as, how far they move, and what is refused. */
class RowsAtLimitsTest {
  private static final GridSensitivity WINDOW =
      new GridSensitivity("window", PrivacyUnit.USER, 2, 3, 4);

  private static Rows row(Coefficients coefficients, long records) {
    return RunningSums.start(coefficients, 1).rows(new long[] {records});
  }

  /** The squared norm of the sum of W columns side by side, row by row. */
  private static BigInteger columns(Coefficients coefficients, int windows) {
    BigInteger sum = BigInteger.ZERO;
    for (int row = 0; row < coefficients.band() + windows; row++) {
      long all = 0;
      for (int window = 0; window < windows && window <= row; window++) {
        all += coefficients.at(row - window);
      }
      sum = sum.add(BigInteger.valueOf(all).multiply(BigInteger.valueOf(all)));
    }
    return sum;
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "1, 5", "2, 1", "4, 1", "4, 3", "4, 4", "4, 9", "30, 7"})
  void windowsSideBySideMoveAllRowsByTheirColumns(int band, int windows) {
    Coefficients coefficients = new SquareRootCoefficients(band);
    assertThat(coefficients.squaredNorm(windows)).isEqualTo(columns(coefficients, windows));
    GridSensitivity moved = RowSensitivity.perWindow(WINDOW, coefficients, windows);
    double l2 = 4 * Math.sqrt(columns(coefficients, windows).doubleValue() / windows);
    assertThat(moved.l2()).isGreaterThan(l2 * (1 - 1e-15)).isCloseTo(l2, within(1e-12 * l2));
    long column = 0;
    for (int k = 0; k < band; k++) {
      column += coefficients.at(k);
    }
    assertThat(coefficients.columnSum()).isEqualTo(column);
    assertThat(List.of((long) moved.parts(), moved.each())).containsExactly(2L, 3 * column);
    assertThat(moved.word()).isEqualTo("window root-%d in-%d", band, windows);
  }

  /** Of one band there is no norm to sum up, however many windows there are. */
  @Test
  void anyNumberOfWindowsThatStandAlonePayForThemselves() {
    GridSensitivity moved =
        RowSensitivity.perWindow(WINDOW, new SquareRootCoefficients(1), 1L << 40);
    assertThat(moved.l2())
        .isGreaterThan(4.0 * Coefficients.ONE)
        .isCloseTo(4.0 * Coefficients.ONE, within(1e-6));
    GridSensitivity own = RowSensitivity.ofOwn(WINDOW, 7);
    assertThat(own).isEqualTo(new GridSensitivity("window own in-7", PrivacyUnit.USER, 2, 3, 4));
    GridSensitivity most =
        RowSensitivity.perWindow(
            new GridSensitivity("most", PrivacyUnit.USER, 2, 1L << 40, 1L << 41),
            new SquareRootCoefficients(4),
            1);
    assertThat(most.each()).as("no further than noise is planned").isEqualTo(1L << 52);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 65_537})
  void otherNumbersOfWindowsAreRefused(int windows) {
    assertThatThrownBy(() -> new SquareRootCoefficients(4).squaredNorm(windows))
        .hasMessageContaining("1 to 65536 windows, was " + windows);
  }

  @Test
  void allWindowsOfTheLongestBlockCount() {
    assertThat(new SquareRootCoefficients(1).squaredNorm(65_536))
        .isEqualTo(BigInteger.ONE.shiftLeft(16 + 2 * Coefficients.DIGITS));
  }

  @Test
  void sumsRunOverSoManyWindows() {
    assertThat(new Horizon.Until(1 << 20).most()).isEqualTo(1 << 20);
    assertThat(new Horizon.Until(1).most()).isEqualTo(1);
    assertThat(new Horizon.Last(1024).most()).isEqualTo(Long.MAX_VALUE);
    assertThat(new Horizon.Last(1).windows()).isEqualTo(1);
    for (int windows : new int[] {0, (1 << 20) + 1}) {
      assertThatThrownBy(() -> new Horizon.Until(windows)).hasMessageContaining("was " + windows);
    }
    for (int windows : new int[] {0, 1025}) {
      assertThatThrownBy(() -> new Horizon.Last(windows)).hasMessageContaining("was " + windows);
    }
  }

  @Test
  void noiseLiesOnTheGridOfRowsOrOfWindowsThatStandAlone() {
    SquareRootCoefficients one = new SquareRootCoefficients(1);
    SquareRootCoefficients two = new SquareRootCoefficients(2);
    assertThat(new RunningMechanism(one, new GridLaplace(0, 5), 0, WINDOW).method())
        .isEqualTo("laplace");
    assertThat(new RunningMechanism(two, new GridGaussian(20, 50), 0, WINDOW).method())
        .isEqualTo("gaussian");
    assertThat(RunningMechanism.ofRows(two, new GridGaussian(23, 50), WINDOW).digits())
        .isEqualTo(3);
    refused(one, new GridGaussian(20, 50), -1, "were 2^--1");
    refused(one, new GridGaussian(20, 50), 21, "were 2^-21");
    refused(one, new GridGaussian(21, 50), 0, "no noise on 2^-21");
    refused(two, new GridGaussian(19, 50), 0, "no noise on 2^-19");
    refused(one, new GridGaussian(2, 50), 3, "no noise on 2^-2");
    refused(two, new GridLaplace(20, 50), 0, "Gaussian");
    assertThat(new RunningMechanism(one, new GridGaussian(20, 50), 20, WINDOW).digits())
        .isEqualTo(20);
  }

  private static void refused(
      Coefficients coefficients, GridNoise noise, int digits, String message) {
    assertThatThrownBy(() -> new RunningMechanism(coefficients, noise, digits, WINDOW))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  /** On the grid of windows a step of noise is 2^20 steps of a row. */
  @Test
  void aRowGetsTheNoiseThatIsChargedForOnItsOwnGrid() {
    SquareRootCoefficients coefficients = new SquareRootCoefficients(1);
    for (int digits : new int[] {0, 7, 20}) {
      GridNoise noise = new GridGaussian(digits, 50);
      RunningMechanism mechanism = new RunningMechanism(coefficients, noise, 0, WINDOW);
      assertThat(mechanism.charge().mechanism()).isEqualTo(noise.charge(WINDOW).mechanism());
      assertThat(mechanism.parameters()).isNotEmpty().isEqualTo(noise.parameters());
      assertThat(mechanism.deviation()).isEqualTo(noise.deviation() / Math.pow(2, digits));
      Rows exact = row(coefficients, 5);
      NoisyRunningRows noisy = mechanism.distribution(exact).draw(KeyedRandom.ofPublicSeed("row"));
      long drawn = noise.sampler().applyAsLong(KeyedRandom.ofPublicSeed("row"));
      assertThat(drawn).isNotZero();
      assertThat(noisy.minus(exact)).containsExactly(drawn << (20 - digits));
      assertThat(mechanism.divergence(2, row(coefficients, 3), exact))
          .hasValue(noise.divergence(2, new long[] {-2L << digits}, new long[1]));
    }
  }

  /** All that its randomness depends on. */
  @Test
  void theExactRowsAndTheNoiseAreFramed() {
    SquareRootCoefficients coefficients = new SquareRootCoefficients(1);
    long[] bits = {0, 5L << 20};
    CanonicalEncoder onRows = new CanonicalEncoder();
    new RunningMechanism(coefficients, new GridGaussian(20, 50), 0, WINDOW)
        .distribution(row(coefficients, 5))
        .encodeInput(onRows);
    assertThat(onRows.toBytes())
        .isEqualTo(
            new CanonicalEncoder()
                .text("running")
                .text("root-1")
                .text("gaussian")
                .number(20)
                .number(50)
                .numbers(bits)
                .toBytes());
    CanonicalEncoder onWindows = new CanonicalEncoder();
    new RunningMechanism(coefficients, new GridLaplace(0, 3), 0, WINDOW)
        .distribution(row(coefficients, 5))
        .encodeInput(onWindows);
    assertThat(onWindows.toBytes())
        .isEqualTo(
            new CanonicalEncoder()
                .text("own")
                .number(20)
                .text("running")
                .text("root-1")
                .text("laplace")
                .number(0)
                .number(3)
                .numbers(bits)
                .toBytes());
  }

  @Test
  void rowsAndLagsAreEqualWhereTheyHoldTheSame() {
    SquareRootCoefficients coefficients = new SquareRootCoefficients(3);
    assertThat(row(coefficients, 5))
        .isEqualTo(row(coefficients, 5))
        .hasSameHashCodeAs(row(coefficients, 5));
    assertThat(row(coefficients, 5)).isNotEqualTo(row(coefficients, 6)).isNotEqualTo("5");
    assertThat(row(coefficients, 1L << 50))
        .as("the upper half")
        .isNotEqualTo(row(coefficients, 1L << 51));
    assertThat(row(coefficients, 5).groups()).isEqualTo(1);
    assertThat(row(coefficients, 5)).hasToString("Rows[1 groups]");
    assertThat(coefficients)
        .isEqualTo(new SquareRootCoefficients(3))
        .hasSameHashCodeAs(new SquareRootCoefficients(3));
    assertThat(coefficients)
        .isNotEqualTo(new SquareRootCoefficients(4))
        .isNotEqualTo("3")
        .hasToString("RootLags[3]");
  }

  /** Rows have 128 bits, and differences 64. */
  @Test
  void rowsOfAnySizeLieApartByWhatDistinguishesThem() {
    SquareRootCoefficients coefficients = new SquareRootCoefficients(1);
    Rows large = row(coefficients, 1L << 50);
    assertThat(large.minus(large)).containsExactly(0);
    assertThat(large.minus(row(coefficients, (1L << 50) + 1))).containsExactly(-1L << 20);
    assertThat(row(coefficients, (1L << 50) + 1).minus(large)).containsExactly(1L << 20);
    assertThatThrownBy(() -> large.minus(row(coefficients, 0)))
        .isInstanceOf(ArithmeticException.class);
    WideSum sum = new WideSum();
    large.addTo(sum, 0, 3);
    assertThat(new long[] {sum.high(), sum.low()}).as("2^73").containsExactly(1L << 9, 0);
    row(coefficients, 1L << 43).addTo(sum, 0, 3);
    assertThat(new long[] {sum.high(), sum.low()}).containsExactly((1L << 9) + 4, 0);
  }

  @Test
  void sumsWithAByteMoreAreNoSums() {
    SquareRootCoefficients coefficients = new SquareRootCoefficients(3);
    byte[] bytes = RunningSums.start(coefficients, 1).encode();
    assertThat(RunningSums.decode(bytes, coefficients, 1)).isPresent();
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
    assertThatThrownBy(() -> RunningSums.decode(longer, coefficients, 1))
        .isInstanceOf(CorruptBytesException.class);
  }
}
