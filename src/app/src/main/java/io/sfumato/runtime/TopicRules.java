// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.topology.context.LocalState;
import io.sfumato.topology.context.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;

/**
 * What the settings of a pipeline's own topics must be, and what comes of others: one list for
 * starts, for the watch of a running pipeline and for {@code doctor}.
 */
public final class TopicRules {
  private final Pipeline pipeline;
  private final List<String> registries;

  public TopicRules(Pipeline pipeline) {
    this.pipeline = pipeline;
    this.registries = OwnTopics.registries(pipeline);
  }

  /** What a setting does, from what stops a running pipeline to what is only said. */
  public enum Harm {
    /**
     * Brokers delete state or unread entries in silence: no start, and a running pipeline stops.
     */
    DELETES,
    /** Entries are deleted if the pipeline stands for long: no start; a running one warns. */
    EXPIRES,
    /** Local state may miss deletions: no start on local state; a running pipeline warns. */
    OUTDATES,
    /** A broker's failure loses an acknowledged charge: no start without the operator's consent. */
    COPIES,
    /** A log forgets what was said there: a start mends it if it may; a running pipeline warns. */
    FORGETS
  }

  /**
   * A setting that is not what it must be.
   *
   * @param topic that has it
   * @param what the setting and its consequence, in words
   * @param condition under which the command may be run; empty if there is none
   * @param settings that mend it
   */
  public record Lack(
      String topic, Harm harm, String what, String condition, Map<String, String> settings) {
    /** What to do, with a command to be pasted. */
    public String fix(TopicCommand command) {
      return condition + command.set(topic, settings);
    }

    /** For people: the topic, what it lacks, and the command that mends it. */
    String sentence(TopicCommand command) {
      return "topic '%s' has %s (%s)".formatted(topic, what, fix(command));
    }
  }

  /** The topics that the pipeline makes for itself, whether they are there or not. */
  List<String> topics() {
    List<String> topics = new ArrayList<>(Names.stateTopics(pipeline));
    topics.add(pipeline.controlTopic());
    topics.addAll(registries);
    return topics;
  }

  /** What a topic of the pipeline lacks; a setting that is not known says nothing. */
  public List<Lack> lacks(String topic, Config config) {
    List<Lack> lacks = new ArrayList<>(copies(topic, config));
    if (topic.endsWith("-changelog")) {
      policy(topic, config).ifPresent(lacks::add);
      deletions(topic, config).ifPresent(lacks::add);
    } else if (Names.journalTopics(pipeline).contains(topic)) {
      journal(topic, config, lacks);
    } else if (topic.equals(pipeline.controlTopic())) {
      endless(topic, config, Harm.FORGETS, "entries may be deleted before they are read", lacks);
    } else if (registries.contains(topic)) {
      endless(topic, config, Harm.FORGETS, "a seal would be lost", lacks);
    }
    return lacks;
  }

  /** Whether a broker's failure could lose an acknowledged charge; of any topic. */
  static List<Lack> copies(String topic, Config config) {
    List<Lack> lacks = new ArrayList<>();
    if (value(config, "min.insync.replicas").filter(n -> Long.parseLong(n) < 2).isPresent()) {
      lacks.add(
          new Lack(
              topic,
              Harm.COPIES,
              "min.insync.replicas below 2: an acknowledged charge may be on one disk only",
              "only after the topic has 3 replicas (with fewer, it could stop accepting "
                  + "records): ",
              Map.of("min.insync.replicas", "2")));
    }
    if (value(config, "unclean.leader.election.enable").filter("true"::equals).isPresent()) {
      lacks.add(
          new Lack(
              topic,
              Harm.COPIES,
              "unclean leader election may lose acknowledged charges",
              "",
              Map.of("unclean.leader.election.enable", "false")));
    }
    return lacks;
  }

  private static Optional<Lack> policy(String topic, Config config) {
    return value(config, "cleanup.policy")
        .filter(policy -> !policy.equals("compact"))
        .map(
            policy ->
                lack(
                    topic,
                    Harm.DELETES,
                    "cleanup.policy",
                    policy,
                    "ledger entries would be deleted, which gives back spent budget",
                    "compact"));
  }

  /** Whether a changelog keeps deletions for so short a time that a restart may miss them. */
  static Optional<Lack> deletions(String topic, Config config) {
    return value(config, "delete.retention.ms")
        .filter(kept -> Long.parseLong(kept) < LocalState.LEAST_DELETIONS_KEPT.toMillis())
        .map(
            kept ->
                lack(
                    topic,
                    Harm.OUTDATES,
                    "delete.retention.ms",
                    kept,
                    "a restarted instance may miss deletions",
                    Long.toString(LocalState.DELETIONS_KEPT.toMillis())));
  }

  /** Its entries have keys, of which compaction would keep one each. */
  private static void journal(String topic, Config config, List<Lack> lacks) {
    value(config, "cleanup.policy")
        .filter(policy -> !policy.equals("delete"))
        .map(
            policy ->
                lack(
                    topic,
                    Harm.DELETES,
                    "cleanup.policy",
                    policy,
                    "unread entries would be deleted",
                    "delete"))
        .ifPresent(lacks::add);
    endless(topic, config, Harm.EXPIRES, "entries may be deleted before they are read", lacks);
    value(config, "retention.bytes")
        .filter(bytes -> !bytes.equals("-1"))
        .map(
            bytes ->
                lack(
                    topic,
                    Harm.EXPIRES,
                    "retention.bytes",
                    bytes,
                    "entries may be deleted before they are read",
                    "-1"))
        .ifPresent(lacks::add);
  }

  private static void endless(
      String topic, Config config, Harm harm, String consequence, List<Lack> lacks) {
    value(config, "retention.ms")
        .filter(kept -> !kept.equals("-1"))
        .map(kept -> lack(topic, harm, "retention.ms", kept, consequence, "-1"))
        .ifPresent(lacks::add);
  }

  private static Lack lack(
      String topic, Harm harm, String setting, String found, String consequence, String mended) {
    return new Lack(
        topic, harm, setting + "=" + found + ": " + consequence, "", Map.of(setting, mended));
  }

  private static Optional<String> value(Config config, String setting) {
    return Optional.ofNullable(config.get(setting)).map(ConfigEntry::value);
  }
}
