// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.pipeline.Amount;
import io.sfumato.pipeline.MessageLimit;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.Plan;
import io.sfumato.topology.setting.Names;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** A cluster as a pipeline sees it before it starts: its topics, its safety, its start offsets. */
public final class Cluster implements AutoCloseable {
  private static final Duration LISTED = Duration.ofSeconds(3);

  private final Admin admin;
  private final String servers;
  private final TopicCommand command;
  private final ClusterCalls calls;

  public Cluster(KafkaSettings settings) {
    this.admin = Admin.create(settings.admin());
    this.servers = settings.bootstrapServers();
    this.command = new TopicCommand(servers);
    this.calls = new ClusterCalls(admin, servers);
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
    return FirstContact.with(settings, patience, out);
  }

  /** Whether it answers now. */
  KafkaFuture<?> knock(Duration patience) {
    return admin
        .describeCluster(new DescribeClusterOptions().timeoutMs((int) patience.toMillis()))
        .nodes();
  }

  @Override
  public void close() {
    admin.close(Duration.ofSeconds(5));
  }

  /** How much a cluster must keep safe. */
  public enum Safety {
    /** Three replicas, two in sync, no unclean election: what a ledger needs. */
    REQUIRED,
    /** Whatever the cluster has, at the operator's risk. */
    WAIVED
  }

  /**
   * Creates what is missing and checks what is there.
   *
   * @return the records' topic
   * @throws RefusedException if the cluster lacks the records' topic, is not safe enough, or its
   *     topics take less than the plan may need
   */
  public Source prepare(Plan plan, Safety safety) throws RefusedException {
    Source source = prepare(plan.pipeline(), safety);
    new TopicSafety(calls, command).requireRoom(plan);
    return source;
  }

