// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec.Clock;
import io.sfumato.release.Plan;
import io.sfumato.topology.RunningVersion;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.context.SourceTopics;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The versions of a pipeline that an audit replays: one, or a former one and the one that takes
 * over from it.
 *
 * @param plans in the order in which they run
 */
record Versions(List<Plan> plans) {
  Versions {
    plans = List.copyOf(plans);
  }

  static Versions of(Plan only) {
    return new Versions(List.of(only));
  }

  /**
   * A change of version.
   *
   * @throws IllegalArgumentException if the files are no versions of one pipeline; says why
   */
  static Versions of(Plan former, Plan next) {
    Pipeline before = former.pipeline();
    Pipeline after = next.pipeline();
    if (after.version() <= before.version()) {
      throw new IllegalArgumentException(
          "it has version %d, and the former file has version %d: raise 'version'"
              .formatted(after.version(), before.version()));
    }
    if (!after.budget().name().equals(before.budget().name())) {
      throw new IllegalArgumentException(
          "its budget is '%s', and the former file's is '%s': a version goes on with the budget that it takes over"
              .formatted(after.budget().name(), before.budget().name()));
    }
    if (before.window().begin().isPresent()
        && !before.window().begin().equals(after.window().begin())) {
      throw new IllegalArgumentException(
          "its 'window.begin' is not that of the former file: restore it");
    }
    return new Versions(List.of(former, next));
  }

  /** The same with other pipelines in them. */
  Versions with(UnaryOperator<Pipeline> how) {
    return new Versions(
        plans.stream().map(plan -> new Plan(how.apply(plan.pipeline()), plan.releases())).toList());
  }

  /**
   * The same over one input that stands for all. Made-up history begins where it is made up: under
   * ticks windows count from there.
   *
   * @param windows the most of a scene, at least 3
   */
  Versions staged(int windows) {
    Versions staged = with(StagedInput::of);
    if (staged.last().pipeline().window().clock() != Clock.TICKS) {
      return staged;
    }
    long begin = new ScenarioSetting(staged.pipelines(), windows).start();
    return staged.with(pipeline -> pipeline.with(pipeline.window().beginningAt(begin)));
  }

  /** The only one, or the one that takes over. */
  Plan last() {
    return plans.get(plans.size() - 1);
  }

  /** Whether one takes over from another. */
  boolean change() {
    return plans.size() > 1;
  }

  List<Pipeline> pipelines() {
    return plans.stream().map(Plan::pipeline).toList();
  }

  /**
   * What announces the last version.
   *
   * @param from start of its first window
   * @return digest of the program that takes over, hexadecimal
   * @throws PipelineStopException if it cannot take over there; says why
   */
  String digest(long from) {
    String key = Replay.KEY.tag();
    return RunningVersion.beginning(plans.get(0), topics(plans.get(0)), key)
        .requireSuccessor(last(), topics(last()), key, from);
  }

  /** One topic stands for all of a pipeline's. */
  static SourceTopics topics(Plan plan) {
    return SourceTopics.of(Replay.recordsTopic(plan.pipeline()), "audit", 1);
  }
}
