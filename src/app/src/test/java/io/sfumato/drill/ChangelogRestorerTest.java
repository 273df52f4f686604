// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.drill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.runtime.RefusedException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChangelogRestorerTest {
  private static final TopicPartition CHANGELOG = new TopicPartition("changelog", 0);

  @TempDir Path folder;

  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
  private final List<ConsumerRecord<byte[], byte[]>> log = new ArrayList<>();

  @BeforeEach
  void beginning() {
    consumer.updateBeginningOffsets(Map.of(CHANGELOG, 0L));
  }

  private static byte[] bytes(String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private void append(String key, String value) {
    log.add(new ConsumerRecord<>(CHANGELOG.topic(), 0, log.size(), bytes(key), bytes(value)));
  }

  private ChangelogRestorer.Restored restore(long cut, long compared, RestoredStore store)
      throws RefusedException {
    consumer.updateEndOffsets(Map.of(CHANGELOG, (long) log.size()));
    consumer.schedulePollTask(() -> log.forEach(consumer::addRecord));
    return new ChangelogRestorer(consumer)
        .restore(new ChangelogRestorer.Range(CHANGELOG, cut, compared), store, read -> {});
  }

  /** The model: a map that takes each entry of the cut in its order. */
  @Test
  void shouldRestoreWhatTheLastEntryOfEachKeySays() throws RefusedException {
    Random random = new Random(3);
    for (int i = 0; i < 5_000; i++) {
      append("k" + random.nextInt(700), random.nextInt(4) == 0 ? null : "v" + random.nextInt(99));
    }
    int cut = 4_000;
    int compared = 3_500;
    Map<String, String> expected = new TreeMap<>();
    Set<String> moved = new HashSet<>();
    for (ConsumerRecord<byte[], byte[]> entry : log) {
      String key = text(entry.key());
      if (entry.offset() >= compared) {
        moved.add(key);
      }
      if (entry.offset() >= cut) {
        continue;
      }
      if (entry.value() == null) {
        expected.remove(key);
      } else {
        expected.put(key, text(entry.value()));
      }
    }
    try (RestoredStore store = new RestoredStore(folder.resolve("store"))) {
      ChangelogRestorer.Restored restored = restore(cut, compared, store);
      Map<String, String> found = new TreeMap<>();
      try (SortedRows rows = store.rows()) {
        for (; rows.isValid(); rows.next()) {
          found.put(text(rows.key()), text(rows.value()));
        }
      }
      assertThat(found).isEqualTo(expected);
      assertThat(restored.entries()).isEqualTo(cut);
      assertThat(restored.movedAfterCut()).isEqualTo(log.size() - cut);
      for (int key = 0; key < 700; key++) {
        assertThat(store.isMoved(bytes("k" + key))).isEqualTo(moved.contains("k" + key));
      }
    }
  }

  @Test
  void shouldRefuseAChangelogWithoutItsBeginning() throws RefusedException {
    consumer.updateBeginningOffsets(Map.of(CHANGELOG, 1L));
    try (RestoredStore store = new RestoredStore(folder.resolve("store"))) {
      assertThatThrownBy(() -> restore(0, 0, store))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("begins at offset 1");
    }
  }

  @Test
  void shouldRefuseAnEntryThatKafkaStreamsCannotRestore() throws RefusedException {
    append(null, "v");
    try (RestoredStore store = new RestoredStore(folder.resolve("store"))) {
      assertThatThrownBy(() -> restore(1, 1, store))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("entry without a key at offset 0");
    }
  }
}
