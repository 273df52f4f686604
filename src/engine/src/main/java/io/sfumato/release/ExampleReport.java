// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.pipeline.ExampleUsers;
import io.sfumato.pipeline.Fact.Form;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Plurals;
import io.sfumato.pipeline.Population;
import java.util.Optional;

/**
 * What the bounds of contributions leave out of a public example: the part of the error that bars
 * of noise do not contain. Nothing of it is read from data.
 */
final class ExampleReport {
  private final Population population;

  /** What is bounded: records, items of theirs, or units of their weight. */
  private final String counted;

  private ExampleReport(Population population, String counted) {
    this.population = population;
    this.counted = counted;
  }

  /** Nothing where no users are bounded. */
  static Optional<ExampleReport> of(Pipeline pipeline) {
    return pipeline
        .population()
        .map(people -> new ExampleReport(people, pipeline.input().counted()));
  }

  void addTo(Facts facts) {
    facts.row("left out");
    if (population.example().isEmpty()) {
      facts.say(
          "unknown: %s of a user beyond %,d in a window do not count, nor those for more than "
              + "%s, and no error below includes this bias. To get total errors, give the %s of "
              + "typical users, one number for each: --plan-records 1,1,2,40, or "
              + "contributions.plan-records",
          counted, population.records(), Plurals.of(population.subjects(), "subject"), counted);
      return;
    }
    ExampleUsers users = population.example().get();
    facts
        .forPrograms()
        .words("", "plan_records", users.toString())
        .row("left out")
        .number(
            "",
            "example_left_out",
            users.leftOut(population.records()),
            Form.PERCENT,
            "of the %s of the public example".formatted(counted))
        .say("%s", shortened(users))
        .say(
            "of which at most %,d of a user count, in %s%s",
            population.records(),
            Plurals.of(population.subjects(), "subject"),
            population.exampleAssumes())
        .row("left out")
        .say(
            "no interval includes this bias. Over all subjects and categories, counts and sums "
                + "are too low by it; shares, means (relative to their range) and quantile ranks "
                + "change by at most as much. For one subject or category it may be larger");
  }

  private String shortened(ExampleUsers users) {
    String all = users.toString().replace(",", ", ");
    String shown = all.length() > 40 ? all.substring(0, all.lastIndexOf(',', 40)) + " ..." : all;
    return users.records().size() == 1
        ? shown + " " + counted + " a user"
        : "%d users with %s %s".formatted(users.records().size(), shown, counted);
  }
}
