// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.streams.processor.internals.DefaultKafkaClientSupplier;

/**
 * Clients of Kafka Streams, where {@linkplain FencedProducer producers are fenced} and {@linkplain
 * FreshConsumer consumers fresh}.
 */
class FencingClients extends DefaultKafkaClientSupplier {
  private static final String CONSUMER = "-consumer";
  private static final String PRODUCER = "-producer";

  /** The main consumer of each stream thread, by the thread's name. */
  private final Map<String, Consumer<byte[], byte[]>> members = new ConcurrentHashMap<>();

  private final Transactions transactions = new Transactions();

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    Consumer<byte[], byte[]> consumer = newMember(config);
    // A thread that replaces one, or is made anew, has its name.
    members.put(thread(config, CONSUMER), consumer);
    return consumer;
  }

  /** A main consumer. */
  Consumer<byte[], byte[]> newMember(Map<String, Object> config) {
    return new FreshConsumer(config);
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    return new FencedProducer(config, member(config), transactions);
  }

  /** What becomes of their transactions. */
  Transactions transactions() {
    return transactions;
  }

  /** The consumer of the thread that a producer belongs to; known by its first transaction. */
  Supplier<Consumer<byte[], byte[]>> member(Map<String, Object> producer) {
    String thread = thread(producer, PRODUCER);
    return () -> members.get(thread);
  }

  private static String thread(Map<String, Object> config, String suffix) {
    String client = (String) config.get(CommonClientConfigs.CLIENT_ID_CONFIG);
    if (!client.endsWith(suffix)) {
      throw new IllegalStateException("a client of no stream thread: " + client);
    }
    return client.substring(0, client.length() - suffix.length());
  }
}
