// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.history.ReleaseHistory;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.count.CountQuery;
import io.sfumato.mechanism.count.CountTree;
import io.sfumato.pipeline.EnumWords;
import io.sfumato.pipeline.Fact.Form;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Population;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What a plan says of counts. */
record CountReport(Pipeline pipeline, PlannedCount counts) {
  /** Part of an error below which another method is worth a word. */
  private static final double WORTH = 0.9;

  Facts facts() {
    CountSpec spec = counts.spec();
    AdditiveNoise noise = counts.plan().mechanism().noise();
    Facts facts = Facts.of("count", spec);
    leftOut(facts, spec)
        .row("method")
        .words("", "method", noise.method())
        .say("discrete noise on every count (half-widths of intervals are rounded up)")
        .words("by", "by", EnumWords.word(spec.grouping()));
    spec.users().ifPresent(users -> distinct(facts, spec, users));
    if (spec.usesHistory()) {
      facts
          .row("learning")
          .words("", "post_processing", CountReader.HISTORY)
          .number(
              "from the noisy counts of up to",
              "learns_from",
              ReleaseHistory.WINDOWS,
              "windows before")
          .say("estimates improve as long as the data stay similar");
    }
    facts
        .share(counts)
        .mechanism(counts)
        .lasts(pipeline, counts)
        .row("noise")
        .number(
            "standard deviation",
            "deviation",
            noise.deviation(),
            spec.users().isPresent() ? "users" : "records")
        .row("error");
    if (counts.tree().isPresent()) {
      running(facts, counts.tree().get(), noise);
    } else {
      facts.bar("95% of counts within", "error_95", noise.halfWidth(1), "");
    }
    if (counts.candidates().size() > 1) {
      facts.row("best of").numbers("", "error_95_by_method", byMethod(), Form.BAR);
    }
    narrower()
        .ifPresent(
            plan ->
                facts
                    .row("warning")
                    .say(
                        "'method: %s' would have an error of +-%,d",
                        method(plan), plan.mechanism().noise().halfWidth(1)));
    pipeline.population().ifPresent(users -> new ExampleBias(users, counts).addTo(facts));
    TotalChoices.of(counts, pipeline).ifPresent(choices -> choices.addTo(facts));
    return countError(facts, spec, noise.halfWidth(counts.mostDraws()));
  }

  /** What was left out is not left out of itself, and users with many records are not either. */
  static Facts countError(Facts facts, CountSpec spec, double halfWidth) {
    return spec.grouping() == CountSpec.Grouping.LEFT_OUT || spec.users().isPresent()
        ? facts
        : facts.countError("numbers of records", halfWidth);
  }

  /** Of counts of distinct users. */
  private void distinct(Facts facts, CountSpec spec, UserCounts users) {
    if (spec.grouping() == CountSpec.Grouping.BEYOND) {
      beyond(facts, spec);
      return;
    }
    facts
        .row("counts")
        .words("of", "of", EnumWords.word(CountSpec.Counted.USERS))
        .say("a user counts once in each cell")
        .number("at most", "cells", users.cells().ofWindow(), "cells of a user and window");
    users
        .last()
        .ifPresent(
            last ->
                facts
                    .number("together in the last", "over", last, "windows")
                    .number(
                        "a user moves at most", "moved", users.moved(), "counts in one period"));
  }

  /** Of users who have more records than other outputs tell of. */
  private void beyond(Facts facts, CountSpec spec) {
    int most = spec.mostTold();
    facts
        .row("counts")
        .words("of", "of", EnumWords.word(CountSpec.Counted.USERS))
        .number("with more than", "more_than", most, "records in a window")
        .number(
            "a user counts in at most",
            "cells",
            spec.users().orElseThrow().cells().ofWindow(),
            "subjects");
    pipeline
        .population()
        .flatMap(Population::example)
        .ifPresent(
            example ->
                facts
                    .row("example")
                    .number(
                        "",
                        "example_beyond",
                        example.beyond(most),
                        String.format(
                            Locale.ROOT,
                            "users of the %,d of the public example",
                            example.records().size())));
    noiseOfARecord()
        .ifPresent(
            noise ->
                facts
                    .row("per-window")
                    .number(
                        "a larger one makes the error of totals smaller if more than",
                        "pays_above",
                        noise,
                        "users of a subject have more records"));
  }

  /**
   * Half the width of a total's interval where one record of a user counts: what one more record of
   * each adds to it, about.
   */
  private Optional<Long> noiseOfARecord() {
    return pipeline.releases().stream()
        .filter(CountSpec.class::isInstance)
        .map(CountSpec.class::cast)
        .filter(CountSpec::addsUpRecords)
        .findFirst()
        .flatMap(total -> CountMethods.ofOneWindow(total.boundedBy(1)).stream().findFirst())
        .map(plan -> plan.mechanism().noise().halfWidth(1));
  }

  /** Of counts of records that nothing else counts. */
  static Facts leftOut(Facts facts, CountSpec spec) {
    return spec.grouping() == CountSpec.Grouping.LEFT_OUT
        ? facts
            .row("counts")
            .say(
                "records that 'contributions' leaves out, at most %,d of a user and window",
                spec.recordsOfUser())
        : facts;
  }

  private void running(Facts facts, CountTree tree, AdditiveNoise noise) {
    facts
        .bar("95% of running totals within", "error_95", noise.halfWidth(1), "in the first window")
        .number("start again from zero every", "running", tree.windows(), "windows")
        .bar("always within", "largest_error_95", noise.halfWidth(counts.mostDraws()), "");
  }

  private Map<String, Long> byMethod() {
    Map<String, Long> errors = new LinkedHashMap<>();
    counts
        .candidates()
        .forEach(
            plan ->
                errors.put(method(plan), plan.mechanism().noise().halfWidth(counts.mostDraws())));
    return errors;
  }

  /** Another noise with far narrower bars, of windows' own counts. */
  private Optional<Calibrated<CountMeasurement<CountQuery>>> narrower() {
    if (counts.tree().isPresent()) {
      return Optional.empty();
    }
    double mine = counts.plan().mechanism().noise().halfWidth(1);
    return CountMethods.ofOneWindow(counts.spec().withBestMethod()).stream()
        .findFirst()
        .filter(best -> best.mechanism().noise().halfWidth(1) < WORTH * mine);
  }

  private static String method(Calibrated<CountMeasurement<CountQuery>> plan) {
    return plan.mechanism().noise().method();
  }
}
