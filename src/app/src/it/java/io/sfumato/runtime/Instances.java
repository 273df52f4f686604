// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.release.Plan;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.PipelineMeters;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.utils.Time;

/**
 * Starts instances of pipelines in the test's process. Consumer groups notice a stopped instance
 * after six seconds.
 *
 * @param folder for local state, a folder in it for each instance
 * @param partitions of the records' topics
 * @param more additional Kafka properties
 */
public record Instances(
    TestCluster cluster, Path folder, int partitions, Map<String, String> more) {
  public Instances(TestCluster cluster, Path folder) {
    this(cluster, folder, 1, Map.of());
  }

  Instances withPartitions(int number) {
    return new Instances(cluster, folder, number, more);
  }

  public KafkaSettings settings() throws RefusedException {
    Map<String, String> all = new HashMap<>(more);
    all.put("session.timeout.ms", "6000");
    return TestCluster.settings(cluster.servers(), all);
  }

  /** For what a test does before a run: its time limits are the run's own. */
  private KafkaSettings patient() throws RefusedException {
    Map<String, String> all = new HashMap<>(more);
    all.keySet().removeIf(name -> name.endsWith("timeout.ms") || name.endsWith("max.block.ms"));
    return TestCluster.settings(cluster.servers(), all);
  }

  private Deployment deployment(Plan plan) {
    return TestCluster.deployment(plan, partitions, PipelineMeters.none());
  }

  /** Creates the topics and starts an instance, without checking the budget's registry. */
  PipelineRun start(Plan plan, String state) throws RefusedException {
    return start(plan, deployment(plan), state);
  }

  PipelineRun start(Plan plan, Deployment deployment, String state) throws RefusedException {
    return start(plan, deployment, folder.resolve(state), Time.SYSTEM);
  }

  /**
   * The same with another clock.
   *
   * @param state folder for local state
   */
  PipelineRun start(Plan plan, Path state, Time clock) throws RefusedException {
    return start(plan, deployment(plan), state, clock);
  }

  private PipelineRun start(Plan plan, Deployment deployment, Path state, Time clock)
      throws RefusedException {
    TestCluster.prepare(patient(), plan);
    return PipelineRun.start(
        plan,
        deployment,
        new PipelineRun.Instance(settings(), state, replication(), 0),
        new FencingClients(),
        clock);
  }

  /** That of the cluster's own topics: three, where it has as many brokers. */
  private short replication() throws RefusedException {
    try (Cluster admin = new Cluster(patient())) {
      return admin.topics().replication();
    }
  }

  /** Starts an instance as {@code run} does: the budget's state and registry must allow it. */
  public PipelineRun startIfAllowed(Plan plan, String state) throws RefusedException {
    requireAllowed(plan);
    return start(plan, state);
  }

  /** Checks what {@code run} checks before a start. */
  public void requireAllowed(Plan plan) throws RefusedException {
    try (Cluster admin = new Cluster(patient())) {
      TestCluster.require(plan, patient(), admin, partitions);
    }
  }
}
