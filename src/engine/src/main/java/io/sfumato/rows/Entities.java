// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import io.sfumato.text.TerminalColumns;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Rows of the same windows side by side: what several measures say of one group. */
final class Entities {
  private Entities() {}

  /**
   * All that is known of one group, or of one number of its records.
   *
   * @param of name of the number; empty where records are counted
   * @param quantities by measure
   */
  record Entity(Group group, String of, Map<String, Quantity> quantities) {
    Optional<Quantity> quantity(String measure) {
      return Optional.ofNullable(quantities.get(measure));
    }

    Optional<Quantity> quantity(Column column) {
      return quantity(column.measure());
    }

    /** Whether a mark holds. */
    boolean has(Column mark) {
      return quantity(mark).filter(holds -> holds.number() == 1).isPresent();
    }

    boolean hasAny(List<Column> columns) {
      return columns.stream().anyMatch(column -> quantities.containsKey(column.measure()));
    }

    /**
     * What it is called.
     *
     * @param several whether numbers of other names stand beside it
     */
    String label(boolean several) {
      if (group.isAll()) {
        return TerminalColumns.shown(of);
      }
      String name = TerminalColumns.shown(group.label());
      return several ? TerminalColumns.shown(of) + ": " + name : name;
    }
  }

  /** In the order of the first row of each. */
  static List<Entity> of(List<OutputRow> rows, Stretch about) {
    Map<Group, Map<String, Entity>> entities = new LinkedHashMap<>();
    List<Entity> all = new ArrayList<>();
    for (OutputRow row : rows) {
      if (row.about().equals(about)) {
        entities
            .computeIfAbsent(row.group(), group -> new HashMap<>())
            .computeIfAbsent(
                row.measure().of(),
                of -> {
                  Entity entity = new Entity(row.group(), of, new HashMap<>());
                  all.add(entity);
                  return entity;
                })
            .quantities()
            .put(row.measure().name(), row.quantity());
      }
    }
    return all;
  }

  /** Which windows' records rows are about, in the order of the rows. */
  static List<Stretch> stretches(List<OutputRow> rows) {
    return rows.stream().map(OutputRow::about).distinct().toList();
  }

  /** Those of which any of some measures is known. */
  static List<Entity> with(List<Column> columns, List<Entity> entities) {
    return entities.stream().filter(entity -> entity.hasAny(columns)).toList();
  }

  /** Whether they are of several numbers of the records. */
  static boolean areSeveral(List<Entity> entities) {
    return entities.stream().map(Entity::of).distinct().count() > 1;
  }

  /** Whether they are cells of several tables: one measure by different fields. */
  static boolean areTables(Reading reading, List<Entity> entities) {
    return reading.inText().size() == 1 && !areAlike(entities);
  }

  /** Whether their groups are of the same fields. */
  static boolean areAlike(List<Entity> entities) {
    return entities.stream().map(entity -> entity.group().fields()).distinct().count() <= 1;
  }

  /** Those that are shown, the largest first if a kind wants that. */
  static List<Entity> first(List<Entity> entities, Column main, Reading.Most most, int shown) {
    if (!most.isLargestFirst()) {
      return entities.subList(0, Math.min(shown, entities.size()));
    }
    Comparator<Entity> bySize =
        Comparator.comparingDouble(
            entity -> entity.quantity(main).map(Quantity::number).orElse(Double.NEGATIVE_INFINITY));
    return entities.stream().sorted(bySize.reversed()).limit(shown).toList();
  }
}
