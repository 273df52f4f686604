// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.pipeline.MessageLimit;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.topology.context.LocalState;
import io.sfumato.topology.context.Names;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;

/** The topics that the program makes, with what each must be set to. */
public final class OwnTopics {
  /** Of a topic that keeps every record. */
  static final Map<String, String> KEEPING =
      Map.of("cleanup.policy", "delete", "retention.ms", "-1", "retention.bytes", "-1");

  private static final String REGISTRY = "-registry";

  private OwnTopics() {}

  /** Of a pipeline, but for its changelogs. */
  static List<NewTopic> of(Pipeline pipeline, int partitions, short replication) {
    Map<String, String> common = safe(replication);
    // Written by this program, hence made for the largest record that it may write.
    Map<String, String> written = new HashMap<>(common);
    written.put(TopicSizes.SETTING, Long.toString(MessageLimit.ofTopic(pipeline)));
    List<NewTopic> topics = new ArrayList<>();
    for (String topic : pipeline.writtenTopics()) {
      topics.add(
          topic.equals(pipeline.releasedTopic())
              // One partition: markers have one order, and the newest of each key is enough.
              ? new NewTopic(topic, 1, replication).configs(newest(written))
              : new NewTopic(topic, partitions, replication).configs(written));
    }
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

  private static Map<String, String> newest(Map<String, String> config) {
    Map<String, String> newest = new HashMap<>(config);
    newest.put("cleanup.policy", "compact");
    return newest;
  }

  private static Map<String, String> endless(Map<String, String> config) {
    Map<String, String> endless = new HashMap<>(config);
    endless.put("retention.ms", "-1");
    endless.put("retention.bytes", "-1");
    return endless;
  }

  private static Map<String, String> safe(short replication) {
    // What is written carries the stamps of what was read, however far from the broker's clock.
    Map<String, String> safe = new HashMap<>(TimestampBounds.SETTINGS);
    safe.put("min.insync.replicas", replication >= TopicSafety.REPLICAS ? "2" : "1");
    safe.put("unclean.leader.election.enable", "false");
    return safe;
  }

  /** A changelog as Kafka Streams makes it, for records of at most {@code bytes} bytes. */
  static NewTopic changelog(String topic, int partitions, short replication, long bytes) {
    Map<String, String> config = new HashMap<>(safe(replication));
    config.put("cleanup.policy", "compact");
    config.put(TopicSizes.SETTING, Long.toString(bytes));
    config.put("delete.retention.ms", Long.toString(LocalState.DELETIONS_KEPT.toMillis()));
    return new NewTopic(topic, partitions, replication).configs(config);
  }

  /** One partition that keeps every record for ever, in order. */
  static NewTopic log(String topic, short replication) {
    Map<String, String> config = new HashMap<>(safe(replication));
    config.putAll(KEEPING);
    return new NewTopic(topic, 1, replication).configs(config);
  }

  /** For foreign records, which brokers stamp. */
  static NewTopic records(String topic, int partitions, short replication) {
    return new NewTopic(topic, partitions, replication)
        .configs(Map.of("message.timestamp.type", "LogAppendTime"));
  }

  /** The topic of a budget's entries, which survives those of its state. */
  public static String registryOf(String budget) {
    return Pipeline.applicationIdOf(budget) + REGISTRY;
  }

  /** The topic of entries about a pipeline, whatever budget it runs on. */
  public static String registryOfPipeline(String pipeline) {
    return pipeline + REGISTRY;
  }

  /** The registries of a pipeline and its budget: the budget's first. */
  public static List<String> registries(Pipeline pipeline) {
    return List.of(registryOf(pipeline.budget().name()), registryOfPipeline(pipeline.name()));
  }

  /** The topics that a pipeline, or a command for it, writes; whether they are there or not. */
  public static Set<String> names(Pipeline pipeline) {
    Set<String> names = new LinkedHashSet<>(Names.stateTopics(pipeline));
    names.addAll(pipeline.writtenTopics());
    names.add(pipeline.controlTopic());
    names.addAll(registries(pipeline));
    return names;
  }

  /** Whether a topic with these settings keeps every record. */
  public static boolean keepsAll(Config config) {
    return KEEPING.entrySet().stream()
        .allMatch(setting -> setting.getValue().equals(config.get(setting.getKey()).value()));
  }

  /** What makes a topic keep every record. */
  public static String keepingCommand(String topic, TopicCommand command) {
    return command.set(topic, KEEPING);
  }
}
