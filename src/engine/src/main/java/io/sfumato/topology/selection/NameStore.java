// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.selection;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.topology.store.Scan;
import io.sfumato.topology.store.StagedWrites;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;

/**
 * Names of subjects: a row each, an index of those that are public, and how far each subject's list
 * is. It grows with what users may contribute, and nothing that one of them does makes another's
 * name go. Keys begin with the kind of row, then the subject.
 */
public final class NameStore {
  private static final int LIST = 'h';
  private static final int PUBLIC = 'l';
  private static final int NAME = 'n';
  private static final byte FORMAT = 1;

  /** Names whose counts wait, so that many records of one are one change of its row. */
  private static final int MOST_WAITING = 50_000;

  private final StagedWrites store;

  /** What was added and is not in the rows yet. */
  private final Map<Added, Long> added = new HashMap<>();

  public NameStore(StagedWrites store) {
    this.store = store;
  }

  private record Added(String subject, String name, long windowStart) {}

  /** A name with its row. */
  record Found(String name, NameRow row) {}

  /** Adds a record. */
  public void add(String subject, String name, long windowStart) {
    added.merge(new Added(subject, name, windowStart), 1L, Math::addExact);
    if (added.size() >= MOST_WAITING) {
      write();
    }
  }

  /** Hands what was added to the rows. */
  public void write() {
    added.forEach(
        (to, records) ->
            put(
                to.subject(),
                to.name(),
                get(to.subject(), to.name()).plus(to.windowStart(), records)));
    added.clear();
  }

  /** What is kept of a name. */
  NameRow get(String subject, String name) {
    byte[] bytes = store.get(key(NAME, subject, name));
    return bytes == null ? NameRow.EMPTY : NameRow.decode(bytes);
  }

  /** Keeps a name's row, or deletes it where nothing is left. */
  void put(String subject, String name, NameRow row) {
    Bytes key = key(NAME, subject, name);
    if (row.isEmpty()) {
      store.delete(key);
    } else {
      store.put(key, row.encode());
    }
  }

  /** The next names of a subject after one, in the order of their bytes. */
  List<Found> after(String subject, String name, int most) {
    write();
    List<Found> found = new ArrayList<>();
    int prefix = key(NAME, subject, "").get().length;
    try (KeyValueIterator<Bytes, byte[]> range = range(NAME, subject, name)) {
      while (range.hasNext() && found.size() < most) {
        var next = range.next();
        found.add(new Found(name(next.key, prefix), NameRow.decode(next.value)));
      }
    }
    return found;
  }

  /** All names that are public, or were just found, in the order of their bytes. */
  List<String> listed(String subject) {
    List<String> names = new ArrayList<>();
    int prefix = key(PUBLIC, subject, "").get().length;
    try (KeyValueIterator<Bytes, byte[]> range = range(PUBLIC, subject, "")) {
      range.forEachRemaining(entry -> names.add(name(entry.key, prefix)));
    }
    return names;
  }

  /** Enters a name in the index of those that are public. */
  void list(String subject, String name) {
    store.put(key(PUBLIC, subject, name), new byte[] {FORMAT});
  }

  /** Takes a name out of it. */
  void unlist(String subject, String name) {
    store.delete(key(PUBLIC, subject, name));
  }

  /** How far a subject's list is. */
  ListState state(String subject) {
    byte[] bytes = store.get(key(LIST, subject, ""));
    return bytes == null ? ListState.NEW : ListState.decode(bytes);
  }

  void put(String subject, ListState state) {
    store.put(key(LIST, subject, ""), state.encode());
  }

  /** Forgets that a subject has a list. */
  void deleteState(String subject) {
    Bytes key = key(LIST, subject, "");
    // Most have none: they cost no write.
    if (store.get(key) != null) {
      store.delete(key);
    }
  }

  /** Hands everything to the store below. */
  public void flush() {
    write();
    store.flush();
  }

  private KeyValueIterator<Bytes, byte[]> range(int kind, String subject, String after) {
    // The row of the list has no name, and a kind of its own.
    return store.range(
        Scan.after(key(kind, subject, after)),
        // Behind all names: no byte of UTF-8 is so large.
        Bytes.wrap(new ByteWriter().fixed8(kind).text(subject).fixed8(0xff).toBytes()));
  }

  private static Bytes key(int kind, String subject, String name) {
    return Bytes.wrap(
        new ByteWriter()
            .fixed8(kind)
            .text(subject)
            .raw(name.getBytes(StandardCharsets.UTF_8))
            .toBytes());
  }

  private static String name(Bytes key, int prefix) {
    ByteReader in = new ByteReader(key.get());
    in.raw(prefix);
    return in.restAsText();
  }
}
