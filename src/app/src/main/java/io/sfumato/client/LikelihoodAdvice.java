// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.accounting.Accountant;
import io.sfumato.estimate.PlanningModel;
import io.sfumato.mechanism.abc.DistanceMeasure;
import io.sfumato.mechanism.abc.Summaries;
import io.sfumato.mechanism.additive.PostProcessing;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.Reach;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.ReleaseSpec.Head;
import io.sfumato.pipeline.UnplannableException;
import io.sfumato.release.Plan;
import io.sfumato.release.abc.AbcSpec;
import io.sfumato.release.features.FeatureSumsSpec;
import io.sfumato.release.histogram.HistogramSpec;
import java.util.List;
import java.util.Optional;

/** One release of the same statistic as a query's distances are of, at the share of the queries. */
final class LikelihoodAdvice {
  private LikelihoodAdvice() {}

  /** None in the place of other outputs, or where the share is too small for it. */
  static List<PlannedRelease> of(Plan plan, PlannedRelease release) {
    if (!(release.spec() instanceof AbcSpec abc)) {
      return List.of();
    }
    return other(plan.pipeline(), abc).stream()
        .flatMap(
            spec -> {
              try {
                return Optional.of(spec.plan()).stream();
              } catch (UnplannableException e) {
                return Optional.<PlannedRelease>empty().stream();
              }
            })
        .toList();
  }

  private static Optional<ReleaseSpec> other(Pipeline pipeline, AbcSpec abc) {
    Head head = new Head(abc.name(), abc.topic(), abc.share(), abc.queries());
    return abc.measure()
        .choose(
            new DistanceMeasure.Cases<Optional<ReleaseSpec>, RuntimeException>() {
              @Override
              public Optional<ReleaseSpec> features() {
                return pipeline
                    .features()
                    .map(
                        kept ->
                            new FeatureSumsSpec(
                                head,
                                kept,
                                pipeline.input().values(),
                                Optional.empty(),
                                abc.planSize()));
              }

              @Override
              public Optional<ReleaseSpec> categories() {
                int categories = pipeline.input().allCategories().size();
                return Optional.of(
                    new HistogramSpec(
                        head,
                        HistogramSpec.Method.BEST,
                        new HistogramSpec.Output.Probabilities(),
                        Accountant.EXACT,
                        PostProcessing.POSTERIOR_MEAN,
                        Reach.WINDOW,
                        Optional.empty(),
                        PlanningModel.zipf(categories, abc.planSize()),
                        0));
              }

              @Override
              public Optional<ReleaseSpec> summaries(Summaries summaries) {
                return Optional.empty();
              }
            });
  }
}
