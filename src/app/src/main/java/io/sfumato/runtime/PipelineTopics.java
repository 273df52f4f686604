// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.pipeline.MessageLimit;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Plurals;
import io.sfumato.release.Plan;
import io.sfumato.topology.context.SourceTopics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;

/** Topics of a pipeline: made and checked before anything is read. */
public final class PipelineTopics {
  private final Cluster cluster;
  private final ClusterCalls calls;

  PipelineTopics(Cluster cluster, ClusterCalls calls) {
    this.cluster = cluster;
    this.calls = calls;
  }

  /**
   * Creates what is missing and checks what is there.
   *
   * @return the records' topics
   * @throws RefusedException if the cluster lacks one of the records' topics, is not safe enough,
   *     or its topics take less than the plan may need
   */
  public SourceTopics prepare(Plan plan, Cluster.Safety safety) throws RefusedException {
    SourceTopics sources = prepare(plan.pipeline(), safety);
    cluster.safety().requireRoom(plan);
    return sources;
  }

  /** The same where nothing is planned: what topics take is not looked at. */
  public SourceTopics prepare(Pipeline pipeline, Cluster.Safety safety) throws RefusedException {
    Set<String> existing = cluster.topics().namesWith(pipeline.input().topics().names());
    SourceTopics sources = sources(pipeline, existing, safety);
    List<NewTopic> owned = owned(pipeline, sources);
    cluster
        .topics()
        .create(owned.stream().filter(topic -> !existing.contains(topic.name())).toList());
    cluster
        .safety()
        .check(pipeline, owned, TopicSafety.changelogs(pipeline.applicationId(), existing), safety);
    return sources;
  }

  /**
   * Checks what is there and creates nothing.
   *
   * @return the records' topics
   * @throws RefusedException if {@link #prepare(Plan, Cluster.Safety)} would refuse what is there
   */
  public SourceTopics requirePrepared(Plan plan, Cluster.Safety safety) throws RefusedException {
    Pipeline pipeline = plan.pipeline();
    Set<String> existing = cluster.topics().namesWith(pipeline.input().topics().names());
    SourceTopics sources = sources(pipeline, existing, safety);
    List<NewTopic> owned =
        owned(pipeline, sources).stream().filter(topic -> existing.contains(topic.name())).toList();
    cluster
        .safety()
        .check(pipeline, owned, TopicSafety.changelogs(pipeline.applicationId(), existing), safety);
    cluster.safety().requireRoom(plan);
    return sources;
  }

  private SourceTopics sources(Pipeline pipeline, Set<String> existing, Cluster.Safety safety)
      throws RefusedException {
    int brokers = cluster.brokers();
    for (String input : pipeline.input().topics().names()) {
      if (!existing.contains(input) && !cluster.topics().isThere(input)) {
        throw new RefusedException(
            ExitCode.REFUSED_CLUSTER,
            "the records' topic '%s' does not exist at %s; create it, or publish to it with 'sfumato produce --topic %s'"
                .formatted(input, cluster.servers(), input));
      }
    }
    SourceTopics sources = cluster.topics().sources(pipeline);
    if (safety == Cluster.Safety.REQUIRED && brokers < TopicSafety.REPLICAS) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "the cluster at %s has %s; a ledger needs 3 replicas. Use a cluster of 3 or more brokers, or accept the risk of losing charges with --accept-risk"
              .formatted(cluster.servers(), Plurals.of(brokers, "broker")));
    }
    return sources;
  }

  private List<NewTopic> owned(Pipeline pipeline, SourceTopics sources) throws RefusedException {
    return OwnTopics.of(
        pipeline, sources.journalPartitions(), Topics.replication(cluster.brokers()));
  }

  /** Creates changelogs before Kafka Streams does, as it would. */
  public void createChangelogs(Pipeline pipeline, List<String> topics, int partitions)
      throws RefusedException {
    Topics known = cluster.topics();
    List<NewTopic> missing = new ArrayList<>();
    for (String topic : topics) {
      if (!known.isThere(topic)) {
        missing.add(
            OwnTopics.changelog(
                topic, partitions, known.replication(), MessageLimit.ofTopic(pipeline)));
      }
    }
    known.create(missing);
  }

  /**
   * Refuses a records' topic that this principal cannot write ticks into.
   *
   * @throws RefusedException with what to do
   */
  public void requireTicks(String topic) throws RefusedException {
    new WriteRight(topic, calls.operations(topic)).require();
  }

  /** Who sets the Kafka timestamps of each of the records' topics, which are there. */
  public List<StampedBy> stampedBy(Pipeline pipeline) throws RefusedException {
    Map<String, Config> settings = calls.settings(pipeline.input().topics().names());
    return settings.entrySet().stream()
        .map(topic -> StampedBy.of(pipeline, topic.getKey(), topic.getValue()))
        .toList();
  }
}
