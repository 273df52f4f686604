// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.Plan;
import io.sfumato.topology.context.PipelineMeters;
import java.nio.file.Path;
import java.util.Map;

/**
 * Starts a pipeline in the test's process, after the same preparation as {@code sfumato run
 * --accept-risk}.
 */
public final class PipelineStart {
  private PipelineStart() {}

  /**
   * Starts one instance and waits until it runs.
   *
   * @param partitions of the pipeline's input topic
   * @param meters that the instance updates
   * @param state folder for local state
   */
  public static PipelineRun of(
      TestCluster cluster, Plan plan, int partitions, PipelineMeters meters, Path state)
      throws Exception {
    KafkaSettings settings = TestCluster.settings(cluster.servers(), Map.of());
    try (Cluster admin = new Cluster(settings)) {
      admin.pipelineTopics().prepare(plan, Cluster.Safety.WAIVED);
      TestCluster.require(plan, settings, admin, partitions);
      admin.offsets(plan.pipeline()).establish();
    }
    PipelineRun run =
        PipelineRun.start(
            plan,
            TestCluster.deployment(plan, partitions, meters),
            new PipelineRun.Instance(settings, state, 1, 0));
    assertThat(run.awaitRunning(TestCluster.PATIENCE)).isTrue();
    return run;
  }
}
