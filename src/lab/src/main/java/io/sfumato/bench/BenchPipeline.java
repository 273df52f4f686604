// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.PipelineFile;
import io.sfumato.release.Plan;
import io.sfumato.workload.NameSetting;
import io.sfumato.workload.NameWorkload;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The pipelines that are measured. */
final class BenchPipeline {
  private static final String FILE = "bench.yaml";

  private BenchPipeline() {}

  /**
   * One Dirichlet histogram of 32 categories a user and window.
   *
   * @param name unique in the cluster: each has a ledger of its own
   * @param windowMillis length of a window, whole seconds
   * @param horizon windows that a user's budget lasts
   */
  static Plan histogram(String name, String topic, long windowMillis, int horizon) {
    return plan(
        """
        pipeline: %1$s
        version: 1
        input: { topic: %2$s, format: json, subject: subject, time: at, category: category, categories: [%3$s] }
        window: { size: %4$ds, grace: 0s, clock: records, ticks: trusted }
        budget: { name: %1$s, unit: record, epsilon: 4, delta: 1e-6, period: lifetime }
        releases:
          - histogram: { name: %6$s, method: dirichlet, share: { epsilon: 4, delta: 1e-6 }, windows: %5$d, plan-size: 40 }
        """
            .formatted(name, topic, categories(), windowMillis / 1000, horizon, output(name)));
  }

  /** Answers queries of 1,000 candidates about two numbers, m = 100. */
  static Plan queries(String name, String topic) {
    return plan(
        """
        pipeline: %1$s
        version: 1
        input: { topic: %2$s, format: json, subject: subject, time: at, category: category, categories: [%3$s], values: [x, y] }
        features: { bandwidth: 0.7, count: 100 }
        window: { size: %4$ds, grace: 0s, clock: records, ticks: trusted }
        budget: { name: %1$s, unit: record, epsilon: 4, delta: 1e-6, period: lifetime }
        releases:
          - abc: { name: %1$s-model, distance: features, threshold: 0.4, share: { epsilon: 4, delta: 1e-6 }, queries: 2, candidates: 1000 }
        """
            .formatted(name, topic, categories(), Workload.WINDOW_MILLIS / 1000));
  }

  /** How the items of a pipeline are drawn. */
  enum Items {
    /** They are categories. */
    FINITE(""),
    /** They have numbers, whose density is boosted. */
    CONTINUOUS(", sampler: mollifier"),
    /** They have numbers, drawn from a pool by projection. */
    PROJECTION(", sampler: projection");

    private final String sampler;

    Items(String sampler) {
      this.sampler = sampler;
    }

    boolean haveNumbers() {
      return this != FINITE;
    }
  }

  /** Two private items a user and window. */
  static Plan items(String name, String topic, Items items) {
    return plan(
        """
        pipeline: %1$s
        version: 1
        input: { topic: %2$s, format: json, subject: subject, time: at, category: category, categories: [%3$s]%5$s }
        window: { size: %4$ds, grace: 0s, clock: ticks, begin: %8$s, ticks: trusted }
        subjects: roster
        %6$s
        budget: { name: %1$s, unit: dataset, epsilon: 12, period: lifetime }
        releases:
          - mollifier: { name: %1$s-items, share: { epsilon: 12 }, items: 2, windows: 3%7$s }
        """
            .formatted(
                name,
                topic,
                categories(),
                Workload.WINDOW_MILLIS / 1000,
                items.haveNumbers() ? ", values: [x, y]" : "",
                items.haveNumbers() ? "reservoir: 40" : "",
                items.haveNumbers()
                    ? items.sampler
                        + ", reference: { gaussians: [ { mean: [0, 0], deviation: [1, 1] } ] }"
                    : "",
                WindowSpec.beginText(Workload.BEGIN)));
  }

  /** Names that nobody listed, found and counted over the windows of {@link NameStream}. */
  static Plan names(String name, String topic, NameSetting setting) {
    return plan(
        """
        pipeline: %1$s
        version: 1
        input:
          topic: %2$s
          subject: list
          user: subject
          time: at
          category: category
          categories:
            discover: { name: %3$s, share: { epsilon: %4$s, delta: %5$s }, most: %6$d, running: %7$d, test-every: %8$d }
        contributions: { per-window: %9$d, per-period: %9$d, per-name: %10$d }
        subjects: [all]
        window: { size: %11$ds, grace: 0s, clock: ticks, begin: %12$s, ticks: trusted }
        budget: { name: %1$s, unit: user, epsilon: %4$s, delta: %5$s, period: %13$ds }
        """
            .formatted(
                name,
                topic,
                output(name),
                NameSetting.EPSILON,
                NameSetting.DELTA,
                NameWorkload.NAMES,
                NameSetting.WINDOWS,
                setting.every(),
                NameSetting.RECORDS,
                setting.perName(),
                Workload.WINDOW_MILLIS / 1000,
                WindowSpec.beginText(NameStream.BEGIN),
                NameSetting.WINDOWS * Workload.WINDOW_MILLIS / 1000));
  }

  static String categories() {
    return IntStream.range(0, Workload.CATEGORIES)
        .mapToObj(Workload::name)
        .collect(Collectors.joining(", "));
  }

  /** Topic of what such a pipeline releases. */
  static String output(String name) {
    return name + "-mix";
  }

  static Plan plan(String yaml) {
    try {
      return Plan.of(FILE, PipelineFile.parse(FILE, yaml));
    } catch (PipelineFileException e) {
      throw new IllegalStateException("a pipeline of the benchmark is wrong", e);
    }
  }
}
