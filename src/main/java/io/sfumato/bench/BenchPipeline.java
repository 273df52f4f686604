package io.sfumato.bench;

import io.sfumato.pipeline.PipelineFile;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.Plan;
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
    String categories =
        IntStream.range(0, Workload.CATEGORIES)
            .mapToObj(Workload::name)
            .collect(Collectors.joining(", "));
    return plan(
        """
        pipeline: %1$s
        version: 1
        input: { topic: %2$s, format: json, subject: subject, time: at, category: category, categories: [%3$s] }
        window: { size: %4$ds, grace: 0s, clock: records }
        budget: { name: %1$s, unit: record, epsilon: 4, delta: 1e-6, period: lifetime }
        releases:
          - histogram: { name: %6$s, method: dirichlet, share: { epsilon: 4, delta: 1e-6 }, windows: %5$d, plan-size: 40 }
        """
            .formatted(name, topic, categories, windowMillis / 1000, horizon, output(name)));
  }

  /** Topic of what such a pipeline releases. */
  static String output(String name) {
    return name + "-mix";
  }

  private static Plan plan(String yaml) {
    try {
      return Plan.of(FILE, PipelineFile.parse(FILE, yaml));
    } catch (PipelineFileException e) {
      throw new IllegalStateException("a pipeline of the benchmark is wrong", e);
    }
  }
}
