// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.Plan;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.context.Names;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * One instance on another cluster that nothing happens to. Its outputs and its ledgers are what
 * those of a disturbed run must be.
 */
record Undisturbed(Instances instances) {
  /** Runs a plan over the records of a disturbed run, and compares every output and ledger. */
  void assertSameFromRecords(TestCluster disturbed, Plan plan) throws Exception {
    String source = plan.pipeline().input().topics().names().get(0);
    instances.cluster().createTopic(source, instances.partitions());
    copy(disturbed, source);
    assertSame(disturbed, plan);
  }

  /**
   * The same over the journal of a disturbed run: with commands at the places where they came, and
   * without any record.
   */
  void assertSameFromJournal(TestCluster disturbed, Plan plan) throws Exception {
    instances
        .cluster()
        .createTopic(plan.pipeline().input().topics().names().get(0), instances.partitions());
    TestCluster.prepare(instances.settings(), plan);
    copy(disturbed, Names.journalTopics(plan.pipeline()).get(0));
    assertSame(disturbed, plan);
  }

  private void assertSame(TestCluster disturbed, Plan plan) throws Exception {
    Map<String, List<String>> outputs = outputs(disturbed, plan);
    try (PipelineRun run = instances.start(plan, plan.pipeline().name() + "-undisturbed")) {
      outputs.forEach(
          (topic, lines) ->
              await()
                  .atMost(TestCluster.PATIENCE)
                  .until(
                      () ->
                          run.failure().isPresent()
                              || instances.cluster().count(topic) >= lines.size()));
      assertThat(run.failure()).isEmpty();
    }
    Map<String, List<String>> expected = outputs(instances.cluster(), plan);
    outputs.forEach((topic, lines) -> assertThat(lines).as(topic).isEqualTo(expected.get(topic)));
    assertThat(rows(disturbed, plan, LedgerImage.LEDGERS))
        .as("ledgers")
        .isEqualTo(rows(instances.cluster(), plan, LedgerImage.LEDGERS));
  }

  private void copy(TestCluster from, String topic) throws RefusedException {
    try (var producer = instances.cluster().producer()) {
      for (ConsumerRecord<byte[], byte[]> record : from.committed(topic)) {
        producer.send(
            new ProducerRecord<>(
                topic,
                record.partition(),
                record.timestamp(),
                record.key(),
                record.value(),
                record.headers()));
      }
    }
  }

  /** What is committed in every topic that a pipeline writes; values by their digests. */
  static Map<String, List<String>> outputs(TestCluster cluster, Plan plan) throws RefusedException {
    Map<String, List<String>> outputs = new TreeMap<>();
    for (String topic : plan.pipeline().writtenTopics()) {
      List<ConsumerRecord<byte[], byte[]>> records = cluster.committed(topic);
      boolean isCompacted = topic.equals(plan.pipeline().releasedTopic());
      outputs.put(
          topic,
          (isCompacted ? newest(records) : records)
              .stream().map(Undisturbed::line).sorted().toList());
    }
    return outputs;
  }

  /** Compaction, which comes when it will, leaves at least these. */
  private static Collection<ConsumerRecord<byte[], byte[]>> newest(
      List<ConsumerRecord<byte[], byte[]>> records) {
    Map<ByteBuffer, ConsumerRecord<byte[], byte[]>> byKey = new HashMap<>();
    records.forEach(record -> byKey.put(ByteBuffer.wrap(record.key()), record));
    return byKey.values();
  }

  private static String line(ConsumerRecord<byte[], byte[]> record) {
    return TestCluster.payload(record, value -> value.length + " " + digest(value));
  }

  private static String digest(byte[] value) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(value));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What a store holds, by partition and key. */
  static Map<String, String> rows(TestCluster cluster, Plan plan, String store)
      throws RefusedException {
    HexFormat hex = HexFormat.of();
    Map<String, String> rows = new TreeMap<>();
    for (ConsumerRecord<byte[], byte[]> record :
        cluster.committed(Names.changelogTopic(plan.pipeline().applicationId(), store))) {
      String key = record.partition() + " " + hex.formatHex(record.key());
      if (record.value() == null) {
        rows.remove(key);
      } else {
        rows.put(key, hex.formatHex(record.value()));
      }
    }
    return rows;
  }
}
