// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.client.SettledReader;
import io.sfumato.gate.MacKey;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.runtime.ClientErrors;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.ForeignBytes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A topic of one partition that keeps every entry in order, each signed by whoever wrote it: who
 * may write to the topic can add entries, and neither forge one nor take one back.
 */
final class SignedLog {
  /** Instances of one pipeline may all start at once. */
  private static final int ATTEMPTS = 12;

  /** Doubles with every attempt; how much of it is waited is drawn. */
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(100);

  /** A writer that was killed holds nobody up for longer, but for the broker's next look, 10 s. */
  private static final Duration TRANSACTION = Duration.ofSeconds(15);

  /** For others' transactions to end: longer than one of ours is open. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Duration SHORT_PATIENCE = Duration.ofSeconds(5);

  /** Header with the signature of an entry, 32 bytes. */
  static final String SIGNATURE = "sfumato-signature";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final KafkaSettings settings;
  private final String topic;
  private final String transactionalId;
  private final Optional<MacKey> key;

  /**
   * @param transactionalId of its writers: the later one fences the earlier
   * @param key of the owner; without one every entry is somebody else's
   */
  SignedLog(KafkaSettings settings, String topic, String transactionalId, Optional<MacKey> key) {
    this.settings = settings;
    this.topic = topic;
    this.transactionalId = transactionalId;
    this.key = key;
  }

  /**
   * An entry.
   *
   * @param at when it was written, by its writer's clock, milliseconds since 1970
   * @param isMine whether the owner's key signed it
   */
  record Entry(String key, JsonNode value, long at, boolean isMine) {}

  /** What is to be written. */
  record Draft(String key, ObjectNode value) {}

  /** What to write, if anything, given what is there: nobody writes in between. */
  interface Step {
    List<Draft> run() throws RefusedException;
  }

  /**
   * Creates the topic unless it is there, and sees to it that it forgets nothing: entries have few
   * names, so that compaction would leave one of each, whoever wrote it.
   *
   * @throws RefusedException if it does forget, and we may not change that
   */
  void create(Cluster cluster) throws RefusedException {
    cluster.topics().createLog(topic);
    cluster.topics().requireLog(topic);
  }

  /**
   * All entries in the order of the log; what is no entry is left out. A transaction of our own
   * that has written nothing yet is open nowhere, so that a {@link Step} reads all, too.
   *
   * @throws RefusedException if others' transactions hide some, or the first ones were deleted
   */
  List<Entry> read() throws RefusedException {
    List<Entry> entries = new ArrayList<>();
    new SettledReader(settings, PATIENCE)
        .readWhole(topic, record -> entry(record).ifPresent(entries::add));
    return entries;
  }

  /**
   * The same, though the first ones may have been deleted; waits for others' transactions a few
   * seconds alone.
   */
  List<Entry> readWhatIsThere() throws RefusedException {
    List<Entry> entries = new ArrayList<>();
    new SettledReader(settings, SHORT_PATIENCE)
        .read(topic, record -> entry(record).ifPresent(entries::add));
    return entries;
  }

  private boolean isMine(ConsumerRecord<byte[], byte[]> record) {
    Header signature = record.headers().lastHeader(SIGNATURE);
    return signature != null
        && signature.value() != null
        && key.isPresent()
        && key.get().verifies(facts(record.key(), record.value()), signature.value());
  }

  /** What is signed of an entry; what is said in one topic says nothing in another. */
  private CanonicalEncoder facts(byte[] name, byte[] value) {
    return new CanonicalEncoder().text(topic).bytes(name).bytes(value);
  }

  /** Nothing if it is none: then it says nothing. */
  Optional<Entry> entry(ConsumerRecord<byte[], byte[]> record) {
    if (record.key() == null || record.value() == null) {
      return Optional.empty();
    }
    return ForeignBytes.ifReadable(() -> JSON.readTree(record.value()))
        .filter(JsonNode::isObject)
        .map(
            value ->
                new Entry(
                    new String(record.key(), StandardCharsets.UTF_8),
                    value,
                    record.timestamp(),
                    isMine(record)));
  }

  /**
   * Reads and writes with nobody in between: whoever comes later fences those before.
   *
   * @throws RefusedException of the step, or if the cluster does not take it
   */
  void appendExclusively(Step step) throws RefusedException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (attempt(step)) {
        return;
      }
      // Those who fenced each other out would do so again, if they came back together.
      long longest = SHORTEST_WAIT.toMillis() << Math.min(attempt, 5);
      Cluster.pause(Duration.ofMillis(ThreadLocalRandom.current().nextLong(longest)));
    }
    throw new RefusedException(
        ExitCode.FAILED, "other instances write to " + topic + " all the time; start again");
  }

  /** False if somebody came in between. */
  private boolean attempt(Step step) throws RefusedException {
    Map<String, Object> config = settings.producer();
    config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
    config.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, (int) TRANSACTION.toMillis());
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      try {
        step.run().forEach(draft -> producer.send(signed(draft)));
      } catch (RefusedException e) {
        producer.abortTransaction();
        throw e;
      }
      producer.commitTransaction();
      return true;
    } catch (KafkaException e) {
      if (isOvertaken(e)) {
        return false;
      }
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "cannot write to %s at %s: %s"
              .formatted(topic, settings.bootstrapServers(), ClientErrors.words(e, settings)));
    }
  }

  /**
   * Whether somebody else's start has fenced this writer. A producer that has learnt it in the
   * background throws it as the cause of another failure; and whoever finds his transaction ended
   * by the other's start hears that there is none. Brokers that are asked to end a transaction at
   * the very moment in which they fence its writer answer with an error that they did not expect,
   * which has neither kind nor cause. Whoever tries again reads first what is written.
   */
  static boolean isOvertaken(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof ProducerFencedException
          || cause instanceof InvalidProducerEpochException
          || cause instanceof InvalidTxnStateException
          || ClientErrors.isUnnamed(cause)) {
        return true;
      }
    }
    return false;
  }

  ProducerRecord<byte[], byte[]> signed(Draft draft) {
    MacKey signer = key.orElseThrow(() -> new IllegalStateException("nobody writes without a key"));
    try {
      byte[] name = draft.key().getBytes(StandardCharsets.UTF_8);
      byte[] value = JSON.writeValueAsBytes(draft.value());
      ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, 0, name, value);
      record.headers().add(SIGNATURE, signer.sign(facts(name, value)));
      return record;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("writing JSON to memory failed", e);
    }
  }
}
