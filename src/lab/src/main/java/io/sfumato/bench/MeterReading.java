// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import java.util.EnumMap;
import java.util.Map;

/**
 * Meters of one instance at a moment; of two moments, what lies between.
 *
 * @param seconds of a clock on the wall
 * @param own seconds of processors that its Java threads took: streams, producers, heartbeats
 * @param rest the same of everything else in this process: RocksDB's threads, the collector, and
 *     the broker, if it is there
 * @param records that it has sent, by kind of topic
 * @param bytes of them, in their batches
 * @param markers of transactions in its topics, one a transaction and partition that it wrote to
 */
record MeterReading(
    double seconds,
    double own,
    double rest,
    Map<Kind, Double> records,
    Map<Kind, Double> bytes,
    double markers) {

  /** Where records go. */
  enum Kind {
    JOURNAL,
    /** Changelogs of boundaries, cursors and positions. */
    META,
    /** All other changelogs. */
    STATE,
    OUTPUT;

    static Kind of(String topic) {
      if (topic.endsWith("-repartition")) {
        return JOURNAL;
      }
      if (topic.endsWith("-meta-store-changelog")) {
        return META;
      }
      return topic.endsWith("-changelog") ? STATE : OUTPUT;
    }
  }

  MeterReading since(MeterReading before) {
    return new MeterReading(
        seconds - before.seconds,
        own - before.own,
        rest - before.rest,
        less(records, before.records),
        less(bytes, before.bytes),
        markers - before.markers);
  }

  /** Records of all kinds. */
  double sent() {
    return records.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /** Totals by topic, by kind. */
  static Map<Kind, Double> byKind(Map<String, Double> totals) {
    Map<Kind, Double> kinds = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      kinds.put(kind, 0.0);
    }
    totals.forEach((topic, total) -> kinds.merge(Kind.of(topic), total, Double::sum));
    return kinds;
  }

  private static Map<Kind, Double> less(Map<Kind, Double> after, Map<Kind, Double> before) {
    Map<Kind, Double> difference = new EnumMap<>(Kind.class);
    after.forEach((kind, total) -> difference.put(kind, total - before.get(kind)));
    return difference;
  }
}
