// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.pipeline.FieldPath;
import java.util.ArrayList;
import java.util.List;

/** Arrays of made-up people, where a file counts each item. */
final class MadeUpItems {
  /** So many kinds of arrays are made of each category. */
  static final int SHAPES = 3;

  /** More than one, so that a user is soon beyond what may count. */
  private static final int MANY = 3;

  private final FieldPath path;
  private final List<String> categories;

  /**
   * @param path of the category, to each item
   */
  MadeUpItems(FieldPath path, List<String> categories) {
    this.path = path;
    this.categories = categories;
  }

  /** Many of one category, which weigh most; one; or some that differ, not all of them usable. */
  void put(ObjectNode record, int kind) {
    String category = categories.get(kind % categories.size());
    List<String> items = new ArrayList<>(List.of(category));
    switch (kind / categories.size() % SHAPES) {
      case 0 -> {
        while (items.size() < MANY) {
          items.add(category);
        }
      }
      case 1 -> {}
      default -> {
        items.add(0, "nobody's category");
        items.add(null);
        items.add(categories.get((kind + 1) % categories.size()));
      }
    }
    List<String> steps = path.steps();
    record.set(steps.get(0), within(steps.subList(1, steps.size()), items));
  }

  private static JsonNode within(List<String> steps, List<String> items) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    if (steps.isEmpty()) {
      String only = items.get(0);
      return only == null ? NullNode.getInstance() : nodes.textNode(only);
    }
    String step = steps.get(0);
    List<String> rest = steps.subList(1, steps.size());
    if (step.equals(FieldPath.EACH)) {
      ArrayNode array = nodes.arrayNode();
      for (String item : items) {
        List<String> only = new ArrayList<>();
        only.add(item);
        array.add(within(rest, only));
      }
      return array;
    }
    ObjectNode object = nodes.objectNode();
    object.set(step, within(rest, items));
    return object;
  }
}
