// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.accounting.Accountant;
import io.sfumato.mechanism.PlanningModel;
import io.sfumato.mechanism.baseline.PostProcessing;
import io.sfumato.pipeline.HistogramSpec.Method;
import io.sfumato.pipeline.HistogramSpec.Output;
import io.sfumato.pipeline.ReleaseSpec.ShareSpec;
import java.util.Optional;

/** Reads {@code histogram:} of a pipeline file. */
final class HistogramReader {
  private HistogramReader() {}

  static HistogramSpec histogram(
      Fields fields,
      String name,
      String topic,
      ShareSpec share,
      long horizon,
      InputSpec input,
      Optional<Population> population) {
    Method method =
        fields.choice("method", Words.of(Method.values()), Optional.of(Method.DIRICHLET));
    Accountant accountant =
        fields.choice(
            "calibration",
            Words.of(Accountant.values()),
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
    PostProcessing postProcessing = postProcessing(fields, method);
    if (input.category().isEmpty()) {
      fields.conflict("method", "is a histogram", "only where 'input.category' is named");
    }
    int categories = Math.max(2, input.allCategories().size());
    long size = fields.whole("plan-size", 1, 1_000_000_000, Optional.of(100L));
    PlanningModel model =
        fields
            .weights("plan", categories)
            .map(weights -> PlanningModel.ofWeights(weights, size))
            .orElseGet(() -> PlanningModel.zipf(categories, size));
    Output output = output(fields, method, size);
    return new HistogramSpec(
        name, topic, method, output, accountant, postProcessing, population, share, horizon, model);
  }

  private static PostProcessing postProcessing(Fields fields, Method method) {
    PostProcessing chosen =
        fields.choice(
            "post-processing",
            Words.of(
                PostProcessing.POSTERIOR_MEAN.word(), PostProcessing.POSTERIOR_MEAN,
                PostProcessing.FLOOR.word(), PostProcessing.FLOOR),
            Optional.of(PostProcessing.POSTERIOR_MEAN));
    if (fields.has("post-processing") && method != Method.GAUSSIAN && method != Method.BEST) {
      fields.conflict(
          "post-processing",
          "found with a method that needs none",
          "with methods gaussian and best only (laplace: always the floor)");
    }
    return chosen;
  }

  private static Output output(Fields fields, Method method, long planSize) {
    String word =
        fields.choice(
            "output",
            Words.of("probabilities", "probabilities", "counts", "counts"),
            Optional.of("probabilities"));
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
