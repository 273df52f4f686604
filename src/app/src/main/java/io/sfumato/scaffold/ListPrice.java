// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.partitionselection.SelectionCalibrator;
import io.sfumato.mechanism.partitionselection.DiscoveryMechanism;
import io.sfumato.mechanism.partitionselection.NameBounds;
import io.sfumato.runtime.RefusedException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What lists of names may cost, once.
 *
 * @param epsilon above 0
 * @param delta above 0, below 1
 */
public record ListPrice(BigDecimal epsilon, BigDecimal delta) {
  /** Digits of a part. */
  private static final int DIGITS = 40;

  /**
   * An equal part for each of some lists.
   *
   * @param lists at least 1
   */
  ListPrice part(int lists) {
    return new ListPrice(part(epsilon, lists), part(delta, lists));
  }

  private static BigDecimal part(BigDecimal whole, int lists) {
    return lists == 1
        ? whole
        : whole
            .divide(BigDecimal.valueOf(lists), Math.max(DIGITS, whole.scale()), RoundingMode.DOWN)
            .stripTrailingZeros();
  }

  /** In words. */
  String text() {
    return "epsilon %s, delta %s".formatted(Parts.text(epsilon), Parts.text(delta));
  }

  /**
   * The mechanism that finds the most names for it.
   *
   * @param most names of one person that count
   * @throws RefusedException if it affords none
   */
  DiscoveryMechanism mechanism(int most) throws RefusedException {
    NameBounds bounds = new NameBounds(most, most, 1);
    try {
      CalibrationTarget request =
          new CalibrationTarget("list", new Epsilon(epsilon), new Delta(delta), 1);
      Optional<SelectionCalibrator.Found> best =
          SelectionCalibrator.best(
              Stream.of(
                      SelectionCalibrator.laplace(request, bounds),
                      SelectionCalibrator.gaussian(request, bounds))
                  .flatMap(Optional::stream));
      if (best.isPresent()) {
        return best.get().planned(request).mechanism();
      }
    } catch (IllegalArgumentException e) {
      throw DraftCheck.wrong("--list-epsilon, --list-delta: " + e.getMessage());
    }
    throw DraftCheck.wrong(
        "--list-epsilon, --list-delta: %s affords no list; more of either does".formatted(text()));
  }
}
