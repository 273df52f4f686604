// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.histogram;

import io.sfumato.accounting.Accountant;
import io.sfumato.estimate.PlanningModel;
import io.sfumato.mechanism.additive.PostProcessing;
import io.sfumato.pipeline.EnumWords;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.Reach;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.release.histogram.HistogramSpec.Method;
import io.sfumato.release.histogram.HistogramSpec.Output;
import java.util.Arrays;
import java.util.Optional;

/** Reads {@code histogram:} of a pipeline file. */
final class HistogramReader {
  /** Shares that learn from earlier releases. */
  static final String HISTORY = "history";

  private HistogramReader() {}

  static HistogramSpec histogram(ReleaseFields release) {
    Fields fields = release.fields();
    InputSpec input = release.input();
    Optional<Population> population = release.population();
    Method method =
        fields.choice("method", EnumWords.of(Method.values()), Optional.of(Method.DIRICHLET));
    Accountant accountant =
        fields.choice(
            "calibration",
            EnumWords.of(Accountant.values()),
            Optional.of(population.isPresent() ? Accountant.RENYI : Accountant.EXACT));
    if (population.isPresent() && accountant != Accountant.RENYI) {
      fields.conflict(
          "calibration",
          "found '" + accountant.word() + "'",
          "where users are protected renyi only: nothing else is proved for adding and removing");
    }
    if (accountant == Accountant.PAPER && method != Method.DIRICHLET) {
      fields.conflict(
          "calibration", "found 'paper'", "with methods other than dirichlet exact, renyi");
    }
    String made = postProcessing(fields, method);
    Reach reach = made.equals(HISTORY) ? Reach.HISTORY : Reach.WINDOW;
    release.requireCategories("method", "is a histogram", "");
    int categories = Math.max(2, input.allCategories().size());
    long size = fields.whole("plan-size", 1, 1_000_000_000, Optional.of(100L));
    PlanningModel model =
        fields
            .list("plan")
            .weights(categories)
            .map(weights -> PlanningModel.ofWeights(weights, size))
            .orElseGet(() -> PlanningModel.zipf(categories, size));
    Output output = output(fields, method, size);
    return new HistogramSpec(
        release.head(),
        method,
        output,
        accountant,
        made.equals(PostProcessing.FLOOR.word())
            ? PostProcessing.FLOOR
            : PostProcessing.POSTERIOR_MEAN,
        reach,
        population,
        model,
        leastCount(fields, method, model));
  }

  /** Known in public: the plan, which is public too, must not say otherwise. */
  private static long leastCount(Fields fields, Method method, PlanningModel model) {
    long least = fields.whole("least-count", 1, 1_000_000_000, Optional.of(0L));
    long planned = Arrays.stream(model.histogram().counts()).min().orElseThrow();
    if (least > 0 && method != Method.DIRICHLET && method != Method.BEST) {
      fields.conflict(
          "least-count", "found with a method that needs none", "with methods dirichlet and best");
    } else if (least > planned) {
      fields.conflict(
          "least-count",
          "found " + least + ", where the plan has a count of " + planned,
          "up to the plan's smallest count: see 'plan' and 'plan-size'");
    }
    return least;
  }

  /** Its word. */
  private static String postProcessing(Fields fields, Method method) {
    String chosen =
        fields.choice(
            "post-processing",
            EnumWords.of(
                PostProcessing.POSTERIOR_MEAN.word(), PostProcessing.FLOOR.word(), HISTORY),
            Optional.of(PostProcessing.POSTERIOR_MEAN.word()));
    boolean served =
        method == Method.GAUSSIAN
            || method == Method.BEST
            || method == Method.LAPLACE && chosen.equals(HISTORY);
    if (fields.has("post-processing") && !served) {
      fields.conflict(
          "post-processing",
          "found '%s' with method '%s'".formatted(chosen, EnumWords.word(method)),
          "with methods gaussian and best, and 'history' with laplace too (without it: always the floor)");
    }
    return chosen;
  }

  private static Output output(Fields fields, Method method, long planSize) {
    String word =
        fields.choice(
            "output", EnumWords.of("probabilities", "counts"), Optional.of("probabilities"));
    if (word.equals("probabilities")) {
      if (fields.has("items")) {
        fields.conflict("items", "found with output 'probabilities'", "with output 'counts' only");
      }
      return new Output.Probabilities();
    }
    if (method != Method.DIRICHLET) {
      fields.conflict("output", "found 'counts'", "with method dirichlet only");
    }
    return new Output.Counts(fields.whole("items", 1, 10_000_000, Optional.of(planSize)));
  }
}
