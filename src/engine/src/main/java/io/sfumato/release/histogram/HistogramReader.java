// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.histogram;

import io.sfumato.accounting.Accountant;
import io.sfumato.estimate.PlanningModel;
import io.sfumato.mechanism.additive.PostProcessing;
import io.sfumato.pipeline.EnumWords;
import io.sfumato.pipeline.FieldSpec;
import io.sfumato.pipeline.FieldTypes;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.Reach;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.Section;
import io.sfumato.pipeline.ValueType.Word;
import io.sfumato.release.histogram.HistogramSpec.Method;
import io.sfumato.release.histogram.HistogramSpec.Output;
import java.util.Arrays;
import java.util.Optional;

/** Reads {@code histogram:} of a pipeline file. */
final class HistogramReader {
  /** Shares that learn from earlier releases. */
  static final String HISTORY = "history";

  private static final FieldSpec<Method> METHOD =
      FieldSpec.word(
              "method",
              new Word<>(EnumWords.of(Method.values()))
                  .means("dirichlet", "one draw of y ~ Dirichlet(r f + a) from the counts f.")
                  .means("gaussian", "whole-number Gaussian noise on the counts.")
                  .means("laplace", "whole-number Laplace noise on the counts.")
                  .means("best", "the least expected KL divergence on the plan."))
          .byDefault(Method.DIRICHLET, "dirichlet")
          .means("The mechanism ([which method](../guides/categories.md#which-method)).")
          .example("best");

  private static final FieldSpec<String> OUTPUT =
      FieldSpec.word(
              "output",
              new Word<>(EnumWords.of("probabilities", "counts"))
                  .means("probabilities", "on the grid 2^-40, none below one step.")
                  .means("counts", "whole numbers of items, drawn by an urn."))
          .byDefault("probabilities")
          .means("What is published.")
          .where("with method `dirichlet` for `counts`")
          .example("counts");

  private static final FieldSpec<Long> ITEMS =
      FieldSpec.whole("items", 1, 10_000_000)
          .optional("`plan-size`")
          .means("How many items are drawn.")
          .where("with output `counts`")
          .example("1000");

  private static final FieldSpec<Accountant> CALIBRATION =
      FieldSpec.word(
              "calibration",
              new Word<>(EnumWords.of(Accountant.values()))
                  .means(
                      "exact", "composed privacy-loss distribution of a fixed number of releases.")
                  .means("renyi", "Theorem A at one order; the only one with unit user.")
                  .means("paper", "Algorithm 1, for method dirichlet."))
          .optional("exact; renyi with unit user")
          .means("How noise is calibrated to the share.")
          .example("renyi");

  private static final FieldSpec<String> POST_PROCESSING =
      FieldSpec.word(
              "post-processing",
              new Word<>(
                      EnumWords.of(
                          PostProcessing.POSTERIOR_MEAN.word(),
                          PostProcessing.FLOOR.word(),
                          HISTORY))
                  .means("posterior-mean", "expected shares, given the noisy counts.")
                  .means("floor", "noisy counts, cut at a smallest value.")
                  .means("history", "learns from earlier releases; published as `HistoryRelease`."))
          .byDefault(PostProcessing.POSTERIOR_MEAN.word())
          .means(
              "How shares are made of noisy counts. `history`:"
                  + " [guide](../guides/categories.md#learn-from-earlier-releases).")
          .where("with methods `gaussian` and `best`; `history` also with `laplace`")
          .example("history");

  private static final FieldSpec<Long> PLAN_SIZE =
      ReleaseFields.PLAN_SIZE
          .byDefault(100L)
          .means("A public guess of how many records a dataset has.");

  private static final FieldSpec<?> PLAN =
      FieldSpec.typed(
              "plan", FieldTypes.numbers("a list of numbers from 0, not all 0, one a category"))
          .optional("the k-th most frequent category weighs 1/k, whichever it is (Zipf)")
          .means("A public guess of the shares: one weight a category.")
          .example("[5, 3, 1]");

  private static final FieldSpec<Long> LEAST_COUNT =
      FieldSpec.whole("least-count", 1, 1_000_000_000)
          .optional()
          .means(
              "A publicly known least count of every category, at most the plan's smallest"
                  + " ([which method](../guides/categories.md#which-method)).")
          .where("with methods `dirichlet` and `best`")
          .example("10");

  static final Section SECTION =
      Section.of(
          "Shares of categories (`DirichletRelease`, [guide](../guides/categories.md)).",
          METHOD,
          OUTPUT,
          ITEMS,
          CALIBRATION,
          POST_PROCESSING,
          PLAN_SIZE,
          PLAN,
          LEAST_COUNT);

  private HistogramReader() {}

  static HistogramSpec histogram(ReleaseFields release) {
    Fields fields = release.fields();
    InputSpec input = release.input();
    Optional<Population> population = release.population();
    Method method = fields.get(METHOD);
    Accountant accountant =
        fields
            .optional(CALIBRATION)
            .orElse(population.isPresent() ? Accountant.RENYI : Accountant.EXACT);
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
    release.requireCategories("method", "found a histogram", "");
    int categories = Math.max(2, input.allCategories().size());
    long size = fields.get(PLAN_SIZE);
    PlanningModel model =
        fields
            .list(PLAN)
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
    long least = fields.optional(LEAST_COUNT).orElse(0L);
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
    String chosen = fields.get(POST_PROCESSING);
    boolean served =
        method == Method.GAUSSIAN
            || method == Method.BEST
            || method == Method.LAPLACE && chosen.equals(HISTORY);
    if (fields.has(POST_PROCESSING) && !served) {
      fields.conflict(
          "post-processing",
          "found '%s' with method '%s'".formatted(chosen, EnumWords.word(method)),
          "with methods gaussian and best, and 'history' with laplace too (without it: always the floor)");
    }
    return chosen;
  }

  private static Output output(Fields fields, Method method, long planSize) {
    String word = fields.get(OUTPUT);
    if (word.equals("probabilities")) {
      if (fields.has(ITEMS)) {
        fields.conflict("items", "found with output 'probabilities'", "with output 'counts' only");
      }
      return new Output.Probabilities();
    }
    if (method != Method.DIRICHLET) {
      fields.conflict("output", "found 'counts'", "with method dirichlet only");
    }
    return new Output.Counts(fields.optional(ITEMS).orElse(planSize));
  }
}
