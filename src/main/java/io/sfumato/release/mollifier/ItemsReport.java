// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mollifier;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.LossReport;
import io.sfumato.accounting.LossReport.Counted;
import io.sfumato.pipeline.ReleaseReport;
import io.sfumato.pipeline.ReportText;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a plan says of synthetic items. */
final class ItemsReport implements ReleaseReport {
  private final PlannedItems items;

  public ItemsReport(PlannedItems items) {
    this.items = items;
  }

  @Override
  public void text(StringBuilder text) {
    MollifierSpec spec = items.spec();
    ReportText.head(text, "items", items);
    ReportText.line(
        text,
        "  method     %s, %s",
        items.sampler().method(),
        items.sampler().parameters().entrySet().stream()
            .map(e -> String.format(Locale.ROOT, "%s = %.6g", e.getKey(), e.getValue()))
            .collect(Collectors.joining(", ")));
    ReportText.line(
        text,
        "  cost       %,d %s a window, %,d %s: each item is one charge",
        spec.items(),
        spec.items() == 1 ? "item" : "items",
        spec.horizon(),
        spec.horizon() == 1 ? "window" : "windows");
    loss().ifPresent(report -> ReportText.line(text, "  loss       %s", ReportText.claims(report)));
    ReportText.line(text, "  reference  %s", reference());
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
        .put("method", items.sampler().method());
    ReportText.share(node, items);
    items.sampler().parameters().forEach(node::put);
    node.put("mechanism", items.charge().mechanism())
        .put("items", spec.items())
        .put("windows", spec.horizon());
    loss().ifPresent(report -> ReportText.claims(node.putArray("loss_of_all_items"), report));
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
