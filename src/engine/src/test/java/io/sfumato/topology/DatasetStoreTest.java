// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.property.ForAll;
import io.sfumato.property.IntRange;
import io.sfumato.property.Property;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.topology.dataset.Contents;
import io.sfumato.topology.dataset.ContentsCodec;
import io.sfumato.topology.dataset.Dataset;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.dataset.OpenDataset;
import io.sfumato.topology.dataset.SubjectFilter;
import io.sfumato.topology.store.StagedWrites;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

class DatasetStoreTest {
  private static final Contents.Layout LAYOUT =
      new Contents.Layout(Fixture.plan(Fixture.YAML).pipeline());
  private static final List<String> SUBJECTS =
      List.of("ann", "bob", "böb", "cy", "\uD83D\uDE00", "\uFF5E");
  private static final int WINDOWS = 12;

  /**
   * Whatever waits in memory, is read ahead or was written early: the store answers as a plain map
   * does, and after a commit the store below holds exactly that map.
   */
  @Property(tries = 500, seed = "7")
  void shouldAnswerAsAPlainMap(
      @ForAll Random random,
      @ForAll @IntRange(min = 1, max = 8) int leastOpen,
      @ForAll @IntRange(min = 1, max = 8) int readAhead) {
    KeyValueStore<Bytes, byte[]> below = MemoryStores.named("below");
    StagedWrites staged = new StagedWrites(below);
    // As partitions come and go; sometimes enough for what is known of forgotten datasets.
    AtomicLong room = new AtomicLong();
    DatasetStore store = new DatasetStore(staged, LAYOUT, room::get, leastOpen, readAhead);
    TreeMap<Bytes, OpenDataset> model = new TreeMap<>();
    long closed = 0;
    Optional<DatasetStore.Key> cursor = Optional.empty();
    for (int step = 0; step < 200; step++) {
      DatasetStore.Key key =
          new DatasetStore.Key(
              random.nextInt(WINDOWS), SUBJECTS.get(random.nextInt(SUBJECTS.size())));
      switch (random.nextInt(10)) {
        case 0, 1, 2 -> {
          if (key.windowStart() >= closed) {
            Observation record =
                new Observation(key.subject(), key.windowStart(), random.nextInt(3), List.of(), 0);
            store.add(record);
            model
                .computeIfAbsent(key.encode(), k -> new OpenDataset(key, LAYOUT.empty(), LAYOUT))
                .add(record);
          }
        }
        case 3 -> {
          closed = Math.max(closed, random.nextInt(WINDOWS + 1));
          List<Dataset> found = store.after(cursor, closed, 1 + random.nextInt(4));
          assertThat(found).isEqualTo(expected(model, cursor, closed, found.size()));
          if (!found.isEmpty() && random.nextBoolean()) {
            // As releases do: what is decided is deleted, and the cursor moves on; it stays where
            // datasets are deleted that answer queries no more.
            for (Dataset dataset : found) {
              store.delete(dataset.key());
              model.remove(dataset.key().encode());
            }
            cursor =
                random.nextInt(3) > 0 ? Optional.of(found.get(found.size() - 1).key()) : cursor;
          }
        }
        case 4 ->
            assertThat(store.after(cursor, closed, WINDOWS * SUBJECTS.size()))
                .isEqualTo(expected(model, cursor, closed, WINDOWS * SUBJECTS.size()));
        case 5 ->
            assertThat(store.get(key))
                .isEqualTo(
                    Optional.ofNullable(model.get(key.encode()))
                        .map(found -> new Dataset(found.key(), found.contents())));
        case 6 -> {
          store.forget(key.subject(), k -> k.windowStart() % 2 == 0);
          model
              .values()
              .removeIf(
                  d -> d.key().subject().equals(key.subject()) && d.key().windowStart() % 2 == 0);
        }
        case 7 -> commit(store, staged);
        case 8 -> room.set(random.nextInt(4) * (SubjectFilter.BYTES + random.nextInt(3_000)));
        default -> {
          commit(store, staged);
          // As after a restart: nothing is in memory.
          staged = new StagedWrites(below);
          store = new DatasetStore(staged, LAYOUT, room::get, leastOpen, readAhead);
        }
      }
    }
    commit(store, staged);
    TreeMap<Bytes, byte[]> stored = new TreeMap<>();
    try (var all = below.all()) {
      all.forEachRemaining(entry -> stored.put(entry.key, entry.value));
    }
    assertThat(stored.keySet()).isEqualTo(model.keySet());
    stored.forEach(
        (key, value) ->
            assertThat(value).isEqualTo(ContentsCodec.encode(model.get(key).contents())));
  }

  private static List<Dataset> expected(
      TreeMap<Bytes, OpenDataset> model, Optional<DatasetStore.Key> cursor, long limit, int most) {
    return model.entrySet().stream()
        .filter(e -> cursor.isEmpty() || e.getKey().compareTo(cursor.get().encode()) > 0)
        .filter(e -> e.getValue().key().windowStart() < limit)
        .limit(most)
        .map(e -> new Dataset(e.getValue().key(), e.getValue().contents()))
        .toList();
  }

  private static void commit(DatasetStore store, StagedWrites staged) {
    store.write();
    staged.flush();
  }
}
