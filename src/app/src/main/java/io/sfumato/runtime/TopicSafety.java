// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Plurals;
import io.sfumato.release.Plan;
import io.sfumato.topology.context.LocalState;
import io.sfumato.topology.context.Names;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;

/** Whether topics can keep what is charged: replicas, partitions, sizes, deletions. */
public final class TopicSafety {
  /** What a ledger needs. */
  static final int REPLICAS = 3;

  private final Cluster cluster;
  private final ClusterCalls calls;

  TopicSafety(Cluster cluster, ClusterCalls calls) {
    this.cluster = cluster;
    this.calls = calls;
  }

  /**
   * @param owned all topics of the pipeline that {@link OwnTopics} names
   * @param changelogs those that are there
   */
  void check(
      Pipeline pipeline, List<NewTopic> owned, List<String> changelogs, Cluster.Safety safety)
      throws RefusedException {
    List<String> names = new ArrayList<>(owned.stream().map(NewTopic::name).toList());
    names.addAll(changelogs);
    Map<String, TopicDescription> descriptions = calls.describe(names);
    for (NewTopic topic : owned) {
      int found = descriptions.get(topic.name()).partitions().size();
      boolean counted =
          topic.name().equals(pipeline.controlTopic())
              || Names.journalTopics(pipeline).contains(topic.name());
      if (counted && found != topic.numPartitions()) {
        throw new RefusedException(
            ExitCode.REFUSED_CLUSTER,
            "topic '%s' has %s, it needs %d; datasets would be split. Partitions of a running pipeline cannot change"
                .formatted(topic.name(), Plurals.of(found, "partition"), topic.numPartitions()));
      }
    }
    Map<String, Config> configs = calls.settings(names);
    requireKept(new TopicRules(pipeline), configs);
    List<String> findings = findings(names, descriptions, configs);
    if (safety == Cluster.Safety.REQUIRED && !findings.isEmpty()) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "the cluster could lose an acknowledged charge, and a lost charge is a second release:\n"
              + "  "
              + String.join("\n  ", findings)
              + "\nfix these settings, or accept the risk with --accept-risk");
    }
  }

  /**
   * Why a ledger of this pipeline could lose an acknowledged charge here, as far as the topics tell
   * that are there.
   *
   * @return nothing if it could not
   */
  public List<String> risks(Pipeline pipeline) throws RefusedException {
    int brokers = cluster.brokers();
    if (brokers < REPLICAS) {
      return List.of("the cluster has %s".formatted(Plurals.of(brokers, "broker")));
    }
    List<String> changelogs = changelogs(pipeline.applicationId(), calls.topics());
    return findings(changelogs, calls.describe(changelogs), calls.settings(changelogs));
  }

  /** Those of an application among topics. */
  static List<String> changelogs(String applicationId, Collection<String> topics) {
    return topics.stream().filter(name -> Names.isChangelogOf(applicationId, name)).toList();
  }

  /** No operator may accept that state or unread entries are deleted. */
  private void requireKept(TopicRules rules, Map<String, Config> configs) throws RefusedException {
    List<String> lost = new ArrayList<>();
    configs.forEach(
        (topic, config) ->
            rules.lacks(topic, config).stream()
                .filter(
                    lack ->
                        lack.harm() == TopicRules.Harm.DELETES
                            || lack.harm() == TopicRules.Harm.EXPIRES)
                .forEach(lack -> lost.add(lack.sentence(cluster.command()))));
    if (!lost.isEmpty()) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "settings of the pipeline's topics would delete its state or unread entries:\n  "
              + String.join("\n  ", lost)
              + "\nrun these commands first");
    }
  }

  private static List<String> findings(
      List<String> names, Map<String, TopicDescription> descriptions, Map<String, Config> configs) {
    List<String> findings = new ArrayList<>();
    for (String name : names) {
      int replicas =
          descriptions.get(name).partitions().stream()
              .mapToInt(partition -> partition.replicas().size())
              .min()
              .orElse(0);
      if (replicas < REPLICAS) {
        findings.add(name + " has " + Plurals.of(replicas, "replica") + ", it needs 3");
      }
      TopicRules.copies(name, configs.get(name))
          .forEach(lack -> findings.add(name + " has " + lack.what()));
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
    List<String> changelogs = changelogs(applicationId, calls.topics());
    Duration least = LocalState.DELETIONS_KEPT;
    for (Map.Entry<String, Config> changelog : calls.settings(changelogs).entrySet()) {
      Duration kept =
          Duration.ofMillis(
              Long.parseLong(changelog.getValue().get("delete.retention.ms").value()));
      Optional<TopicRules.Lack> lack =
          TopicRules.deletions(changelog.getKey(), changelog.getValue());
      if (lack.isPresent()) {
        throw new RefusedException(
            ExitCode.REFUSED_CLUSTER, lack.get().sentence(cluster.command()));
      }
      least = kept.compareTo(least) < 0 ? kept : least;
    }
    return least;
  }

  /** A topic that refused a record would stop the pipeline in front of it, every time again. */
  void requireRoom(Plan plan) throws RefusedException {
    TopicSizes sizes = TopicSizes.of(plan);
    List<String> written =
        calls.topics().stream().filter(topic -> sizes.needed(topic).isPresent()).sorted().toList();
    Map<String, Config> configs = calls.settings(written);
    List<String> lacking = new ArrayList<>();
    for (String topic : written) {
      sizes
          .lack(topic, configs.get(topic))
          .ifPresent(lack -> lacking.add(lack.sentence(cluster.command())));
    }
    if (!lacking.isEmpty()) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "topics accept smaller records than this file may write, and a rejected record would "
              + "stop the pipeline:\n  "
              + String.join("\n  ", lacking));
    }
  }

  /** Sets a topic of the pipeline's own right; false without the right to. */
  private boolean widened(String topic) {
    try {
      calls.set(topic, TimestampBounds.SETTINGS);
      return true;
    } catch (RefusedException e) {
      // An administrator has to.
      return false;
    }
  }

  /**
   * What is written carries the timestamps of what was read: a topic that takes fewer of them than
   * the topics that are read would stop the pipeline in front of one record.
   *
   * @param safety waived where the operator takes the risk
   * @return what is risked, with the commands that mend it
   */
  public Optional<String> requireTimestamps(Pipeline pipeline, Cluster.Safety safety)
      throws RefusedException {
    Set<String> existing = calls.topics();
    List<String> topics =
        existing.stream()
            .filter(
                topic ->
                    TimestampBounds.read(pipeline).contains(topic)
                        || TimestampBounds.isWritten(pipeline, topic))
            .sorted()
            .toList();
    Map<String, Config> configs = calls.settings(topics);
    TimestampBounds bounds = TimestampBounds.of(pipeline, configs);
    List<String> lacking = new ArrayList<>();
    for (String topic : topics) {
      Optional<TimestampBounds.Lack> lack =
          TimestampBounds.isWritten(pipeline, topic)
              ? bounds.lack(topic, configs.get(topic))
              : Optional.empty();
      if (lack.isPresent()
          && !(Names.isInternalTo(pipeline.applicationId(), topic) && widened(topic))) {
        lacking.add(lack.get().sentence(cluster.command()));
      }
    }
    if (lacking.isEmpty()) {
      return Optional.empty();
    }
    String risk =
        "topics accept fewer Kafka timestamps than the records' topic, and one rejected "
            + "timestamp would stop the pipeline:\n  "
            + String.join("\n  ", lacking);
    if (safety == Cluster.Safety.REQUIRED) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          risk + "\nrun these commands, or accept the risk with " + "--accept-risk");
    }
    return Optional.of("warning: " + risk);
  }
}
