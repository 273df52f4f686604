// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Plurals;
import io.sfumato.release.Plan;
import io.sfumato.runtime.StampedBy;
import io.sfumato.runtime.TimestampBounds;
import io.sfumato.runtime.TopicCommand;
import io.sfumato.runtime.TopicRules;
import io.sfumato.runtime.TopicSizes;
import io.sfumato.topology.context.Names;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.TopicDescription;

/**
 * The topics of one pipeline: what loses an acknowledged charge, deletes a ledger or splits data.
 */
final class TopicCheck {
  private final Pipeline pipeline;
  private final TopicSizes sizes;
  private final TopicRules rules;
  private final TimestampBounds bounds;
  private final Map<String, TopicDescription> topics;
  private final Map<String, Config> configs;
  private final Set<String> hidden;
  private final TopicCommand command;
  private final List<Finding> findings = new ArrayList<>();

  /**
   * What a topic lacks.
   *
   * @param settings that mend it, after what the fix says
   */
  private record Lack(String what, String fix, Map<String, String> settings) {
    /** With a command for each topic, to be pasted. */
    String fix(List<String> topics, TopicCommand command) {
      return fix
          + (settings.isEmpty() ? List.<String>of() : topics)
              .stream()
                  .map(topic -> command.set(topic, settings))
                  .collect(Collectors.joining("; "));
    }
  }

  private final Map<Lack, List<String>> lacking = new LinkedHashMap<>();

  /**
   * @param topics that can be seen
   * @param configs of those whose settings can be seen
   * @param hidden topics that may be there
   * @param command that mends
   */
  TopicCheck(
      Plan plan,
      Map<String, TopicDescription> topics,
      Map<String, Config> configs,
      Set<String> hidden,
      TopicCommand command) {
    this.command = command;
    this.hidden = hidden;
    this.pipeline = plan.pipeline();
    this.sizes = TopicSizes.of(plan);
    this.rules = new TopicRules(pipeline);
    this.bounds = TimestampBounds.of(pipeline, configs);
    this.topics = topics;
    this.configs = configs;
  }

  /** The topics that belong to the pipeline among those that exist. */
  static Set<String> of(Pipeline pipeline, Set<String> existing) {
    Set<String> mine = new TreeSet<>(owned(pipeline));
    mine.addAll(pipeline.input().topics().names());
    existing.stream()
        .filter(topic -> Names.isInternalTo(pipeline.applicationId(), topic))
        .forEach(mine::add);
    mine.retainAll(existing);
    return mine;
  }

  private static List<String> owned(Pipeline pipeline) {
    List<String> owned = new ArrayList<>(pipeline.writtenTopics());
    owned.add(pipeline.controlTopic());
    owned.addAll(TopicRole.registries(pipeline));
    if (!pipeline.queries().isEmpty()) {
      owned.add(pipeline.candidatesTopic());
    }
    return owned;
  }

  List<Finding> findings() {
    List<String> inputs = pipeline.input().topics().names();
    for (String input : inputs) {
      if (!topics.containsKey(input) && !hidden.contains(input)) {
        findings.add(
            Finding.problem(
                input,
                "the records' topic does not exist",
                "create it before the pipeline starts"));
      }
    }
    if (!findings.isEmpty()) {
      return findings;
    }
    inputs.stream().filter(topics::containsKey).forEach(this::records);
    for (String topic : topics.keySet()) {
      if (!inputs.contains(topic)) {
        replicas(topic);
        partitions(topic);
        if (configs.containsKey(topic)) {
          settings(topic);
          size(topic);
          timestamps(topic);
        }
      }
    }
    lacking.forEach(
        (lack, lacked) ->
            findings.add(
                Finding.problem(
                    String.join(", ", lacked), lack.what(), lack.fix(lacked, command))));
    if (lacking.isEmpty() && topics.size() > 1 && configs.keySet().containsAll(topics.keySet())) {
      findings.add(Finding.ok("topics", "3 replicas, 2 in sync, no unclean election"));
    }
    List<String> missing =
        owned(pipeline).stream()
            .filter(topic -> !topics.containsKey(topic) && !hidden.contains(topic))
            .toList();
    if (!missing.isEmpty()) {
      findings.add(Finding.ok("topics", "'run' will create " + missing));
    }
    return findings;
  }

