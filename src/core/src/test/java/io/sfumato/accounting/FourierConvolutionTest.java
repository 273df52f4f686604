// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Powers and products of laws beside sums over all places. */
class FourierConvolutionTest {
  /** Error of one stage of a transform with roots as good as the table's (Higham, Theorem 24.2). */
  private static final double STAGE = 1e-15;

  private static final DiscretizedLoss GAUSSIAN =
      DiscretizedLoss.of(PrivacyProfile.gaussian(1), 0.5, 3);
  private static final DiscretizedLoss PURE = DiscretizedLoss.of(PrivacyProfile.pure(1), 0.25, 1);

  /** Of every place of a cycle, from loss 0 on. */
  private static double[] tilted(DiscretizedLoss grid, double theta, double lnMoment, int size) {
    double[] distribution = new double[size];
    for (int i = 0; i < grid.size(); i++) {
      distribution[Math.floorMod(grid.at(i), size)] +=
          grid.mass(i) * Math.exp(theta * grid.at(i) * grid.step() - lnMoment);
    }
    return distribution;
  }

  private static double[] times(double[] distribution, double[] other) {
    double[] sum = new double[distribution.length];
    for (int i = 0; i < distribution.length; i++) {
      for (int j = 0; j < distribution.length; j++) {
        sum[(i + j) % distribution.length] += distribution[i] * other[j];
      }
    }
    return sum;
  }

  /** All sizes from the smallest on: stages are made two at a time, and one may be left over. */
  @ParameterizedTest
  @CsvSource({
    "4, 0, 1, 0",
    "4, 1, 2, 3",
    "8, 0.5, 1, 2",
    "8, 0, 5, 7",
    "16, 1, 3, 1",
    "16, -1, 1, 9",
    "32, 0.3, 6, 31",
    "64, 2, 7, 5",
    "128, 0, 12, 100",
    "256, 1, 9, 0",
    "512, 1, 3, 17"
  })
  void aLawOfSumsIsTheSumOverAllPlaces(int size, double theta, int count, int first) {
    FourierConvolution transform = new FourierConvolution(size);
    transform.multiply(GAUSSIAN, theta, GAUSSIAN.lnMoment(theta), count);
    transform.multiply(PURE, theta, PURE.lnMoment(theta), 2);
    double[] gaussian = tilted(GAUSSIAN, theta, GAUSSIAN.lnMoment(theta), size);
    double[] pure = tilted(PURE, theta, PURE.lnMoment(theta), size);
    double[] wanted = times(pure, pure);
    for (int i = 0; i < count; i++) {
      wanted = times(wanted, gaussian);
    }
    double[] distribution = transform.inverse(first);
    double wrong = 0;
    for (int i = 0; i < size; i++) {
      wrong += Math.abs(distribution[i] - wanted[(first + i) % size]);
    }
    double ofRounding = count * 1e-15 * size;
    assertThat(distribution).hasSize(size);
    assertThat(wrong).isLessThanOrEqualTo(transform.error() + ofRounding);
    double least =
        least(ofMasses(GAUSSIAN, theta), size, count, gaussian)
            + least(ofMasses(PURE, theta), size, 2, pure)
            + Math.sqrt(size) * stages(size) * STAGE;
    assertThat(transform.error()).as("covers what is known of it").isBetween(least, 10 * least);
  }

  private static int stages(int size) {
    return Integer.numberOfTrailingZeros(size);
  }

  /** Roundings of the masses' exponents, half an ulp for each operation. */
  private static double ofMasses(DiscretizedLoss grid, double theta) {
    double ln = grid.lnMoment(theta);
    return 0x1.0p-52
        * IntStream.range(0, grid.size())
            .filter(i -> grid.mass(i) > 0)
            .mapToDouble(
                i -> {
                  double loss = theta * grid.at(i) * grid.step();
                  return grid.mass(i)
                      * Math.exp(loss - ln)
                      * (1 + Math.abs(grid.lnMass(i)) + Math.abs(loss) + Math.abs(ln));
                })
            .sum();
  }

  private static double least(double ofMasses, int size, int count, double[] distribution) {
    double norm = 0;
    for (double mass : distribution) {
      norm += mass * mass;
    }
    return count * (stages(size) * STAGE * Math.sqrt(size * norm) + ofMasses);
  }

  /** A law that adds up to more than 1 grows with every release, and its error with it. */
  @Test
  void errorsGrowWithLawsThatAddUpToMoreThanOne() {
    double[] errors = new double[2];
    for (int i = 0; i < 2; i++) {
      FourierConvolution transform = new FourierConvolution(64);
      transform.multiply(GAUSSIAN, 1, GAUSSIAN.lnMoment(1) - 0.1 * i, 10);
      errors[i] = transform.error();
    }
    assertThat(errors[1] / errors[0]).isBetween(Math.E, 2 * Math.E);
  }

  /** What has no mass has no exponent either. */
  @Test
  void placesWithoutMassAreLeftOut() {
    DiscretizedLoss bounded = DiscretizedLoss.of(PrivacyProfile.pure(1), 1.0, 1);
    assertThat(bounded.mass(1)).isZero();
    FourierConvolution transform = new FourierConvolution(4);
    transform.multiply(bounded, 0, 0, 1);
    assertThat(transform.error()).isLessThan(1e-12);
  }

  /** Exponents of hundreds and more have roundings that are larger than those of a transform. */
  @ParameterizedTest
  @CsvSource({"200, 1", "-200, 3", "100000, 2"})
  void errorsCoverTheRoundingsOfExponents(double theta, int count) {
    DiscretizedLoss narrow = DiscretizedLoss.of(PrivacyProfile.gaussian(0.1), 0.5, 3);
    FourierConvolution transform = new FourierConvolution(16);
    transform.multiply(narrow, theta, narrow.lnMoment(theta), count);
    double least = count * ofMasses(narrow, theta);
    assertThat(transform.error()).isBetween(least, 3 * least);
  }

  /** With tables of roots that are kept, and with one that is too large for that. */
  @ParameterizedTest
  @CsvSource({"17, 3", "18, 3"})
  void largeTransformsKeepTheirErrorToo(int stages, int count) {
    int size = 1 << stages;
    FourierConvolution transform = new FourierConvolution(size);
    transform.multiply(GAUSSIAN, 0, GAUSSIAN.lnMoment(0), count);
    double[] distribution = transform.inverse(0);
    // All sums lie next to 0, on either side: a short cycle has them too.
    int places = 64;
    double[] one = tilted(GAUSSIAN, 0, GAUSSIAN.lnMoment(0), places);
    double[] wanted = one;
    for (int i = 1; i < count; i++) {
      wanted = times(wanted, one);
    }
    double wrong = 0;
    for (int i = 0; i < size; i++) {
      boolean near = i < places / 2 || i >= size - places / 2;
      wrong += Math.abs(distribution[i] - (near ? wanted[i % places] : 0));
    }
    assertThat(wrong).isLessThanOrEqualTo(transform.error() + 1e-14);
    assertThat(transform.error()).isLessThan(1e-9);
  }
}
