// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.text.ControlCharEscaper;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.StateReader;
import io.sfumato.topology.context.PartitionCount;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * That a budget has begun, and with which state. The budget's registry remembers it from before the
 * first charge: tools that reset an application delete topics, Kafka Streams creates them again
 * under the same names, and what was charged is gone.
 *
 * @param format of the state, as the newest program that worked on it writes it; 0 if none did
 * @param topics ids that the cluster gave to journals and changelogs, by topic
 * @param records ids of the records' topics on clusters that the state was restored on, each with
 *     the id that the state knows
 * @param epochs of partitions of the state, hexadecimal, by {@linkplain PartitionCount.Place place}
 */
public record Begun(
    int format,
    Map<String, String> topics,
    Map<String, String> records,
    Map<String, String> epochs) {
  /**
   * The format of what this program writes into state and journal. A change that an older program
   * would misread or overlook raises it: 2 counts charges in the meta store.
   */
  static final int FORMAT = 2;

  /** Of a budget that has not begun. */
  public static final Begun NOT = new Begun(0, Map.of());

  public Begun {
    topics = Map.copyOf(topics);
    records = Map.copyOf(records);
    epochs = Map.copyOf(epochs);
  }

  /** A state whose epochs are not known, on the cluster where it began. */
  public Begun(int format, Map<String, String> topics) {
    this(format, topics, Map.of(), Map.of());
  }

  /** A state that this program works on. */
  static Begun with(Map<String, String> topics) {
    return new Begun(FORMAT, topics);
  }

  /** The same with the epochs of partitions that have begun. */
  Begun with(Collection<PartitionCount> counts) {
    Map<String, String> all = new TreeMap<>(epochs);
    counts.forEach(
        count ->
            count.epoch().ifPresent(epoch -> all.put(count.place().toString(), epoch.toString())));
    return new Begun(format, topics, records, all);
  }

  /** What a state says of itself: epochs of partitions of the keeper that has the ledgers. */
  static Begun of(StateReader state) {
    Map<String, String> epochs = new TreeMap<>();
    state.epochs().forEach((partition, epoch) -> epochs.put(place(partition), epoch));
    return new Begun(FORMAT, Map.of(), Map.of(), epochs);
  }

  private static String place(int partition) {
    return new PartitionCount.Place(LedgerImage.META, partition).toString();
  }

  /**
   * The same on a cluster whose records' topics have other ids than the state knows.
   *
   * @param known by the ids that they have now
   */
  Begun withRecords(Map<String, String> known) {
    Map<String, String> others = new TreeMap<>(known);
    others.entrySet().removeIf(id -> id.getKey().equals(id.getValue()));
    return others.isEmpty() ? this : new Begun(format, topics, others, epochs);
  }

  /** The id of a records' topic that the state knows a topic of this id by. */
  String recordsId(String present) {
    return records.getOrDefault(present, present);
  }

  /** What both say: the later one's ids, and the newer format. */
  Begun and(Begun later) {
    return new Begun(
        Math.max(format, later.format),
        both(topics, later.topics),
        both(records, later.records),
        both(epochs, later.epochs));
  }

  private static Map<String, String> both(Map<String, String> first, Map<String, String> later) {
    Map<String, String> all = new TreeMap<>(first);
    all.putAll(later);
    return all;
  }

  /** Whether this says everything that the other one does, whatever the ids. */
  boolean covers(Begun other) {
    return format >= other.format
        && topics.keySet().containsAll(other.topics.keySet())
        && epochs.keySet().containsAll(other.epochs.keySet());
  }

  /** Of these topics those that are known under another id than now, or are missing now. */
  List<String> lost(Collection<String> names, Map<String, String> now) {
    return names.stream()
        .filter(topics::containsKey)
        .filter(topic -> !topics.get(topic).equals(now.get(topic)))
        .sorted()
        .toList();
  }

  /**
   * Partitions whose epoch is known, and is another one in a state, or missing there.
   *
   * @param state of the keeper that has the ledgers
   * @return in words
   */
  List<String> otherEpochs(Begun state) {
    List<String> others = new ArrayList<>();
    new TreeMap<>(epochs)
        .forEach(
            (place, known) -> {
              String found = state.epochs.get(place);
              if (place.startsWith(LedgerImage.META + "/") && !known.equals(found)) {
                others.add(
                    "partition %s has %s instead of epoch %s"
                        .formatted(
                            place.substring(place.indexOf('/') + 1),
                            found == null ? "no state" : "epoch " + found,
                            ControlCharEscaper.of(known)));
              }
            });
    return others;
  }

  ObjectNode json() {
    ObjectNode node = JsonNodeFactory.instance.objectNode().put("format", format);
    put(node, "topics", topics);
    if (!records.isEmpty()) {
      put(node, "records", records);
    }
    if (!epochs.isEmpty()) {
      put(node, "epochs", epochs);
    }
    return node;
  }

  private static void put(ObjectNode node, String field, Map<String, String> texts) {
    ObjectNode all = node.putObject(field);
    new TreeMap<>(texts).forEach(all::put);
  }

  /** Inverse of {@link #json}; nothing if it is none. */
  static Optional<Begun> read(JsonNode value) {
    if (!value.path("format").isInt() || !value.path("topics").isObject()) {
      return Optional.empty();
    }
    return Optional.of(
        new Begun(
            value.path("format").asInt(),
            texts(value, "topics"),
            texts(value, "records"),
            texts(value, "epochs")));
  }

  private static Map<String, String> texts(JsonNode value, String field) {
    Map<String, String> texts = new TreeMap<>();
    value
        .path(field)
        .properties()
        .forEach(text -> texts.put(text.getKey(), text.getValue().asText()));
    return texts;
  }
}
