// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseReport;
import io.sfumato.pipeline.ReportText;
import java.util.OptionalDouble;

/** What a plan says of names that nobody listed. */
final class NamesReport implements ReleaseReport {
  private final Pipeline pipeline;
  private final PlannedNames names;
  private final NamesSpec spec;
  private final GridNoise noise;

  NamesReport(Pipeline pipeline, PlannedNames names) {
    this.pipeline = pipeline;
    this.names = names;
    this.spec = names.spec();
    this.noise = names.plan().mechanism().noise();
  }

  @Override
  public void text(StringBuilder text) {
    ReportText.head(text, "names", names);
    ReportText.line(
        text,
        "  bounds     at most %,d names of a user and window, %,d %s each%s",
        spec.bounds().names(),
        spec.bounds().perName(),
        spec.bounds().perName() == 1 ? "record" : "records",
        spec.bounds().perName() == 1 ? ": users are counted" : "");
    ReportText.line(
        text,
        "  method     discrete %s noise with standard deviation %s on each name's count; 95%% within +-%s",
        noise.method().equals("gaussian") ? "Gaussian" : "Laplace",
        ReportText.rounded(deviation()),
        ReportText.rounded(width()));
    ReportText.line(
        text,
        "  found      a name whose noisy count is %,d or more; half of those with %,d, from the next window on it is public%s",
        threshold(),
        threshold(),
        spec.forget()
            .map(windows -> ", until %,d windows without that".formatted(windows))
            .orElse(""));
    ReportText.line(
        text,
        "  delta      %s of %s for names that one user alone has, the rest for noise",
        ReportText.rounded(names.found().thresholdDelta().doubleValue()),
        spec.share().delta());
    ReportText.line(
        text,
        "  list       at most %,d public names of a subject; none is found while it is full",
        spec.most());
    ReportText.line(
        text,
        "  cost       %s",
        ReportText.lasts(pipeline.budget().period(), names.plan().releases(), true));
  }

  private long threshold() {
    return names.plan().mechanism().threshold().least();
  }

  private double deviation() {
    return Math.scalb(noise.deviation(), -noise.digits());
  }

  private double width() {
    return Math.scalb(noise.halfWidth(0.95, 1), -noise.digits());
  }

  @Override
  public String counted() {
    return "counts of public names";
  }

  @Override
  public OptionalDouble countError() {
    return OptionalDouble.of(width());
  }

  @Override
  public void json(ObjectNode node) {
    node.put("name", spec.name()).put("topic", spec.topic()).put("noise", noise.method());
    ReportText.share(node, names);
    node.put("mechanism", names.charge().mechanism())
        .put("windows", names.plan().releases())
        .put("deviation", deviation())
        .put("error_95", width())
        .put("threshold", threshold())
        .put("half_point", threshold())
        .put("threshold_delta", names.found().thresholdDelta())
        .put("names_of_user", spec.bounds().names())
        .put("per_name", spec.bounds().perName())
        .put("most", spec.most());
    spec.forget().ifPresent(windows -> node.put("forget_names", windows));
  }
}
