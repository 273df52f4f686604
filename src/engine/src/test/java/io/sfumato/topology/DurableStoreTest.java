// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.topology.Tested.Outcome;
import io.sfumato.topology.store.DurableStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a disk; whoever opens a store again is another process for all it knows. */
class DurableStoreTest {
  private static final TopicPartition CHANGELOG = new TopicPartition("changelog", 0);

  @TempDir Path folder;

  private final Tested local = new Tested();
  private KeyValueStore<Bytes, byte[]> store;

  @BeforeEach
  void first() {
    store = open();
  }

  /** As Kafka Streams does with one that it may not open. */
  @AfterEach
  void last() {
    store.close();
  }

  private KeyValueStore<Bytes, byte[]> open() {
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:1");
    config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    KeyValueStore<Bytes, byte[]> made =
        new DurableStore.Supplier(Stores.persistentKeyValueStore("store"), local).get();
    store = made;
    made.init(
        new MockProcessorContext<>(config, new TaskId(1, 0), folder.toFile())
            .getStateStoreContext(),
        made);
    return made;
  }

  private void put(String key) {
    store.put(Bytes.wrap(bytes(key)), bytes("v"));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private boolean has(String key) {
    return store.get(Bytes.wrap(bytes(key))) != null;
  }

  /** The transaction in which writes were made ends, and another one begins. */
  private void end(boolean committed) {
    local.current.committed = committed;
    local.current = new Outcome();
  }

  private void closeAt(long offset) {
    store.commit(Map.of(CHANGELOG, offset));
    store.close();
  }

  @Test
  void shouldGoOnWithWhatWasCommitted() {
    put("a");
    end(true);
    put("b");
    end(true);
    closeAt(7);
    store = open();
    assertThat(has("a") && has("b")).isTrue();
    assertThat(store.committedOffset(CHANGELOG)).isEqualTo(7);
    assertThat(local.open).isEqualTo(1);
  }

  /** Even where the offsets were moved past the writes, as at a shutdown that cannot commit. */
  @Test
  void shouldNotGoOnWithWhatWasNotCommittedWhoeverSaysItWasClosed() {
    put("a");
    end(true);
    closeAt(7);
    store = open();
    put("b");
    end(false);
    closeAt(9);
    assertThatThrownBy(this::open).isInstanceOf(TaskCorruptedException.class);
  }

  @Test
  void shouldNotGoOnWithAnAbortedWriteThatACommittedOneFollowed() {
    put("a");
    end(false);
    put("b");
    end(true);
    closeAt(9);
    assertThatThrownBy(this::open).isInstanceOf(TaskCorruptedException.class);
  }

  /** What the commit of nobody is waited for is not committed yet. */
  @Test
  void shouldNotGoOnWithAWriteInAnOpenTransaction() {
    put("a");
    closeAt(9);
    assertThatThrownBy(this::open).isInstanceOf(TaskCorruptedException.class);
  }

  @Test
  void shouldNotGoOnWithWhatWasClosedTooLongAgo() {
    put("a");
    end(true);
    closeAt(7);
    local.now += local.oldest;
    store = open();
    store.close();
    local.now += 1;
    assertThatThrownBy(this::open)
        .as("closing it again has not made it younger")
        .isInstanceOf(TaskCorruptedException.class);
  }

  /** A store of Kafka Streams keeps no time. */
  @Test
  void shouldNotGoOnWithWhatHasNoDateUnlessThereIsNothing() {
    store.close();
    reopenPlain();
    store.close();
    store = open();
    assertThat(store.isOpen()).isTrue();
    store.close();
    reopenPlain();
    store.commit(Map.of());
    put("a");
    closeAt(7);
    assertThatThrownBy(this::open).isInstanceOf(TaskCorruptedException.class);
  }

  private void reopenPlain() {
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:1");
    config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    store = Stores.persistentKeyValueStore("store").get();
    store.init(
        new MockProcessorContext<>(config, new TaskId(1, 0), folder.toFile())
            .getStateStoreContext(),
        store);
  }
}
