// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mollifier;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.LossReport;
import io.sfumato.accounting.LossReport.Counted;
import io.sfumato.estimate.mollifier.KernelRatio;
import io.sfumato.estimate.mollifier.PlannedItems.Errors;
import io.sfumato.mechanism.mollifier.Band;
import io.sfumato.mechanism.mollifier.BoostedItems;
import io.sfumato.mechanism.mollifier.PooledItems;
import io.sfumato.pipeline.ReleaseReport;
import io.sfumato.pipeline.ReportText;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a plan says of synthetic items. */
final class MollifierReport implements ReleaseReport {
  private final PlannedMollifier items;
  private final List<String> warnings;

  /**
   * @param values names of the numbers
   */
  MollifierReport(PlannedMollifier items, List<String> values) {
    this.items = items;
    this.warnings =
        items
            .spec()
            .reference()
            .numbers()
            .map(numbers -> ReferenceWarnings.of(numbers, values))
            .orElse(List.of());
  }

  @Override
  public void text(StringBuilder text) {
    MollifierSpec spec = items.spec();
    ReportText.head(text, "items", items);
    ReportText.line(
        text,
        "  method     %s, %s",
        items.plan().mechanism().method(),
        items.plan().mechanism().parameters().entrySet().stream()
            .map(e -> String.format(Locale.ROOT, "%s = %.6g", e.getKey(), e.getValue()))
            .collect(Collectors.joining(", ")));
    chosen().ifPresent(words -> ReportText.line(text, "  best       chose %s", words));
    ReportText.line(
        text,
        "  cost       %,d %s a window, %,d %s: each item is one charge",
        spec.items(),
        spec.items() == 1 ? "item" : "items",
        spec.horizon(),
        spec.horizon() == 1 ? "window" : "windows");
    loss().ifPresent(report -> ReportText.line(text, "  loss       %s", ReportText.claims(report)));
    ReportText.line(text, "  reference  %s", reference());
    warnings.forEach(warning -> ReportText.line(text, "  warning    %s", warning));
    if (items.plan().mechanism() instanceof PooledItems pooled) {
      ReportText.line(text, "  estimator  %s", pooled.estimator().text());
    }
    errors().ifPresent(errors -> plan(text, errors));
    if (items.plan().mechanism() instanceof BoostedItems) {
      ReportText.line(
          text,
          "  hint       'sampler: projection' uses all of epsilon where boosting leaves half of it; a pipeline that runs needs a higher version for it");
    }
  }

  private void plan(StringBuilder text, Errors errors) {
    ReportText.line(
        text,
        "  public plan  KL %.4f expected of %,d records (best of the band %.4f, reference alone %.4f)",
        errors.error(),
        items.spec().planSize(),
        errors.best(),
        errors.reference());
  }

  /** What a file says that names the sampler which {@code best} found; nothing if it was named. */
  private Optional<String> chosen() {
    if (!(items.spec().sampler() instanceof Sampler.Best)) {
      return Optional.empty();
    }
    if (!(items.plan().mechanism() instanceof PooledItems pooled)) {
      return Optional.of("sampler: mollifier");
    }
    Band band = pooled.sampler().band();
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

  @Override
  public void json(ObjectNode node) {
    MollifierSpec spec = items.spec();
    node.put("name", spec.name())
        .put("topic", spec.topic())
        .put("method", items.plan().mechanism().method());
    chosen().ifPresent(words -> node.put("best", words));
    ReportText.share(node, items);
    items.plan().mechanism().parameters().forEach(node::put);
    node.put("mechanism", items.charge().mechanism())
        .put("items", spec.items())
        .put("windows", spec.horizon());
    errors()
        .ifPresent(
            errors ->
                node.putObject("public_plan")
                    .put("records", spec.planSize())
                    .put("expected_kl", errors.error())
                    .put("expected_kl_best_of_band", errors.best())
                    .put("expected_kl_reference", errors.reference()));
    if (!warnings.isEmpty()) {
      warnings.forEach(node.putArray("warnings")::add);
    }
    loss().ifPresent(report -> ReportText.claims(node.putArray("loss_of_all_items"), report));
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
