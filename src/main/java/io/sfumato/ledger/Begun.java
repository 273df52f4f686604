// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.topology.setting.Names;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * That a budget has begun, and with which state. The budget's registry remembers it from before the
 * first charge: tools that reset an application delete topics, Kafka Streams creates them again
 * under the same names, and what was charged is gone.
 *
 * @param format of the state, as the newest program that worked on it writes it; 0 if none did
 * @param topics ids that the cluster gave to journals and changelogs, by topic
 */
public record Begun(int format, Map<String, String> topics) {
  /**
   * The format of what this program writes into state and journal. A change that an older program
   * would misread or overlook raises it.
   */
  static final int FORMAT = 1;

  /** Of a budget that has not begun. */
  public static final Begun NOT = new Begun(0, Map.of());

  public Begun {
    topics = Map.copyOf(topics);
  }

  /** A state that this program works on. */
  static Begun with(Map<String, String> topics) {
    return new Begun(FORMAT, topics);
  }

  /** The names of the topics that hold a pipeline's state. */
  static List<String> topicsOf(Pipeline pipeline) {
    return Stream.concat(
            Names.journalTopics(pipeline).stream(), Names.changelogTopics(pipeline).stream())
        .toList();
  }

  /** What both say: the later one's ids, and the newer format. */
  Begun and(Begun later) {
    Map<String, String> all = new TreeMap<>(topics);
    all.putAll(later.topics);
    return new Begun(Math.max(format, later.format), all);
  }

  /** Whether this says everything that the other one does, whatever the ids. */
  boolean covers(Begun other) {
    return format >= other.format && topics.keySet().containsAll(other.topics.keySet());
  }

  /** Of these topics those that are known under another id than now, or are missing now. */
  List<String> lost(Collection<String> names, Map<String, String> now) {
    return names.stream()
        .filter(topics::containsKey)
        .filter(topic -> !topics.get(topic).equals(now.get(topic)))
        .sorted()
        .toList();
  }

  ObjectNode json() {
    ObjectNode node = JsonNodeFactory.instance.objectNode().put("format", format);
    ObjectNode ids = node.putObject("topics");
    new TreeMap<>(topics).forEach(ids::put);
    return node;
  }

  /** Inverse of {@link #json}; nothing if it is none. */
  static Optional<Begun> read(JsonNode value) {
    if (!value.path("format").isInt() || !value.path("topics").isObject()) {
      return Optional.empty();
    }
    Map<String, String> ids = new TreeMap<>();
    value
        .path("topics")
        .properties()
        .forEach(topic -> ids.put(topic.getKey(), topic.getValue().asText()));
    return Optional.of(new Begun(value.path("format").asInt(), ids));
  }
}
