// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.devcluster.ForkedCluster;
import io.sfumato.release.Plan;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.coordinator.transaction.TransactionLog;
import org.apache.kafka.coordinator.transaction.TransactionState;
import org.apache.kafka.coordinator.transaction.TxnTransitMetadata;
import org.apache.kafka.server.common.TransactionVersion;

/**
 * Transactions that hang: the coordinator has ended them, and wrote no marker into their partition.
 * That end is written into the coordinator's log, and the broker is started again.
 */
public final class HungTransaction {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();

  private HungTransaction() {}

  /**
   * Leaves one in a topic's first partition.
   *
   * @param brokers one broker
   * @param topic of the pipeline
   */
  public static void make(ForkedCluster brokers, TestCluster cluster, Plan plan, String topic)
      throws Exception {
    KafkaSettings settings = TestCluster.settings(cluster.servers(), Map.of());
    try (KafkaProducer<byte[], byte[]> left = producer(plan, settings, "left")) {
      begin(left, topic);
      end(brokers, cluster, TransactionalIds.of(plan.pipeline().applicationId(), "left"));
    }
  }

  static KafkaProducer<byte[], byte[]> producer(Plan plan, KafkaSettings settings, String purpose) {
    Map<String, Object> config = settings.producer();
    config.put("transactional.id", TransactionalIds.of(plan.pipeline().applicationId(), purpose));
    config.put("transaction.timeout.ms", 600_000);
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  static void begin(KafkaProducer<byte[], byte[]> producer, String topic) throws Exception {
    producer.initTransactions();
    producer.beginTransaction();
    producer.send(new ProducerRecord<>(topic, 0, BASE, new byte[1], new byte[1])).get();
  }

  /** The coordinator has committed a transaction, as far as it knows; only its log says so. */
  static void end(ForkedCluster brokers, TestCluster cluster, String transactionalId)
      throws Exception {
    byte[] committed;
    int coordinator;
    try (Admin client = cluster.client()) {
      TransactionDescription now =
          client.describeTransactions(Set.of(transactionalId)).description(transactionalId).get();
      committed = committed(now);
      String topic = "__transaction_state";
      coordinator =
          Utils.abs(transactionalId.hashCode())
              % client
                  .describeTopics(List.of(topic))
                  .allTopicNames()
                  .get()
                  .get(topic)
                  .partitions()
                  .size();
    }
    Map<String, Object> config = TestCluster.settings(cluster.servers(), Map.of()).producer();
    config.put("client.id", "__admin_client"); // nobody else may write there
    try (KafkaProducer<byte[], byte[]> log =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      log.send(
              new ProducerRecord<>(
                  "__transaction_state",
                  coordinator,
                  TransactionLog.keyToBytes(transactionalId),
                  committed))
          .get();
    }
    brokers.kill(0);
    brokers.restart(0);
    brokers.awaitAll();
  }

  private static byte[] committed(TransactionDescription now) {
    long time = System.currentTimeMillis();
    return TransactionLog.valueToBytes(
        new TxnTransitMetadata(
            now.producerId(),
            -1,
            -1,
            (short) now.producerEpoch(),
            (short) -1,
            10_000,
            TransactionState.COMPLETE_COMMIT,
            new HashSet<>(),
            time,
            time,
            TransactionVersion.TV_2),
        TransactionVersion.TV_2);
  }
}
