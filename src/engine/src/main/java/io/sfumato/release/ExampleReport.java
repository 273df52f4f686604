// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.pipeline.Amount;
import io.sfumato.pipeline.ExampleUsers;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReportText;
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

  void text(StringBuilder text) {
    if (population.example().isEmpty()) {
      ReportText.line(
          text,
          "left out   unknown: %s of a user beyond %,d in a window do not count, nor those for more than %s,"
              + " and no error below contains that. Say what you expect of users, by a guess that is public, and total errors are told: --plan-records 1,1,2,40, or contributions.plan-records",
          counted,
          population.records(),
          Amount.of(population.subjects(), "subject"));
      return;
    }
    ReportText.line(
        text,
        "left out   %s of the %s of the public example (%s; at most %,d of a user count%s)%s: a bias that no"
            + " interval contains. Over all subjects and categories together counts and sums fall short by it, and shares, means (of their range) and ranks of quantiles move by as much at most; of one subject or category it may be more",
        ReportText.percent(leftOut(population.records())),
        counted,
        shortened(population.example().get()),
        population.records(),
        population.subjects() == 1
            ? ", in one subject"
            : ", in " + population.subjects() + " subjects",
        population.exampleAssumes());
  }

  void json(ObjectNode root) {
    population
        .example()
        .ifPresent(
            users ->
                root.put("plan_records", users.toString())
                    .put("example_left_out", leftOut(population.records())));
  }

  private double leftOut(int bound) {
    return population.example().orElseThrow().leftOut(bound);
  }

  private String shortened(ExampleUsers users) {
    String all = users.toString().replace(",", ", ");
    String shown = all.length() > 40 ? all.substring(0, all.lastIndexOf(',', 40)) + " ..." : all;
    return users.records().size() == 1
        ? shown + " " + counted + " a user"
        : "%d users with %s %s".formatted(users.records().size(), shown, counted);
  }
}
