// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.pipeline.Amount;
import io.sfumato.pipeline.MessageLimit;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Plan;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.topology.LocalState;
import io.sfumato.topology.Names;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** A cluster as a pipeline sees it before it starts: its topics, its safety, its start offsets. */
public final class Cluster implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration KNOCK = Duration.ofSeconds(3);
  private static final Duration RETRY = Duration.ofMillis(100);
  private static final int SAFE_REPLICATION = 3;
  private static final Map<String, String> KEEPING =
      Map.of("cleanup.policy", "delete", "retention.ms", "-1", "retention.bytes", "-1");

  private final Admin admin;
  private final String servers;

  public Cluster(KafkaSettings settings) {
    this.admin = Admin.create(settings.admin());
    this.servers = settings.bootstrapServers();
  }

  /**
   * Connects to a cluster that may not be up yet.
   *
   * @param patience how long to wait for it
   * @param out is told once if there is something to wait for
   * @throws RefusedException if it does not answer in time, or answers that we may not
   */
  public static Cluster await(KafkaSettings settings, Duration patience, Consumer<String> out)
      throws RefusedException {
    long deadline = System.nanoTime() + patience.toNanos();
    boolean told = false;
    while (true) {
      try {
        Cluster cluster = new Cluster(settings);
        try {
          cluster
              .admin
              .describeCluster(new DescribeClusterOptions().timeoutMs((int) KNOCK.toMillis()))
              .nodes()
              .get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
          return cluster;
        } catch (ExecutionException | TimeoutException e) {
          cluster.close();
          boolean down =
              e instanceof TimeoutException
                  || e.getCause() instanceof org.apache.kafka.common.errors.TimeoutException;
          if (!down) {
            throw cluster.refused("reach the cluster", e.getCause());
          }
        } catch (InterruptedException e) {
          cluster.close();
          throw interrupted();
        }
      } catch (KafkaException e) {
        // Its name may not resolve yet. Anything else will not get better.
        if (!(e.getCause() instanceof ConfigException)
            || !e.getCause().getMessage().contains("No resolvable")) {
          throw new RefusedException(
              ExitCode.REFUSED_CLUSTER,
              "cannot use the settings for %s: %s"
                  .formatted(settings.bootstrapServers(), ClientErrors.words(e)));
        }
      }
      if (!told) {
        told = true;
        out.accept(
            "no Kafka cluster answers at %s; waiting up to %d s ..."
                .formatted(settings.bootstrapServers(), patience.toSeconds()));
      }
      if (System.nanoTime() > deadline) {
        throw new RefusedException(
            ExitCode.REFUSED_CLUSTER,
            "no Kafka cluster answers at %s after %d s. Is it up, and --bootstrap-servers right? (--wait says how long to try)"
                .formatted(settings.bootstrapServers(), patience.toSeconds()));
      }
      pause(RETRY);
    }
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
    requireRoom(plan);
    return source;
  }

  /** A topic that refused a record would stop the pipeline in front of it, every time again. */
  private void requireRoom(Plan plan) throws RefusedException {
    TopicSizes sizes = TopicSizes.of(plan);
    List<String> written =
        call("list topics", admin.listTopics().names()).stream()
            .filter(topic -> sizes.needed(topic).isPresent())
            .sorted()
            .toList();
    Map<ConfigResource, Config> configs = settings(resources(written));
    List<String> lacking = new ArrayList<>();
    for (String topic : written) {
      Config config = configs.get(new ConfigResource(ConfigResource.Type.TOPIC, topic));
      sizes.lack(topic, config).ifPresent(lack -> lacking.add(lack.sentence()));
    }
    if (!lacking.isEmpty()) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "topics take less than this file may write to them, and a record that is refused would stop"
              + " the pipeline:\n  "
              + String.join("\n  ", lacking));
    }
  }

  private static List<ConfigResource> resources(List<String> topics) {
    return topics.stream().map(t -> new ConfigResource(ConfigResource.Type.TOPIC, t)).toList();
  }

  /** The same where nothing is planned: what topics take is not looked at. */
  public Source prepare(Pipeline pipeline, Safety safety) throws RefusedException {
    int brokers = brokers();
    String input = pipeline.input().topic();
    Set<String> existing = topicsWith(input);
    if (!existing.contains(input)) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "the records' topic '%s' does not exist at %s; create it, or publish to it with 'sfumato produce --topic %s'"
              .formatted(input, servers, input));
    }
    Source source = source(input);
    int partitions = source.partitions();
    short replication = replication(brokers);
    List<NewTopic> owned = owned(pipeline, partitions, replication);
    if (safety == Safety.REQUIRED && brokers < SAFE_REPLICATION) {
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
    check(pipeline, owned, changelogs, safety);
    return source;
  }

  /** Names of all topics: a new one, made by whoever fills it, takes a moment to be listed. */
  private Set<String> topicsWith(String expected) throws RefusedException {
    long deadline = System.nanoTime() + KNOCK.toNanos();
    Set<String> existing = call("list topics", admin.listTopics().names());
    while (!existing.contains(expected) && System.nanoTime() < deadline) {
      pause(RETRY);
      existing = call("list topics", admin.listTopics().names());
    }
    return existing;
  }

  /** The records' topic, which must be there. */
  public Source source(String topic) throws RefusedException {
    TopicDescription found = describe(List.of(topic)).get(topic);
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
    return (short) Math.min(SAFE_REPLICATION, brokers);
  }

  private int brokers() throws RefusedException {
    return call("describe the cluster", admin.describeCluster().nodes()).size();
  }

  /** Creates a topic for foreign records unless it is there. */
  public void createIfMissing(String topic, int partitions) throws RefusedException {
    if (!call("list topics", admin.listTopics().names()).contains(topic)) {
      create(List.of(new NewTopic(topic, partitions, replication())));
    }
  }

  /**
   * The same for whoever has no producer of their own yet: brokers stamp the records, so that no
   * retention follows event times.
   */
  public void createForRecords(String topic, int partitions) throws RefusedException {
    if (!call("list topics", admin.listTopics().names()).contains(topic)) {
      create(
          List.of(
              new NewTopic(topic, partitions, replication())
                  .configs(Map.of("message.timestamp.type", "LogAppendTime"))));
    }
  }

  /** The offsets of a pipeline's group. */
  public GroupOffsets offsets(Pipeline pipeline) {
    return new GroupOffsets(this, admin, pipeline);
  }

  /** Whether a topic is there. */
  public boolean exists(String topic) throws RefusedException {
    return call("list topics", admin.listTopics().names()).contains(topic);
  }

  /**
   * Whether a topic is there, for whom its absence means something: {@link #exists} sees none that
   * it may not describe.
   *
   * @throws RefusedException if the cluster does not let us know
   */
  public boolean isThere(String topic) throws RefusedException {
    try {
      admin
          .describeTopics(List.of(topic))
          .allTopicNames()
          .get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return false;
      }
      throw refused("find out whether there is a topic " + topic, e.getCause());
    } catch (TimeoutException e) {
      throw refused("find out whether there is a topic " + topic, e);
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  /** Number of partitions of a topic that is there. */
  public int partitions(String topic) throws RefusedException {
    return describe(List.of(topic)).get(topic).partitions().size();
  }

  /**
   * Creates a topic of one partition that keeps every record for ever, in order: nobody who may
   * only write to it takes back what was written.
   */
  public void createLog(String topic) throws RefusedException {
    if (!exists(topic)) {
      short replication = replication();
      Map<String, String> config = new HashMap<>(safe(replication));
      config.putAll(KEEPING);
      create(List.of(new NewTopic(topic, 1, replication).configs(config)));
    }
  }

  /**
   * Makes sure that a topic keeps every record: where others may write, too, compaction would let
   * them delete.
   *
   * @throws RefusedException if it does not, and we may not change that, with the command
   */
  public void requireLog(String topic) throws RefusedException {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    Config config = settings(List.of(resource)).get(resource);
    if (keepsAll(config)) {
      return;
    }
    List<AlterConfigOp> changes = new ArrayList<>();
    KEEPING.forEach(
        (name, value) ->
            changes.add(new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET)));
    try {
      call(
          "change the settings of " + topic,
          admin.incrementalAlterConfigs(Map.of(resource, changes)).all());
    } catch (RefusedException e) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "topic '%s' forgets entries, and %s. Whoever may: %s"
              .formatted(topic, e.getMessage(), keepingCommand(topic)));
    }
  }

  /** Whether a topic with these settings keeps every record. */
  public static boolean keepsAll(Config config) {
    return KEEPING.entrySet().stream()
        .allMatch(setting -> setting.getValue().equals(config.get(setting.getKey()).value()));
  }

  /** What makes a topic keep every record. */
  public static String keepingCommand(String topic) {
    return "kafka-configs.sh --alter --topic "
        + topic
        + " --add-config cleanup.policy=delete,retention.bytes=-1,retention.ms=-1";
  }

  /** Whether an application has a journal or a changelog. */
  public boolean hasInternalTopics(String applicationId) throws RefusedException {
    return call("list topics", admin.listTopics().names()).stream()
        .anyMatch(topic -> Names.isInternalTo(applicationId, topic));
  }

  /** Creates changelogs before Kafka Streams does, as it would. */
  public void createChangelogs(Pipeline pipeline, List<String> topics, int partitions)
      throws RefusedException {
    List<NewTopic> missing = new ArrayList<>();
    for (String topic : topics) {
      if (!exists(topic)) {
        missing.add(compacted(topic, partitions, MessageLimit.ofTopic(pipeline)));
      }
    }
    create(missing);
  }

  private NewTopic compacted(String topic, int partitions, long bytes) throws RefusedException {
    short replication = replication();
    Map<String, String> config = new HashMap<>(safe(replication));
    config.put("cleanup.policy", "compact");
    config.put(TopicSizes.SETTING, Long.toString(bytes));
    config.put("delete.retention.ms", Long.toString(LocalState.DELETIONS_KEPT.toMillis()));
    return new NewTopic(topic, partitions, replication).configs(config);
  }

  /** Whether any instance of a group runs. */
  public boolean hasMembers(String group) throws RefusedException {
    KafkaFuture<ConsumerGroupDescription> described =
        admin.describeConsumerGroups(List.of(group)).describedGroups().get(group);
    try {
      return !described.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS).members().isEmpty();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GroupIdNotFoundException) {
        return false;
      }
      throw refused("describe the group " + group, e.getCause());
    } catch (TimeoutException e) {
      throw refused("describe the group " + group, e);
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  /**
   * Deletes a group with its offsets, which the cluster allows only when it has no members: whoever
   * starts later finds no offsets, and stops.
   *
   * @throws RefusedException if members remain for longer than the time-out
   */
  public void retire(String group, Duration timeout) throws RefusedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      try {
        admin.deleteConsumerGroups(List.of(group)).all().get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        return;
      } catch (ExecutionException e) {
        if (e.getCause() instanceof GroupIdNotFoundException) {
          return;
        }
        if (!(e.getCause() instanceof GroupNotEmptyException)) {
          throw refused("delete the group " + group, e.getCause());
        }
      } catch (TimeoutException e) {
        throw refused("delete the group " + group, e);
      } catch (InterruptedException e) {
        throw interrupted();
      }
      if (System.nanoTime() > deadline) {
        throw new RefusedException(
            ExitCode.FAILED,
            "instances of '%s' still run after %d s; stop them and try again"
                .formatted(group, timeout.toSeconds()));
      }
      pause(RETRY);
    }
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
      pause(RETRY);
    }
  }

  private Map<TopicPartition, Long> ends(List<TopicPartition> partitions, IsolationLevel isolation)
      throws RefusedException {
    Map<TopicPartition, OffsetSpec> specs = new HashMap<>();
    partitions.forEach(p -> specs.put(p, OffsetSpec.latest()));
    Map<TopicPartition, Long> ends = new HashMap<>();
    call("find the topics' ends", admin.listOffsets(specs, new ListOffsetsOptions(isolation)).all())
        .forEach((p, info) -> ends.put(p, info.offset()));
    return ends;
  }

  /** Waits a moment between two looks at the cluster. */
  public static void pause(Duration length) {
    LockSupport.parkNanos(length.toNanos());
  }

  private List<NewTopic> owned(Pipeline pipeline, int partitions, short replication) {
    Map<String, String> common = safe(replication);
    // Written by this program, hence made for the largest record that it may write.
    Map<String, String> written = new HashMap<>(common);
    written.put(TopicSizes.SETTING, Long.toString(MessageLimit.ofTopic(pipeline)));
    List<NewTopic> topics = new ArrayList<>();
    for (ReleaseSpec release : pipeline.releases()) {
      topics.add(new NewTopic(release.topic(), partitions, replication).configs(written));
    }
    topics.add(new NewTopic(pipeline.refusalsTopic(), partitions, replication).configs(written));
    topics.add(new NewTopic(pipeline.deadLettersTopic(), partitions, replication).configs(written));
    if (!pipeline.queries().isEmpty()) {
      topics.add(new NewTopic(pipeline.candidatesTopic(), partitions, replication).configs(common));
    }
    // One partition: operators' commands have one order.
    topics.add(new NewTopic(pipeline.controlTopic(), 1, replication).configs(endless(common)));
    // Kafka Streams would create it too, but its start offsets must be committed before.
    for (String journal : Names.journalTopics(pipeline)) {
      topics.add(new NewTopic(journal, partitions, replication).configs(endless(written)));
    }
    return topics;
  }

  private static Map<String, String> endless(Map<String, String> config) {
    Map<String, String> endless = new HashMap<>(config);
    endless.put("retention.ms", "-1");
    endless.put("retention.bytes", "-1");
    return endless;
  }

  private static Map<String, String> safe(short replication) {
    return Map.of(
        // A foreign producer may stamp records ahead of the broker's clock; outputs carry such
        // stamps.
        "message.timestamp.after.max.ms",
        Long.toString(Long.MAX_VALUE),
        "min.insync.replicas",
        replication >= SAFE_REPLICATION ? "2" : "1",
        "unclean.leader.election.enable",
        "false");
  }

  private void create(Collection<NewTopic> topics) throws RefusedException {
    for (NewTopic topic : topics) {
      KafkaFuture<Void> created = admin.createTopics(List.of(topic)).all();
      try {
        created.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof TopicExistsException)) {
          throw refused("create topic " + topic.name(), e.getCause());
        }
      } catch (TimeoutException e) {
        throw refused("create topic " + topic.name(), e);
      } catch (InterruptedException e) {
        throw interrupted();
      }
    }
  }

  private void check(
      Pipeline pipeline, List<NewTopic> owned, List<String> changelogs, Safety safety)
      throws RefusedException {
    List<String> names = new ArrayList<>(owned.stream().map(NewTopic::name).toList());
    names.addAll(changelogs);
    Map<String, TopicDescription> descriptions = describe(names);
    for (NewTopic topic : owned) {
      int found = descriptions.get(topic.name()).partitions().size();
      boolean counted =
          topic.name().equals(pipeline.controlTopic())
              || Names.journalTopics(pipeline).contains(topic.name());
      if (counted && found != topic.numPartitions()) {
        throw new RefusedException(
            ExitCode.REFUSED_CLUSTER,
            "topic '%s' has %s, it needs %d; datasets would be split. Partitions of a running pipeline cannot change"
                .formatted(topic.name(), Amount.of(found, "partition"), topic.numPartitions()));
      }
    }
    List<String> findings = findings(names, descriptions);
    if (safety == Safety.REQUIRED && !findings.isEmpty()) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "the cluster could lose an acknowledged charge, and a lost charge is a second release:\n  "
              + String.join("\n  ", findings)
              + "\nmend these settings, or say --accept-risk");
    }
  }

  private List<String> findings(List<String> names, Map<String, TopicDescription> descriptions)
      throws RefusedException {
    Map<ConfigResource, Config> configs = settings(resources(names));
    List<String> findings = new ArrayList<>();
    for (String name : names) {
      Config config = configs.get(new ConfigResource(ConfigResource.Type.TOPIC, name));
      int replicas =
          descriptions.get(name).partitions().stream()
              .mapToInt(partition -> partition.replicas().size())
              .min()
              .orElse(0);
      if (replicas < SAFE_REPLICATION) {
        findings.add(name + " has " + Amount.of(replicas, "replica") + ", it needs 3");
      }
      if (Integer.parseInt(config.get("min.insync.replicas").value()) < 2) {
        findings.add(name + " has min.insync.replicas below 2");
      }
      if (Boolean.parseBoolean(config.get("unclean.leader.election.enable").value())) {
        findings.add(name + " allows unclean.leader.election");
      }
    }
    return findings;
  }

  /**
   * For how long every changelog of an application keeps a deletion, at least: local state that is
   * older never hears of it.
   *
   * @throws RefusedException if that is too short to restart in
   */
  public Duration deletionsKept(String applicationId) throws RefusedException {
    List<ConfigResource> changelogs =
        call("list topics", admin.listTopics().names()).stream()
            .filter(name -> Names.isChangelogOf(applicationId, name))
            .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
            .toList();
    Duration least = LocalState.DELETIONS_KEPT;
    for (Map.Entry<ConfigResource, Config> changelog : settings(changelogs).entrySet()) {
      Duration kept =
          Duration.ofMillis(
              Long.parseLong(changelog.getValue().get("delete.retention.ms").value()));
      if (kept.compareTo(LocalState.LEAST_DELETIONS_KEPT) < 0) {
        throw new RefusedException(
            ExitCode.REFUSED_CLUSTER,
            ("topic '%s' has delete.retention.ms=%d: an instance that restarts may never hear of what"
                    + " was deleted meanwhile, and bring it back. Set it to a day or more"
                    + " (kafka-configs --alter --topic %s --add-config delete.retention.ms=%d)")
                .formatted(
                    changelog.getKey().name(),
                    kept.toMillis(),
                    changelog.getKey().name(),
                    LocalState.DELETIONS_KEPT.toMillis()));
      }
      least = kept.compareTo(least) < 0 ? kept : least;
    }
    return least;
  }

  /** Who sets the Kafka timestamps of the records' topic, which is there. */
  public StampedBy stampedBy(Pipeline pipeline) throws RefusedException {
    ConfigResource resource =
        new ConfigResource(ConfigResource.Type.TOPIC, pipeline.input().topic());
    return StampedBy.of(pipeline, settings(List.of(resource)).get(resource));
  }

  List<TopicPartition> partitionsOf(List<String> topics) throws RefusedException {
    List<TopicPartition> partitions = new ArrayList<>();
    describe(topics)
        .forEach(
            (topic, description) ->
                description
                    .partitions()
                    .forEach(p -> partitions.add(new TopicPartition(topic, p.partition()))));
    return partitions;
  }

  private Map<String, TopicDescription> describe(List<String> topics) throws RefusedException {
    return callUntilKnown(
        "describe topics " + topics, () -> admin.describeTopics(topics).allTopicNames());
  }

  private Map<ConfigResource, Config> settings(List<ConfigResource> resources)
      throws RefusedException {
    return callUntilKnown(
        "read the topics' settings", () -> admin.describeConfigs(resources).all());
  }

  /** About topics that exist: a new one takes a moment to be known to every broker. */
  private <T> T callUntilKnown(String what, Supplier<KafkaFuture<T>> question)
      throws RefusedException {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    while (true) {
      try {
        return question.get().get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        boolean unknown = e.getCause() instanceof UnknownTopicOrPartitionException;
        if (!unknown || System.nanoTime() > deadline) {
          throw refused(what, e.getCause());
        }
        pause(RETRY);
      } catch (TimeoutException e) {
        throw refused(what, e);
      } catch (InterruptedException e) {
        throw interrupted();
      }
    }
  }

  <T> T call(String what, KafkaFuture<T> future) throws RefusedException {
    return call(what, servers, future);
  }

  /**
   * Waits for an answer of the cluster.
   *
   * @param what was asked, for the message
   * @param servers that were asked, for the message
   */
  public static <T> T call(String what, String servers, KafkaFuture<T> future)
      throws RefusedException {
    try {
      return future.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw refused(what, servers, e.getCause());
    } catch (TimeoutException e) {
      throw refused(what, servers, e);
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  private RefusedException refused(String what, Throwable cause) {
    return refused(what, servers, cause);
  }

  private static RefusedException refused(String what, String servers, Throwable cause) {
    return new RefusedException(
        ExitCode.REFUSED_CLUSTER,
        "cannot %s at %s: %s. Is the cluster up and --bootstrap-servers right?"
            .formatted(
                what,
                servers,
                isTimeout(cause)
                    ? "no answer within " + TIMEOUT.toSeconds() + " s"
                    : cause.getMessage() == null || cause.getMessage().isBlank()
                        ? cause.getClass().getSimpleName()
                        : cause.getMessage()));
  }

  /** Ours, or Kafka's own. */
  private static boolean isTimeout(Throwable cause) {
    return cause instanceof TimeoutException
        || cause instanceof org.apache.kafka.common.errors.TimeoutException;
  }

  private static RefusedException interrupted() {
    Thread.currentThread().interrupt();
    return new RefusedException(ExitCode.FAILED, "interrupted");
  }
}
