// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.topology.context.SourceTopics;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.errors.SecurityDisabledException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePatternFilter;
import org.apache.kafka.common.resource.ResourceType;

/** Topics of a cluster, by name: which are there, and how new ones are made. */
public final class Topics {
  private static final Duration LISTED = Duration.ofSeconds(3);

  private final Cluster cluster;
  private final ClusterCalls calls;
  private final Admin admin;

  Topics(Cluster cluster, ClusterCalls calls, Admin admin) {
    this.cluster = cluster;
    this.calls = calls;
    this.admin = admin;
  }

  /**
   * Whether a topic is there. A list of topics leaves out those that we may not describe: whoever
   * took that for absence would begin anew, or advise to.
   *
   * @throws RefusedException if the cluster does not let us know
   */
  public boolean isThere(String topic) throws RefusedException {
    String what = "find out whether there is a topic " + topic;
    return calls.call(
        what,
        admin.describeTopics(List.of(topic)).allTopicNames().thenApply(found -> true),
        cause -> {
          if (cause instanceof UnknownTopicOrPartitionException) {
            return false;
          }
          throw calls.refused(what, cause);
        });
  }

  /**
   * The ids that the cluster gave to topics, by topic; those that are missing are left out.
   *
   * @throws RefusedException if the cluster does not let us know
   */
  public Map<String, String> ids(Collection<String> topics) throws RefusedException {
    Map<String, String> ids = new TreeMap<>();
    for (Map.Entry<String, KafkaFuture<TopicDescription>> topic :
        admin.describeTopics(topics).topicNameValues().entrySet()) {
      String what = "find out whether there is a topic " + topic.getKey();
      Optional<String> id =
          calls.call(
              what,
              topic.getValue().thenApply(found -> Optional.of(found.topicId().toString())),
              cause -> {
                if (cause instanceof UnknownTopicOrPartitionException) {
                  return Optional.empty();
                }
                throw calls.refused(what, cause);
              });
      id.ifPresent(found -> ids.put(topic.getKey(), found));
    }
    return ids;
  }

  /** The ids of topics that exist: brokers may not know yet what was created a moment before. */
  public Map<String, String> idsOfExisting(Collection<String> topics) throws RefusedException {
    Map<String, String> ids = new TreeMap<>();
    calls.describe(topics).forEach((topic, found) -> ids.put(topic, found.topicId().toString()));
    return ids;
  }

  /** Number of partitions of a topic that is there. */
  public int partitions(String topic) throws RefusedException {
    return calls.describe(List.of(topic)).get(topic).partitions().size();
  }

  /**
   * Creates a topic of one partition that keeps every record for ever, in order: nobody who may
   * only write to it takes back what was written.
   */
  public void createLog(String topic) throws RefusedException {
    if (!isThere(topic)) {
      create(List.of(OwnTopics.log(topic, replication())));
    }
  }

  /**
   * Makes sure that a topic keeps every record: where others may write, too, compaction would let
   * them delete.
   *
   * @throws RefusedException if it does not, and we may not change that, with the command
   */
  public void requireLog(String topic) throws RefusedException {
    if (OwnTopics.keepsAll(calls.settings(topic))) {
      return;
    }
    try {
      calls.set(topic, OwnTopics.KEEPING);
    } catch (RefusedException e) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "topic '%s' deletes old entries: %s. With ALTER_CONFIGS on it, run: %s"
              .formatted(
                  topic, e.getMessage(), OwnTopics.keepingCommand(topic, cluster.command())));
    }
  }

  /** Names of all topics that this principal may describe; others are not told of. */
  public Set<String> visible() throws RefusedException {
    return calls.topics();
  }

  /** Whether the cluster hides topics from those who have no right to describe them. */
  public boolean mayHideSome() throws RefusedException {
    AclBindingFilter any =
        new AclBindingFilter(
            new ResourcePatternFilter(ResourceType.TOPIC, "x", PatternType.LITERAL),
            AccessControlEntryFilter.ANY);
    return calls.call(
        "find out whether the cluster has an authorizer",
        admin.describeAcls(any).values().thenApply(rules -> true),
        cause -> !(cause instanceof SecurityDisabledException));
  }

  /**
   * The records' topics, which must be there.
   *
   * @param topics at least one name
   */
  public SourceTopics sources(Collection<String> topics) throws RefusedException {
    Map<String, TopicDescription> found = calls.describe(topics);
    return new SourceTopics(
        topics.stream()
            .map(
                topic ->
                    new SourceTopics.Topic(
                        topic,
                        found.get(topic).topicId().toString(),
                        found.get(topic).partitions().size()))
            .toList());
  }

  /** The records' topics of a pipeline, which must be there. */
  public SourceTopics sources(Pipeline pipeline) throws RefusedException {
    return sources(pipeline.input().topics().names());
  }

  /** Names of all topics that we may see. */
  Set<String> names() throws RefusedException {
    return calls.topics();
  }

  /** Names of all topics: a new one, made by whoever fills it, takes a moment to be listed. */
  Set<String> namesWith(Collection<String> expected) throws RefusedException {
    long deadline = System.nanoTime() + LISTED.toNanos();
    Set<String> existing = calls.topics();
    while (!existing.containsAll(expected) && System.nanoTime() < deadline) {
      Cluster.pause(ClusterCalls.RETRY);
      existing = calls.topics();
    }
    return existing;
  }

  /** Replication of what the application creates. */
  public short replication() throws RefusedException {
    return replication(cluster.brokers());
  }

  static short replication(int brokers) {
    return (short) Math.min(TopicSafety.REPLICAS, brokers);
  }

  /** Creates a topic for foreign records unless it is there. */
  public void createIfMissing(String topic, int partitions) throws RefusedException {
    if (!calls.topics().contains(topic)) {
      create(List.of(new NewTopic(topic, partitions, replication())));
    }
  }

  /**
   * The same for whoever has no producer of their own yet: brokers stamp the records, so that no
   * retention follows event times.
   */
  public void createForRecords(String topic, int partitions) throws RefusedException {
    if (!calls.topics().contains(topic)) {
      create(List.of(OwnTopics.records(topic, partitions, replication())));
    }
  }

  void create(Collection<NewTopic> topics) throws RefusedException {
    for (NewTopic topic : topics) {
      String what = "create topic " + topic.name();
      calls.call(
          what,
          admin.createTopics(List.of(topic)).all(),
          cause -> {
            if (cause instanceof TopicExistsException) {
              return null;
            }
            throw calls.refused(what, cause);
          });
    }
  }
}
