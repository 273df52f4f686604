// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.drill;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kafka's own store writes what is read here. */
class LocalStoreTest {
  private static final TopicPartition CHANGELOG = new TopicPartition("changelog", 3);

  @TempDir Path folder;
  private Path log;

  @BeforeEach
  void makeLog() throws Exception {
    log = Files.createDirectory(folder.resolve("log"));
  }

  private KeyValueStore<Bytes, byte[]> open() {
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:1");
    config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    KeyValueStore<Bytes, byte[]> made = Stores.persistentKeyValueStore("store").get();
    made.init(
        new MockProcessorContext<>(config, new TaskId(1, 3), folder.resolve("state").toFile())
            .getStateStoreContext(),
        made);
    return made;
  }

  private Path onDisk() throws Exception {
    try (var files = Files.walk(folder.resolve("state"))) {
      return files
          .filter(file -> file.getFileName().toString().equals("CURRENT"))
          .findFirst()
          .orElseThrow()
          .getParent();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private List<String> names() throws Exception {
    try (var files = Files.list(onDisk())) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void shouldReadRowsAndOffsetOfAStoreThatWasClosed() throws Exception {
    KeyValueStore<Bytes, byte[]> store = open();
    store.put(Bytes.wrap(bytes("a")), bytes("1"));
    store.put(Bytes.wrap(bytes("b")), bytes("2"));
    store.commit(Map.of(CHANGELOG, 41L));
    store.close();
    List<String> before = names();
    try (LocalStore local = LocalStore.open(onDisk(), log)) {
      List<String> rows = new ArrayList<>();
      try (SortedRows all = local.rows()) {
        for (; all.isValid(); all.next()) {
          rows.add(new String(all.key(), StandardCharsets.UTF_8) + all.value()[0]);
        }
      }
      assertThat(rows).containsExactly("a" + (int) '1', "b" + (int) '2');
      assertThat(local.offset(CHANGELOG)).hasValue(41);
      assertThat(local.offset(new TopicPartition("changelog", 4))).isEmpty();
      assertThat(local.isOpen()).isFalse();
    }
    assertThat(names()).as("nothing is written").isEqualTo(before);
  }

  /** Its writer goes on, and neither is in the other's way. */
  @Test
  void shouldReadWhatARunningInstanceHasOnDisk() throws Exception {
    KeyValueStore<Bytes, byte[]> store = open();
    store.put(Bytes.wrap(bytes("a")), bytes("1"));
    store.commit(Map.of(CHANGELOG, 5L));
    store.close();
    KeyValueStore<Bytes, byte[]> running = open();
    running.put(Bytes.wrap(bytes("b")), bytes("2"));
    running.commit(Map.of(CHANGELOG, 9L));
    List<String> before = names();
    try (LocalStore local = LocalStore.open(onDisk(), log);
        SortedRows rows = local.rows()) {
      assertThat(local.offset(CHANGELOG)).as("what was flushed last").hasValue(5);
      assertThat(rows.key()).isEqualTo(bytes("a"));
      rows.next();
      assertThat(rows.isValid()).isFalse();
      running.put(Bytes.wrap(bytes("c")), bytes("3"));
    }
    assertThat(names()).isEqualTo(before);
    running.close();
    try (LocalStore local = LocalStore.open(onDisk(), log)) {
      assertThat(local.offset(CHANGELOG)).hasValue(9);
    }
  }
}
