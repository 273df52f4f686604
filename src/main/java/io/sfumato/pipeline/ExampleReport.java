// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.mechanism.count.CountPlan;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the bounds of contributions leave out of a public example: the part of the error that bars
 * of noise do not contain. Nothing of it is read from data.
 */
final class ExampleReport {
  /** Bounds that are worth comparing with the file's. */
  private static final List<Integer> BOUNDS = List.of(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000);

  private final Population population;

  private ExampleReport(Population population) {
    this.population = population;
  }

  /** Nothing where no users are bounded. */
  static Optional<ExampleReport> of(Pipeline pipeline) {
    return pipeline.population().map(ExampleReport::new);
  }

  void text(StringBuilder text) {
    if (population.example().isEmpty()) {
      PlanReport.line(
          text,
          "left out   unknown: records of a user beyond %,d in a window do not count, nor those for more than %s,"
              + " and no error below contains that. Guess in public how many users have: --plan-records 1,1,2,40",
          population.records(),
          Amount.of(population.subjects(), "subject"));
      return;
    }
    PlanReport.line(
        text,
        "left out   %s of the records of the public example (%s; at most %,d of a user count%s): a bias that no"
            + " error below contains",
        percent(leftOut(population.records())),
        shortened(population.example().get()),
        population.records(),
        population.subjects() == 1
            ? ", in one subject"
            : ", in " + population.subjects() + " subjects");
  }

  /** Beside a count's noise. */
  void text(StringBuilder text, PlannedCounts counts) {
    if (population.example().isEmpty() || counts.spec().grouping() == CountSpec.Grouping.LEFT_OUT) {
      return;
    }
    double leftOut = leftOut(population.records());
    long noise = counts.plan().mechanism().noise().halfWidth(1);
    PlanReport.line(
        text,
        "  bias       %s",
        leftOut == 0
            ? "none in the public example: all its records count"
            : String.format(
                Locale.ROOT,
                "counts fall short by %s in the public example: by more than the noise's +-%,d where the truth is"
                    + " above %,d",
                percent(leftOut),
                noise,
                (long) Math.floor(noise / leftOut)));
    PlanReport.line(text, "  per-window %s", String.join("; ", choices(counts)));
  }

  /** The noise that other bounds would need, beside what they would leave out. */
  private List<String> choices(PlannedCounts counts) {
    int most = population.example().orElseThrow().most();
    int enough = BOUNDS.stream().filter(bound -> bound >= most).findFirst().orElse(Population.MOST);
    return Stream.concat(
            BOUNDS.stream().filter(bound -> bound <= enough), Stream.of(population.records()))
        .distinct()
        .sorted()
        .flatMap(bound -> choice(counts.spec(), bound).stream())
        .toList();
  }

  private Optional<String> choice(CountSpec spec, int bound) {
    Optional<CountPlan> plan = CountsPlanner.candidates(spec.boundedBy(bound)).stream().findFirst();
    return plan.map(
        found ->
            String.format(
                Locale.ROOT,
                "%,d%s leaves out %s, +-%,d",
                bound,
                bound == population.records() ? " (the file's)" : "",
                percent(leftOut(bound)),
                found.mechanism().noise().halfWidth(1)));
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

  private static String shortened(ExampleUsers users) {
    String all = users.toString().replace(",", ", ");
    String shown = all.length() > 40 ? all.substring(0, all.lastIndexOf(',', 40)) + " ..." : all;
    return users.records().size() == 1
        ? shown + " records a user"
        : "%d users with %s records".formatted(users.records().size(), shown);
  }

  private static String percent(double share) {
    return share > 0 && share < 0.0005
        ? "below 0.1%"
        : new DecimalFormat("0.#", DecimalFormatSymbols.getInstance(Locale.ROOT))
                .format(100 * share)
            + "%";
  }
}
