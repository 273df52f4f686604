// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.ValueNode;
import java.math.BigDecimal;

/** Facts for programs: one JSON object, its fields in the order of the facts. */
public final class FactJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private FactJson() {}

  /** All facts that have a key. */
  public static ObjectNode of(Facts facts) {
    return put(facts, JSON.createObjectNode());
  }

  private static ObjectNode put(Facts facts, ObjectNode node) {
    for (Facts.Row row : facts.rows()) {
      for (Fact fact : row.facts()) {
        if (!fact.key().isEmpty()) {
          put(fact, node);
        }
      }
    }
    return node;
  }

  private static void put(Fact fact, ObjectNode node) {
    if (fact instanceof Fact.Words words) {
      node.put(words.key(), words.words());
    } else if (fact instanceof Fact.Flag flag) {
      node.put(flag.key(), flag.value());
    } else if (fact instanceof Fact.Number number) {
      node.set(number.key(), value(number.value()));
    } else if (fact instanceof Fact.Many many) {
      ArrayNode words = node.putArray(many.key());
      many.words().forEach(words::add);
    } else if (fact instanceof Fact.Group group) {
      put(group.facts(), node.putObject(group.key()));
    } else if (fact instanceof Fact.Table table) {
      ArrayNode rows = node.putArray(table.key());
      table.rows().forEach(row -> put(row, rows.addObject()));
    }
  }

  /** Whole numbers stay whole, decimals exact. */
  private static ValueNode value(Number value) {
    JsonNodeFactory nodes = JSON.getNodeFactory();
    if (value instanceof BigDecimal decimal) {
      return nodes.numberNode(decimal);
    }
    return value instanceof Double real
        ? nodes.numberNode(real.doubleValue())
        : nodes.numberNode(value.longValue());
  }
}