  /** The same where nothing is planned: what topics take is not looked at. */
  public Source prepare(Pipeline pipeline, Safety safety) throws RefusedException {
    int brokers = brokers();
    String input = pipeline.input().topic();
    Set<String> existing = topicsWith(input);
    if (!existing.contains(input) && !isThere(input)) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "the records' topic '%s' does not exist at %s; create it, or publish to it with 'sfumato produce --topic %s'"
              .formatted(input, servers, input));
    }
    Source source = source(input);
    int partitions = source.partitions();
    short replication = replication(brokers);
    List<NewTopic> owned = OwnTopics.of(pipeline, partitions, replication);
    if (safety == Safety.REQUIRED && brokers < TopicSafety.REPLICAS) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "the cluster at %s has %s; a ledger needs 3 replicas. Use a cluster of 3 or more, or say --accept-risk"
              .formatted(servers, Amount.of(brokers, "broker")));
    }
    create(owned.stream().filter(topic -> !existing.contains(topic.name())).toList());
    List<String> changelogs =
        existing.stream()
            .filter(name -> Names.isChangelogOf(pipeline.applicationId(), name))
            .toList();
    new TopicSafety(calls, command).check(pipeline, owned, changelogs, safety);
    return source;
  }

  /**
   * Why a ledger of this pipeline could lose an acknowledged charge here, as far as the topics tell
   * that are there.
   *
   * @return nothing if it could not
   */
  public List<String> risks(Pipeline pipeline) throws RefusedException {
    int brokers = brokers();
    if (brokers < TopicSafety.REPLICAS) {
      return List.of("the cluster has %s".formatted(Amount.of(brokers, "broker")));
    }
    Set<String> existing = calls.topics();
    List<String> own =
        existing.stream()
            .filter(name -> Names.isChangelogOf(pipeline.applicationId(), name))
            .toList();
    return new TopicSafety(calls, command).risks(own);
  }

  /** Names of all topics: a new one, made by whoever fills it, takes a moment to be listed. */
  private Set<String> topicsWith(String expected) throws RefusedException {
    long deadline = System.nanoTime() + LISTED.toNanos();
    Set<String> existing = calls.topics();
    while (!existing.contains(expected) && System.nanoTime() < deadline) {
      pause(ClusterCalls.RETRY);
      existing = calls.topics();
    }
    return existing;
  }

  /** The records' topic, which must be there. */
  public Source source(String topic) throws RefusedException {
    TopicDescription found = calls.describe(List.of(topic)).get(topic);
    return new Source(found.topicId().toString(), found.partitions().size());
  }

  /**
   * The records' topic.
   *
   * @param id that the cluster gave it when it was made: a topic made anew has another
   * @param partitions at least 1
   */
  public record Source(String id, int partitions) {}

  /** Replication of what the application creates. */
  public short replication() throws RefusedException {
    return replication(brokers());
  }

  private static short replication(int brokers) {
    return (short) Math.min(TopicSafety.REPLICAS, brokers);
  }

  /** What the cluster was named when it was made. */
  public String id() throws RefusedException {
    return calls.call("describe the cluster", admin.describeCluster().clusterId());
  }

  private int brokers() throws RefusedException {
    return calls.call("describe the cluster", admin.describeCluster().nodes()).size();
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

  /** The offsets of a pipeline's group. */
  public GroupOffsets offsets(Pipeline pipeline) {
    return new GroupOffsets(this, calls, admin, pipeline);
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
          "topic '%s' forgets entries, and %s. Whoever may: %s"
              .formatted(topic, e.getMessage(), OwnTopics.keepingCommand(topic, command)));
    }
  }

  /** Whether an application has a journal or a changelog. */
  public boolean hasInternalTopics(String applicationId) throws RefusedException {
    return calls.topics().stream().anyMatch(topic -> Names.isInternalTo(applicationId, topic));
  }

  /** Creates changelogs before Kafka Streams does, as it would. */
  public void createChangelogs(Pipeline pipeline, List<String> topics, int partitions)
      throws RefusedException {
    List<NewTopic> missing = new ArrayList<>();
    for (String topic : topics) {
      if (!isThere(topic)) {
        missing.add(
            OwnTopics.changelog(topic, partitions, replication(), MessageLimit.ofTopic(pipeline)));
      }
    }
    create(missing);
  }

  /** Whether any instance of a group runs. */
  public boolean hasMembers(String group) throws RefusedException {
    return new Groups(admin, calls).hasMembers(group);
  }

  /**
   * Deletes a group with its offsets, which the cluster allows only when it has no members: whoever
   * starts later finds no offsets, and stops.
   *
   * @throws RefusedException if members remain for longer than the time-out
   */
  public void retire(String group, Duration timeout) throws RefusedException {
    new Groups(admin, calls).retire(group, timeout);
  }

  /** Waits until no transaction is open on the topics: what can be read is all there will be. */
  public void awaitSettled(List<String> topics, Duration timeout) throws RefusedException {
    List<TopicPartition> partitions = partitionsOf(topics);
    long deadline = System.nanoTime() + timeout.toNanos();
    while (!ends(partitions, IsolationLevel.READ_COMMITTED)
        .equals(ends(partitions, IsolationLevel.READ_UNCOMMITTED))) {
      if (System.nanoTime() > deadline) {
        throw new RefusedException(
            ExitCode.FAILED,
            "a transaction is still open after %d s; try again".formatted(timeout.toSeconds()));
      }
      pause(ClusterCalls.RETRY);
    }
  }

  private Map<TopicPartition, Long> ends(List<TopicPartition> partitions, IsolationLevel isolation)
      throws RefusedException {
    Map<TopicPartition, OffsetSpec> specs = new HashMap<>();
    partitions.forEach(p -> specs.put(p, OffsetSpec.latest()));
    Map<TopicPartition, Long> ends = new HashMap<>();
    calls
        .call(
            "find the topics' ends",
            admin.listOffsets(specs, new ListOffsetsOptions(isolation)).all())
        .forEach((p, info) -> ends.put(p, info.offset()));
    return ends;
  }

  /** Waits a moment between two looks at the cluster. */
  public static void pause(Duration length) {
    LockSupport.parkNanos(length.toNanos());
  }

  private void create(Collection<NewTopic> topics) throws RefusedException {
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

  /**
   * For how long every changelog of an application keeps a deletion, at least: local state that is
   * older never hears of it.
   *
   * @throws RefusedException if that is too short to restart in
   */
  public Duration deletionsKept(String applicationId) throws RefusedException {
    return new TopicSafety(calls, command).deletionsKept(applicationId);
  }

  /**
   * Refuses a records' topic that this principal cannot write ticks into.
   *
   * @throws RefusedException with what to do
   */
  public void requireTicks(String topic) throws RefusedException {
    new WriteRight(topic, calls.operations(topic)).require();
  }

  /** Who sets the Kafka timestamps of the records' topic, which is there. */
  public StampedBy stampedBy(Pipeline pipeline) throws RefusedException {
    return StampedBy.of(pipeline, calls.settings(pipeline.input().topic()));
  }

  /**
   * Whether all that the pipeline writes to takes the Kafka timestamps of what it reads.
   *
   * @param safety waived where the operator takes the risk
   * @return what is risked then, with the commands that mend it
   * @throws RefusedException with these commands
   */
  public Optional<String> requireTimestamps(Pipeline pipeline, Safety safety)
      throws RefusedException {
    return new TopicSafety(calls, command).requireTimestamps(pipeline, safety);
  }

  List<TopicPartition> partitionsOf(List<String> topics) throws RefusedException {
    List<TopicPartition> partitions = new ArrayList<>();
    calls
        .describe(topics)
        .forEach(
            (topic, description) ->
                description
                    .partitions()
                    .forEach(p -> partitions.add(new TopicPartition(topic, p.partition()))));
    return partitions;
  }
}
