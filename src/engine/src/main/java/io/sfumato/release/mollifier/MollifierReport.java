// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mollifier;

import io.sfumato.accounting.LossReport;
import io.sfumato.accounting.LossReport.Counted;
import io.sfumato.estimate.mollifier.KernelRatio;
import io.sfumato.estimate.mollifier.PlannedItems.Errors;
import io.sfumato.mechanism.mollifier.BoostedItems;
import io.sfumato.mechanism.mollifier.LikelihoodRatioBand;
import io.sfumato.mechanism.mollifier.PooledItems;
import io.sfumato.pipeline.Facts;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What a plan says of synthetic items.
 *
 * @param values names of the numbers
 */
record MollifierReport(PlannedMollifier items, List<String> values) {
  Facts facts() {
    MollifierSpec spec = items.spec();
    Facts facts =
        Facts.of("items", spec)
            .row("method")
            .words("", "method", items.plan().mechanism().method());
    chosen().ifPresent(words -> facts.row("best").words("chose", "best", words));
    facts
        .share(items)
        .row("parameters")
        .parameters(items.plan().mechanism().parameters())
        .mechanism(items)
        .row("cost")
        .number("", "items", spec.items(), "items a window")
        .number("for", "windows", spec.horizon(), "windows")
        .say("each item is one charge")
        .row("reference")
        .say("%s", reference());
    errors().ifPresent(errors -> plan(facts, errors));
    facts.warnings(
        spec.reference()
            .numbers()
            .map(numbers -> ReferenceWarnings.of(numbers, values))
            .orElse(List.of()));
    loss().ifPresent(report -> facts.row("loss").losses("loss_of_all_items", report));
    if (items.plan().mechanism() instanceof PooledItems pooled) {
      facts.row("estimator").say("%s", pooled.estimator().text());
    }
    if (items.plan().mechanism() instanceof BoostedItems) {
      facts
          .row("hint")
          .say(
              "'sampler: projection' uses all of epsilon, boosting only half; to switch, a "
                  + "running pipeline needs a higher version");
    }
    return facts;
  }

  private void plan(Facts facts, Errors errors) {
    facts
        .row("error")
        .group(
            "",
            "public_plan",
            Facts.of()
                .number("of", "records", items.spec().planSize(), "records")
                .number("expected KL", "expected_kl", errors.error(), "nats")
                .number("best of the band", "expected_kl_best_of_band", errors.best())
                .number("of the reference alone", "expected_kl_reference", errors.reference()));
  }

  /** What a file says that names the sampler which {@code best} found; nothing if it was named. */
  private Optional<String> chosen() {
    if (!(items.spec().sampler() instanceof Sampler.Best)) {
      return Optional.empty();
    }
    if (!(items.plan().mechanism() instanceof PooledItems pooled)) {
      return Optional.of("sampler: mollifier");
    }
    LikelihoodRatioBand band = pooled.sampler().band();
    return Optional.of(
        "sampler: projection, band: %s, estimator: %s"
            .formatted(
                band.lower() == StrictMath.exp(-band.epsilon() / 2) ? "mollifier" : "minimax",
                pooled.estimator() instanceof KernelRatio ? "kernel" : "logistic"));
  }

  private String reference() {
    double[] shares = items.spec().reference().shares();
    boolean uniform = Arrays.stream(shares).distinct().count() == 1;
    return uniform && items.spec().reference().numbers().isEmpty()
        ? "uniform over " + shares.length + " categories"
        : items.spec().reference().text();
  }

  /** Of items from a pool: its laws are made in a moment, as those that are boosted are not. */
  private Optional<Errors> errors() {
    return items.plan().mechanism() instanceof PooledItems pooled
        ? items.publicPlan().flatMap(plan -> plan.of(pooled))
        : Optional.empty();
  }

  /** Without delta nothing but the sum can be said, and that is the share's epsilon. */
  private Optional<LossReport> loss() {
    double delta = items.spec().share().delta().roundedDown();
    long all = items.spec().horizon() * items.spec().items();
    return delta > 0
        ? Optional.of(LossReport.of(List.of(new Counted(items.charge(), all)), delta))
        : Optional.empty();
  }
}
