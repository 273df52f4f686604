// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/** Ledgers of one partition's store. */
final class LedgerLines {
  private LedgerLines() {}

  static List<LedgerImage.Line> of(KeyValueStore<Bytes, byte[]> ledgers) {
    List<LedgerImage.Line> lines = new ArrayList<>();
    try (var all = ledgers.all()) {
      all.forEachRemaining(e -> lines.add(LedgerImage.Line.of(e.key.get(), e.value)));
    }
    return lines;
  }

  static void put(KeyValueStore<Bytes, byte[]> ledgers, LedgerImage.Line line) {
    LedgerImage.Change change = line.change(1);
    ledgers.put(Bytes.wrap(change.key()), change.value());
  }

  /** "share/subject@window" of each, where each window has its ledgers. */
  static List<String> shown(KeyValueStore<Bytes, byte[]> ledgers, long base, long period) {
    return of(ledgers).stream()
        .map(l -> l.share() + "/" + l.subject() + "@" + (l.period() * period - base) / 10_000)
        .toList();
  }
}
