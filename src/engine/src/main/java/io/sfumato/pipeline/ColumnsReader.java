// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import io.sfumato.pipeline.Crossing.Column;
import io.sfumato.pipeline.Hierarchy.Node;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Reads {@code category} and {@code categories} of an input where several fields are the category:
 * {@code [region, product]} crosses them, {@code {path: [country, region, city]}} is a hierarchy.
 */
final class ColumnsReader {
  private static final String DISCOVER = "discover";
  private static final String CATEGORY = "category";
  private static final String CATEGORIES = "categories";
  private static final String PATH = "path";

  private ColumnsReader() {}

  /**
   * What several fields are; nothing, and problems that are told, where they are none.
   *
   * @param other stands for values that are not listed
   */
  static Optional<Columns> read(Fields input, Optional<String> other) {
    return input.isList(CATEGORY)
        ? crossing(input, other).map(Columns.class::cast)
        : hierarchy(input, other);
  }

  /** Their categories one by one; none where these are found, or too many for that. */
  static List<String> categories(Columns columns) {
    if (!columns.isListed() || columns.places() > Columns.MOST_COUNTED) {
      return List.of();
    }
    return columns instanceof Hierarchy tree
        ? tree.leaves().stream().map(columns::name).toList()
        : LongStream.range(0, columns.places())
            .mapToObj(place -> columns.name(columns.values(place)))
            .toList();
  }

  private static Optional<Crossing> crossing(Fields input, Optional<String> other) {
    int before = input.unreadable();
    List<String> fields = input.list(CATEGORY).texts(2, Crossing.MOST_COLUMNS);
    fields.forEach(field -> InputReader.checkPart(input, CATEGORY, field));
    Fields listed = input.open(CATEGORIES);
    boolean found = listed.has(DISCOVER);
    List<Column> columns = new ArrayList<>();
    for (String field : fields) {
      if (listed.has(field)) {
        columns.add(
            Column.listed(
                field, listed.list(field).names(other.isPresent() ? 1 : 2, 100_000), other));
      } else if (found) {
        columns.add(Column.free(field));
      } else {
        listed.problem(
            field, "is missing", "a list of its values, or 'discover' beside the others");
      }
    }
    listed.refuseUnknown();
    Crossing crossing = new Crossing(columns);
    if (input.unreadable() > before || columns.size() < 2) {
      return Optional.empty();
    }
    if (found && crossing.isListed()) {
      listed.conflict(DISCOVER, "found though every column is listed", "without, or leave one out");
      return Optional.empty();
    }
    if (tooMany(crossing)) {
      input.conflict(
          CATEGORIES, "found more than 2^60 combinations", "shorter lists, or fewer columns");
      return Optional.empty();
    }
    if (crossing.isListed() && crossing.places() < 2) {
      input.conflict(CATEGORIES, "found 1 combination", "2 or more");
      return Optional.empty();
    }
    return Optional.of(crossing);
  }

  private static boolean tooMany(Crossing crossing) {
    try {
      return crossing.isListed() && crossing.places() < 1;
    } catch (ArithmeticException e) {
      return true;
    }
  }

  private static Optional<Columns> hierarchy(Fields input, Optional<String> other) {
    int before = input.unreadable();
    Fields category =
        input.section(InputFields.CATEGORY.as(new ValueType.Mapping(InputFields.HIERARCHY)));
    List<String> fields = category.list(PATH).texts(2, Hierarchy.MOST_LEVELS);
    fields.forEach(field -> InputReader.checkPath(category, PATH, field));
    category.refuseUnknown();
    JsonNode tree = input.child(CATEGORIES);
    List<Node> roots = nodes(input, tree, "", fields.size());
    if (input.unreadable() > before) {
      return Optional.empty();
    }
    Hierarchy read = Hierarchy.of(fields, roots, other);
    if (read.places() < 2 || read.places() > 100_000) {
      input.conflict(
          CATEGORIES, "found " + Plurals.of(read.places(), "leaf", "leaves"), "2 to 100,000");
      return Optional.empty();
    }
    return Optional.of(read);
  }

  private static List<Node> nodes(Fields input, JsonNode tree, String path, int levels) {
    String name = CATEGORIES + path;
    if (levels == 1) {
      return new ListField(input, tree, name)
          .names(1, 100_000).stream().map(value -> new Node(value, List.of())).toList();
    }
    if (!tree.isObject() || tree.isEmpty()) {
      input.problem(
          name,
          "found " + Fields.shown(tree),
          "a mapping of values to what lies within them, "
              + Plurals.of(levels - 1, "level")
              + " deeper");
      return List.of();
    }
    Map<String, Node> nodes = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> entry : tree.properties()) {
      Optional<String> value = ListedName.of(input, name, entry.getKey());
      if (value.isPresent()) {
        List<Node> within = nodes(input, entry.getValue(), path + "." + value.get(), levels - 1);
        if (nodes.put(value.get(), new Node(value.get(), within)) != null) {
          ListedName.twice(input, name, value.get());
        }
      }
    }
    return List.copyOf(nodes.values());
  }
}
