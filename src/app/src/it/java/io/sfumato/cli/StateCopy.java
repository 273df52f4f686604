// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.runtime.TestCluster;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * A backup of topics: settings, records, and where each partition ends. Restored topics have other
 * ids; a journal, whose records are all processed, ends at the same offset as before.
 */
final class StateCopy {
  private static final List<String> SETTINGS =
      List.of("cleanup.policy", "retention.ms", "retention.bytes", "delete.retention.ms");

  private final TestCluster cluster;
  private final Map<String, List<ConsumerRecord<byte[], byte[]>>> records = new TreeMap<>();
  private final Map<String, Integer> partitions = new TreeMap<>();
  private final Map<String, Map<String, String>> settings = new TreeMap<>();
  private final Map<TopicPartition, Long> ends = new HashMap<>();

  private StateCopy(TestCluster cluster) {
    this.cluster = cluster;
  }

  /** Copies all topics of a budget's state. */
  static StateCopy ofState(TestCluster cluster, String budget) throws Exception {
    try (Admin admin = cluster.client()) {
      return of(
          cluster,
          admin.listTopics().names().get().stream()
              .filter(topic -> topic.startsWith("sfumato-" + budget + "-"))
              .filter(topic -> topic.endsWith("-changelog") || topic.endsWith("-repartition"))
              .toList());
    }
  }

  static StateCopy of(TestCluster cluster, List<String> topics) throws Exception {
    StateCopy copy = new StateCopy(cluster);
    try (Admin admin = cluster.client()) {
      Map<String, TopicDescription> found = admin.describeTopics(topics).allTopicNames().get();
      for (String topic : topics) {
        copy.partitions.put(topic, found.get(topic).partitions().size());
        copy.records.put(topic, cluster.committed(topic));
        Map<String, String> own = new HashMap<>();
        for (String name : SETTINGS) {
          own.put(name, cluster.setting(topic, name));
        }
        copy.settings.put(topic, own);
        for (int p = 0; p < copy.partitions.get(topic); p++) {
          TopicPartition partition = new TopicPartition(topic, p);
          copy.ends.put(
              partition,
              admin
                  .listOffsets(Map.of(partition, OffsetSpec.latest()))
                  .partitionResult(partition)
                  .get()
                  .offset());
        }
      }
    }
    return copy;
  }

  Set<String> topics() {
    return partitions.keySet();
  }

  /** Deletes the topics and creates them again, empty. */
  void replace() throws Exception {
    cluster.deleteTopics(topics());
    create();
  }

  private void create() throws Exception {
    try (Admin admin = cluster.client()) {
      TestCluster.create(
          admin,
          topics().stream()
              .map(
                  topic ->
                      new NewTopic(topic, partitions.get(topic), (short) 1)
                          .configs(settings.get(topic)))
              .toList());
    }
  }

  /** Writes the records back, each into its partition. */
  void fill(Set<String> filled) throws Exception {
    try (var producer = cluster.producer()) {
      for (String topic : filled) {
        for (ConsumerRecord<byte[], byte[]> r : records.get(topic)) {
          producer.send(
              new ProducerRecord<>(
                  topic, r.partition(), r.timestamp(), r.key(), r.value(), r.headers()));
        }
      }
    }
  }

  /** Lets each partition of a topic end where it did, with nothing in front of that. */
  void keepEnds(Set<String> kept) throws Exception {
    Map<TopicPartition, RecordsToDelete> deleted = new HashMap<>();
    try (var producer = cluster.producer();
        Admin admin = cluster.client()) {
      for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
        if (!kept.contains(end.getKey().topic()) || end.getValue() == 0) {
          continue;
        }
        for (long i = 0; i < end.getValue(); i++) {
          producer.send(
              new ProducerRecord<>(
                  end.getKey().topic(), end.getKey().partition(), null, new byte[] {0}));
        }
        deleted.put(end.getKey(), RecordsToDelete.beforeOffset(end.getValue()));
      }
      producer.flush();
      admin.deleteRecords(deleted).all().get();
    }
  }

  /** Restores everything on another cluster, which has none of the topics. */
  void restoreOn(TestCluster other) throws Exception {
    StateCopy there = new StateCopy(other);
    there.records.putAll(records);
    there.partitions.putAll(partitions);
    there.settings.putAll(settings);
    there.ends.putAll(ends);
    there.create();
    there.fillAllBut(Set.of());
  }

  /** Restores everything. */
  void restore() throws Exception {
    replace();
    fillAllBut(Set.of());
  }

  /** Restores records of all topics but some, into topics that are empty. */
  void fillAllBut(Set<String> left) throws Exception {
    Set<String> journals = journals();
    fill(
        topics().stream()
            .filter(topic -> !journals.contains(topic) && !left.contains(topic))
            .collect(Collectors.toSet()));
    keepEnds(journals.stream().filter(topic -> !left.contains(topic)).collect(Collectors.toSet()));
  }

  private Set<String> journals() {
    return topics().stream()
        .filter(topic -> topic.endsWith("-repartition"))
        .collect(Collectors.toSet());
  }
}
