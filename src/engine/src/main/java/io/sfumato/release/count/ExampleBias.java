// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.estimate.Calibrated;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.count.CountQuery;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReportText;
import io.sfumato.pipeline.TotalError;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What bounds leave out of a public example, beside a count's noise. */
record ExampleBias(Population population, PlannedCount counts) {
  void addTo(Facts facts) {
    if (population.example().isEmpty()
        || counts.spec().users().isPresent()
        || counts.spec().grouping() == CountSpec.Grouping.LEFT_OUT) {
      return;
    }
    double leftOut = leftOut(population.records());
    long noise = counts.plan().mechanism().noise().halfWidth(1);
    facts.row("bias");
    if (leftOut == 0) {
      facts.say("none in the public example: all its records count%s", population.exampleAssumes());
    } else {
      facts.say(
          "in the public example counts are too low by %s, which exceeds the noise's +-%,d for "
              + "true counts above %,d",
          ReportText.percent(leftOut), noise, (long) Math.floor(noise / leftOut));
    }
    facts.row("per-window").say("%s", String.join("; ", choices()));
  }

  /** The noise that other bounds would need, beside what they would leave out. */
  private List<String> choices() {
    int most = population.example().orElseThrow().most();
    return Stream.concat(TotalChoices.bounds(most).stream(), Stream.of(population.records()))
        .distinct()
        .sorted()
        .flatMap(bound -> choice(counts.spec(), bound).stream())
        .toList();
  }

  private Optional<String> choice(CountSpec spec, int bound) {
    Optional<Calibrated<CountMeasurement<CountQuery>>> plan =
        CountMethods.ofOneWindow(spec.boundedBy(bound)).stream().findFirst();
    return plan.map(
        found ->
            String.format(
                Locale.ROOT,
                "%,d%s leaves out %s, +-%,d: off by %,d of 1,000 in all",
                bound,
                bound == population.records() ? " (the file's)" : "",
                ReportText.percent(leftOut(bound)),
                found.mechanism().noise().halfWidth(1),
                new TotalError("", leftOut(bound), found.mechanism().noise().halfWidth(1), "")
                    .at(1_000)));
  }

  private double leftOut(int bound) {
    return population.example().orElseThrow().leftOut(bound);
  }
}
