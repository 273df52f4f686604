// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.pipeline.Pipeline;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigException;

/** A connection to a cluster, and what is asked through it: topics, groups, offsets, safety. */
public final class Cluster implements AutoCloseable {
  private final Admin admin;
  private final String servers;
  private final ClusterCalls calls;

  /**
   * Nothing is asked of the cluster yet.
   *
   * @throws RefusedException if Kafka's client cannot use the settings
   */
  public Cluster(KafkaSettings settings) throws RefusedException {
    this(settings, admin(settings));
  }

  Cluster(KafkaSettings settings, Admin admin) {
    this.admin = admin;
    this.servers = settings.bootstrapServers();
    this.calls = new ClusterCalls(admin, servers);
  }

  private static Admin admin(KafkaSettings settings) throws RefusedException {
    try {
      return Admin.create(settings.admin());
    } catch (KafkaException e) {
      throw unusable(settings, e);
    }
  }

  /** What is wrong with settings of which Kafka's client makes nothing. */
  static RefusedException unusable(KafkaSettings settings, KafkaException e) {
    String words =
        "cannot use the settings for %s: %s"
            .formatted(
                settings.bootstrapServers(),
                ClientErrors.words(e, settings) + Logins.adviceBefore(e));
    return isUnresolved(e)
        ? RefusedException.unanswered(ExitCode.REFUSED_CLUSTER, words)
        : new RefusedException(ExitCode.REFUSED_CLUSTER, words);
  }

  /** Whether the cluster's name does not resolve, as may happen while it is gone. */
  static boolean isUnresolved(KafkaException e) {
    return e.getCause() instanceof ConfigException
        && e.getCause().getMessage().contains("No resolvable");
  }

  /**
   * Connects to a cluster that may not be up yet.
   *
   * @param patience how long to wait for it
   * @param out is told once a second or so for how long it has been waiting
   * @throws RefusedException if it does not answer in time, or answers that we may not
   */
  public static Cluster await(KafkaSettings settings, Duration patience, Consumer<String> out)
      throws RefusedException {
    return ClusterStartupWait.with(settings, patience, out);
  }

  /** Whether it answers now. */
  KafkaFuture<?> knock(Duration patience) {
    return admin
        .describeCluster(new DescribeClusterOptions().timeoutMs((int) patience.toMillis()))
        .nodes();
  }

  /**
   * What time it is by the controller of the cluster, milliseconds since 1970; nothing where it
   * does not say so: brokers before 3.5, or a principal without the right DESCRIBE on the cluster.
   *
   * @throws RefusedException if it does not answer
   */
  public OptionalLong controllerTime() throws RefusedException {
    return ControllerTime.of(admin, servers);
  }

  @Override
  public void close() {
    admin.close(Duration.ofSeconds(5));
  }

  /** Topics, by name. */
  public Topics topics() {
    return new Topics(this, calls, admin);
  }

  /** Topics of pipelines. */
  public PipelineTopics pipelineTopics() {
    return new PipelineTopics(this, calls);
  }

  /** Whether topics keep what they are given. */
  public TopicSafety safety() {
    return new TopicSafety(this, calls);
  }

  /** Where topics begin and end. */
  public TopicOffsets offsets() {
    return new TopicOffsets(calls, admin);
  }

  /** From where a pipeline's group reads. */
  public GroupOffsets offsets(Pipeline pipeline) {
    return new GroupOffsets(this, calls, admin, pipeline);
  }

  /** Transactions that hang in a pipeline's topics. */
  public HangingTransactions hanging(Pipeline pipeline) {
    return new HangingTransactions(admin, servers, pipeline.applicationId());
  }

  /** Groups of instances. */
  public Groups groups() {
    return new Groups(admin, calls);
  }

  /** How much a cluster must keep safe. */
  public enum Safety {
    /** Three replicas, two in sync, no unclean election: what a ledger needs. */
    REQUIRED,
    /** Whatever the cluster has, at the operator's risk. */
    WAIVED
  }

  /** What the cluster was named when it was made. */
  public String id() throws RefusedException {
    return calls.call("describe the cluster", admin.describeCluster().clusterId());
  }

  int brokers() throws RefusedException {
    return calls.call("describe the cluster", admin.describeCluster().nodes()).size();
  }

  /** As messages name it. */
  String servers() {
    return servers;
  }

  /** Commands for this cluster, for messages. */
  TopicCommand command() {
    return new TopicCommand(servers);
  }

  /** Waits a moment between two looks at the cluster. */
  public static void pause(Duration length) {
    LockSupport.parkNanos(length.toNanos());
  }
}
