// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.pipeline.Pipeline;
import java.util.stream.Collectors;

/** A plan in one line, as people read it. */
public final class PlanLine {
  private PlanLine() {}

  /** What goes in and out, in which windows, and what it costs whom. */
  public static String of(Plan plan) {
    Pipeline pipeline = plan.pipeline();
    BudgetSpec budget = pipeline.budget();
    return "pipeline %s, version %d: %s -> %s; windows of %s; epsilon %s, delta %s per %s and %s, unit %s"
        .formatted(
            pipeline.name(),
            pipeline.version(),
            pipeline.input().topics().words(),
            pipeline.outputs().stream()
                .map(release -> release.topic())
                .collect(Collectors.joining(", ")),
            pipeline.window().sizeWord(),
            budget.epsilon(),
            budget.delta(),
            pipeline.population().isPresent() ? "user" : "subject",
            budget.period().word(),
            budget.unit().word());
  }
}
