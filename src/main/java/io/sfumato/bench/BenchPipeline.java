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

  /** One Dirichlet histogram of 32 categories a user and window. */
  static Plan histogram(String name, String topic) {
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
          - histogram: { name: %1$s-mix, method: dirichlet, share: { epsilon: 4, delta: 1e-6 }, windows: 20, plan-size: 40 }
        """
            .formatted(name, topic, categories, Workload.WINDOW_MILLIS / 1000));
  }

  private static Plan plan(String yaml) {
    try {
      return Plan.of(FILE, PipelineFile.parse(FILE, yaml));
    } catch (PipelineFileException e) {
      throw new IllegalStateException("a pipeline of the benchmark is wrong", e);
    }
  }
}
