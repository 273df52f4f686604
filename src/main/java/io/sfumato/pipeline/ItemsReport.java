// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.LossReport;
import io.sfumato.accounting.LossReport.Counted;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a plan says of synthetic items. */
final class ItemsReport {
  private final PlannedItems items;

  ItemsReport(PlannedItems items) {
    this.items = items;
  }

  void text(StringBuilder text) {
    MollifierSpec spec = items.spec();
    PlanReport.line(text, "");
    PlanReport.line(text, "items      %s -> topic %s", spec.name(), spec.topic());
    PlanReport.line(
        text,
        "  share      epsilon %s, delta %s, counted by %s",
        spec.share().epsilon(),
        spec.share().delta(),
        items.share().counting().words());
    PlanReport.line(
        text,
        "  method     %s, %s",
        items.sampler().method(),
        items.sampler().parameters().entrySet().stream()
            .map(e -> String.format(Locale.ROOT, "%s = %.6g", e.getKey(), e.getValue()))
            .collect(Collectors.joining(", ")));
    PlanReport.line(
        text,
        "  cost       %,d %s a window, %,d %s: each item is one charge",
        spec.items(),
        spec.items() == 1 ? "item" : "items",
        spec.horizon(),
        spec.horizon() == 1 ? "window" : "windows");
    loss().ifPresent(report -> PlanReport.line(text, "  loss       %s", PlanReport.claims(report)));
    PlanReport.line(text, "  reference  %s", reference());
  }

  private String reference() {
    double[] shares = items.spec().reference().shares();
    boolean uniform = Arrays.stream(shares).distinct().count() == 1;
    return uniform && items.spec().reference().numbers().isEmpty()
        ? "uniform over " + shares.length + " categories"
        : items.spec().reference().text();
  }

  void json(ObjectNode node) {
    MollifierSpec spec = items.spec();
    node.put("name", spec.name())
        .put("topic", spec.topic())
        .put("method", items.sampler().method())
        .put("epsilon", spec.share().epsilon().value())
        .put("delta", spec.share().delta().value())
        .put("counted_by", items.share().counting().words());
    items.sampler().parameters().forEach(node::put);
    node.put("mechanism", items.charge().mechanism())
        .put("items", spec.items())
        .put("windows", spec.horizon());
    loss().ifPresent(report -> PlanReport.claims(node.putArray("loss_of_all_items"), report));
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
