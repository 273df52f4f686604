// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.Period;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.OutputFormat;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.ReleaseSpec.Head;
import io.sfumato.pipeline.ReleaseSpec.ShareSpec;
import io.sfumato.pipeline.UnplannableException;
import io.sfumato.pipeline.WindowSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A pipeline with one release, which has the whole budget: what {@code calibrate} plans.
 *
 * @param unit what is protected
 * @param population whose records count, where users are protected
 */
record OneRelease(PrivacyUnit unit, Optional<Population> population) {
  /** Of the release, its topic and its share. */
  static final String NAME = "calibrate";

  /** So long that no share is spent in a week. */
  private static final Duration WINDOW = Duration.ofDays(7);

  private static final int MAX_BYTES = 1 << 20;

  /** One record is protected, or a user of whom so many records of a window count. */
  static OneRelease of(Optional<Population> population) {
    return new OneRelease(
        population.isPresent() ? PrivacyUnit.USER : PrivacyUnit.RECORD, population);
  }

  /** At most so many records of a user and window, of one subject. */
  static Population users(int records) {
    return new Population("user", records, 1);
  }

  /**
   * It has all of the budget.
   *
   * @param horizon releases that the budget must cover
   */
  static Head head(Epsilon epsilon, Delta delta, long horizon) {
    return new Head(NAME, NAME, new ShareSpec(epsilon, delta, NAME), horizon);
  }

  /**
   * What a plan says of the release.
   *
   * @throws IllegalArgumentException if its share cannot afford it
   */
  Facts facts(ReleaseSpec spec) {
    return facts(planned(spec));
  }

  /**
   * The plan.
   *
   * @throws IllegalArgumentException if its share cannot afford it
   */
  static PlannedRelease planned(ReleaseSpec spec) {
    try {
      return spec.plan();
    } catch (UnplannableException e) {
      throw new IllegalArgumentException(
          "no noise scale meets this target; raise epsilon or " + "delta", e);
    }
  }

  /** The same of a release that is planned already. */
  Facts facts(PlannedRelease planned) {
    return planned
        .facts(pipeline(planned.spec()))
        .row("protects")
        .words("one", "unit", unit.word());
  }

  private Pipeline pipeline(ReleaseSpec spec) {
    boolean once = spec.horizon() == 1 && !spec.chargesRecords();
    return new Pipeline(
        NAME,
        1,
        new InputSpec(
            NAME,
            InputSpec.Format.JSON,
            "subject",
            "time",
            Optional.empty(),
            List.of(),
            Optional.empty(),
            List.of(),
            MAX_BYTES),
        new WindowSpec(
            WINDOW,
            Duration.ZERO,
            WindowSpec.MONDAY,
            WindowSpec.Clock.TICKS,
            OptionalLong.empty(),
            1,
            WINDOW,
            WindowSpec.Ticks.HERE,
            WindowSpec.MAX_AHEAD),
        Optional.empty(),
        Optional.empty(),
        Pipeline.Subjects.ROSTER,
        List.of(),
        population,
        new BudgetSpec(
            NAME,
            unit,
            spec.share().epsilon(),
            spec.share().delta(),
            once ? new Period.Window() : new Period.Lifetime(),
            Optional.empty()),
        List.of(spec),
        List.of(),
        OutputFormat.AVRO,
        Map.of());
  }
}