  private void records(String topic) {
    findings.add(Finding.ok(topic, Plurals.of(topics.get(topic).partitions().size(), "partition")));
    if (!configs.containsKey(topic)) {
      return;
    }
    StampedBy stamped = StampedBy.of(pipeline, topic, configs.get(topic));
    stamped
        .reliance()
        .ifPresent(
            relied ->
                findings.add(
                    stamped.trust() == StampedBy.Trust.PRODUCERS
                        ? Finding.problem(topic, relied, stamped.fix(command))
                        : Finding.warning(topic, relied, stamped.fix(command))));
    if (value(topic, "cleanup.policy").contains("compact")) {
      findings.add(
          Finding.warning(
              topic,
              "is compacted: records that compaction removes before the pipeline reads them "
                  + "never count",
              "set cleanup.policy=delete on it"));
    }
  }

  /** What could lose an acknowledged charge, hence release twice: one finding for all topics. */
  private void replicas(String topic) {
    int replicas =
        topics.get(topic).partitions().stream().mapToInt(p -> p.replicas().size()).min().orElse(0);
    if (replicas < 3) {
      lacks(
          topic,
          Plurals.of(replicas, "replica"),
          "reassign their partitions to 3 replicas (kafka-reassign-partitions)",
          Map.of());
    }
  }

  /** What settings are not as they must be: what bears on copies is one finding for all topics. */
  private void settings(String topic) {
    for (TopicRules.Lack lack : rules.lacks(topic, configs.get(topic))) {
      if (lack.harm() == TopicRules.Harm.COPIES) {
        lacks(topic, lack.what(), lack.condition(), lack.settings());
      } else {
        findings.add(Finding.problem(topic, lack.what(), lack.fix(command)));
      }
    }
  }

  private void lacks(String topic, String what, String fix, Map<String, String> settings) {
    lacking.computeIfAbsent(new Lack(what, fix, settings), lack -> new ArrayList<>()).add(topic);
  }

  private boolean isChangelog(String topic) {
    return topic.endsWith("-changelog");
  }

  private boolean isJournal(String topic) {
    return Names.journalTopics(pipeline).contains(topic);
  }

  private boolean isControl(String topic) {
    return topic.equals(pipeline.controlTopic());
  }

  /** As many as the widest topic of records has; without a look at those, nobody knows. */
  private void partitions(String topic) {
    OptionalInt records =
        pipeline.input().topics().names().stream()
            .map(topics::get)
            .filter(Objects::nonNull)
            .mapToInt(found -> found.partitions().size())
            .max();
    boolean counted = isControl(topic) || records.isPresent();
    if (!counted || !(isChangelog(topic) || isJournal(topic) || isControl(topic))) {
      return;
    }
    int partitions = topics.get(topic).partitions().size();
    int needed = isControl(topic) ? 1 : records.getAsInt();
    if (partitions != needed) {
      findings.add(
          Finding.problem(
              topic,
              Plurals.of(partitions, "partition") + ", it needs " + needed,
              "the number of partitions of a running pipeline cannot change: carry the ledger "
                  + "over (sfumato ledger export OLD --for NEW, sfumato ledger import NEW)"));
    }
  }

  /** What a topic does not take stops the pipeline in front of it. */
  private void size(String topic) {
    sizes
        .lack(topic, configs.get(topic))
        .ifPresent(
            lack ->
                findings.add(
                    Finding.problem(
                        topic,
                        "%s=%d, but this file may write %d bytes to it: such a record would stop the pipeline"
                            .formatted(TopicSizes.SETTING, lack.found(), lack.needed()),
                        lack.fix(command))));
  }

  /** So does a timestamp that it does not take. */
  private void timestamps(String topic) {
    if (TimestampBounds.isWritten(pipeline, topic)) {
      bounds
          .lack(topic, configs.get(topic))
          .ifPresent(
              lack ->
                  findings.add(
                      Finding.problem(
                          topic,
                          lack.what()
                              + ": entries carry the Kafka timestamps of the records that were "
                              + "read; a timestamp outside this range would stop the pipeline",
                          lack.fix(command))));
    }
  }

  private String value(String topic, String setting) {
    return configs.get(topic).get(setting).value();
  }
}
