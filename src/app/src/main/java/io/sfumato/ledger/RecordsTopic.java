// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A records' topic that a budget releases about, as its registry remembers it.
 *
 * @param name of the topic
 * @param id that the cluster gave it
 * @param accepted budgets that had released about it when this one began, and whose losses add to
 *     this one's: an operator accepted that
 * @param at when it was written, by its writer's clock, milliseconds since 1970
 */
record RecordsTopic(String name, String id, List<String> accepted, long at) {
  RecordsTopic {
    accepted = List.copyOf(accepted);
  }

  ObjectNode json() {
    ObjectNode node = JsonNodeFactory.instance.objectNode().put("topic", name).put("id", id);
    ArrayNode budgets = node.putArray("accepted");
    accepted.forEach(budgets::add);
    return node;
  }

  /** Inverse of {@link #json}; nothing if it is none. */
  static Optional<RecordsTopic> read(JsonNode value, long at) {
    if (!value.path("topic").isTextual() || !value.path("id").isTextual()) {
      return Optional.empty();
    }
    List<String> accepted = new ArrayList<>();
    value.path("accepted").forEach(budget -> accepted.add(budget.asText()));
    return Optional.of(
        new RecordsTopic(value.path("topic").asText(), value.path("id").asText(), accepted, at));
  }

  /** Of entries in log order the last about each name. */
  static List<RecordsTopic> all(List<SignedLog.Entry> entries, boolean mineAlone) {
    Map<String, RecordsTopic> last = new LinkedHashMap<>();
    for (SignedLog.Entry entry : entries) {
      if (entry.key().equals(Registry.RECORDS) && (entry.isMine() || !mineAlone)) {
        read(entry.value(), entry.at()).ifPresent(found -> last.put(found.name(), found));
      }
    }
    return List.copyOf(last.values());
  }
}
