// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.partitionselection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.partitionselection.SelectionCalibrator;
import io.sfumato.random.KeyedRandom;
import java.math.BigDecimal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiscoveryMechanismTest {
  private static CalibrationTarget request(String delta, long windows) {
    return new CalibrationTarget(
        "places", new Epsilon(BigDecimal.ONE), new Delta(new BigDecimal(delta)), windows);
  }

  private static SelectionCalibrator.Found found(
      String noise, CalibrationTarget request, int subjects) {
    NameBounds bounds = new NameBounds(subjects, subjects, 1);
    return (noise.equals("laplace")
            ? SelectionCalibrator.laplace(request, bounds)
            : SelectionCalibrator.gaussian(request, bounds))
        .orElseThrow();
  }

  private static long passed(DiscoveryMechanism mechanism, int subjects, int users) {
    KeyedRandom random = KeyedRandom.ofPublicSeed("one user alone");
    long passed = 0;
    for (int user = 0; user < users; user++) {
      boolean any = false;
      for (int s = 0; s < subjects; s++) {
        any |= mechanism.distribution(new NameCount(1)).draw(random).passes(mechanism.threshold());
      }
      passed += any ? 1 : 0;
    }
    return passed;
  }

  /** 30,000 users at 1e-15 each at most: a false alarm in 3e-11 of all seeds. */
  @ParameterizedTest
  @ValueSource(strings = {"laplace", "gaussian"})
  void subjectsOfOneUserAloneAreNeverPublished(String noise) {
    Calibrated<DiscoveryMechanism> plan =
        found(noise, request("1e-15", 1), 3).planned(request("1e-15", 1));
    assertThat(passed(plan.mechanism(), 3, 30_000)).isZero();
  }

  /** At a delta so large that many pass: within 6.3 standard deviations, 3e-10 of all seeds. */
  @ParameterizedTest
  @ValueSource(strings = {"laplace", "gaussian"})
  void theyPassAsOftenAsTheThresholdSays(String noise) {
    DiscoveryMechanism mechanism =
        found(noise, request("0.2", 1), 2).planned(request("0.2", 1)).mechanism();
    int users = 60_000;
    double p =
        Threshold.passing(
            x -> Threshold.tail(mechanism.noise(), x),
            new NameBounds(2, 2, 1),
            mechanism.threshold().least());
    assertThat(passed(mechanism, 2, users) / (double) users)
        .isCloseTo(p, within(6.3 * Math.sqrt(p * (1 - p) / users)));
  }

  /**
   * What another plan of the same share charged leaves nothing: its delta was divided otherwise.
   */
  @ParameterizedTest
  @ValueSource(strings = {"laplace", "gaussian"})
  void aShareAffordsItsWindowsOfThisVeryPlan(String noise) {
    CalibrationTarget request = request("1e-7", 30);
    SelectionCalibrator.Found found = found(noise, request, 4);
    Calibrated<DiscoveryMechanism> plan = found.planned(request);
    assertThat(plan.releases()).isEqualTo(30);
    assertThat(plan.share().delta()).isEqualTo(request.delta());
    assertThat(plan.charge().mechanism()).endsWith(" from-" + found.threshold().least());
    DiscoveryMechanism higher =
        new DiscoveryMechanism(
            plan.mechanism().noise(),
            plan.mechanism().sensitivity(),
            new Threshold(found.threshold().least() + 1));
    assertThat(plan.share().filter()).isInstanceOf(PrivacyFilter.FixedCountFilter.class);
    assertThat(plan.share().affords(higher.charge())).isZero();
  }
}
