// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A path from the whole to its smallest parts, such as country, region, city: a category is a leaf
 * of a public tree. Leaves have places depth first.
 *
 * @param fields one a level, 2 to {@value #MOST_LEVELS}
 * @param roots values of the first field, each with what lies within it
 * @param other which value stands on every level for all that are not listed there
 */
public record Hierarchy(List<String> fields, List<Node> roots, Optional<String> other)
    implements Columns {
  public static final int MOST_LEVELS = 6;

  /**
   * A value with what lies within it.
   *
   * @param within different values; none on the last level
   */
  public record Node(String value, List<Node> within) {
    public Node {
      within = List.copyOf(within);
    }

    /** Number of leaves within it; 1 for a leaf. */
    long leaves() {
      return within.isEmpty() ? 1 : within.stream().mapToLong(Node::leaves).sum();
    }
  }

  public Hierarchy {
    fields = List.copyOf(fields);
    roots = List.copyOf(roots);
  }

  /** A tree whose nodes all have a child that stands for what is not listed, if one is named. */
  public static Hierarchy of(List<String> fields, List<Node> listed, Optional<String> other) {
    List<Node> roots =
        other.map(name -> withOther(listed, name, fields.size())).orElse(List.copyOf(listed));
    return new Hierarchy(fields, roots, other);
  }

  private static List<Node> withOther(List<Node> nodes, String name, int levels) {
    if (levels == 0) {
      return List.of();
    }
    List<Node> all = new ArrayList<>();
    boolean found = false;
    for (Node node : nodes) {
      all.add(new Node(node.value(), withOther(node.within(), name, levels - 1)));
      found |= node.value().equals(name);
    }
    if (!found) {
      all.add(new Node(name, withOther(List.of(), name, levels - 1)));
    }
    return all;
  }

  @Override
  public String separator() {
    return " > ";
  }

  @Override
  public boolean isListed() {
    return true;
  }

  /** Nodes of each level, from the first field's: depth first. */
  public List<List<Node>> levels() {
    List<List<Node>> levels = new ArrayList<>();
    List<Node> level = roots;
    for (int i = 0; i < fields.size(); i++) {
      levels.add(level);
      level = level.stream().flatMap(node -> node.within().stream()).toList();
    }
    return levels;
  }

  @Override
  public long places() {
    return roots.stream().mapToLong(Node::leaves).sum();
  }

  @Override
  public List<String> values(long place) {
    List<String> values = new ArrayList<>();
    List<Node> level = roots;
    long left = place;
    while (!level.isEmpty()) {
      int at = 0;
      for (long here = level.get(at).leaves(); left >= here; here = level.get(at).leaves()) {
        left -= here;
        at++;
      }
      values.add(level.get(at).value());
      level = level.get(at).within();
    }
    return values;
  }

  /** The values of all leaves, in their order. */
  public List<List<String>> leaves() {
    List<List<String>> leaves = new ArrayList<>();
    roots.forEach(root -> walk(root, List.of(), leaves));
    return leaves;
  }

  private static void walk(Node node, List<String> before, List<List<String>> leaves) {
    List<String> values = new ArrayList<>(before);
    values.add(node.value());
    if (node.within().isEmpty()) {
      leaves.add(List.copyOf(values));
    }
    node.within().forEach(child -> walk(child, values, leaves));
  }

  @Override
  public Lookup lookup() {
    Map<String, Branch> tree = tree(roots, new long[1]);
    return values -> {
      Map<String, Branch> level = tree;
      long place = UNKNOWN;
      for (String value : values) {
        Branch next = level.get(value);
        if (next == null && other.isPresent()) {
          next = level.get(other.get());
        }
        if (next == null) {
          return UNKNOWN;
        }
        place = next.place();
        level = next.within();
      }
      return place;
    };
  }

  private record Branch(long place, Map<String, Branch> within) {}

  private static Map<String, Branch> tree(List<Node> nodes, long[] leaves) {
    Map<String, Branch> level = new HashMap<>();
    for (Node node : nodes) {
      level.put(
          node.value(),
          node.within().isEmpty()
              ? new Branch(leaves[0]++, Map.of())
              : new Branch(UNKNOWN, tree(node.within(), leaves)));
    }
    return level;
  }

  @Override
  public String canonical() {
    return "path of %s: %s%s"
        .formatted(
            Columns.canonical(fields),
            text(roots),
            other.map(name -> " other " + Columns.quoted(name)).orElse(""));
  }

  private static String text(List<Node> nodes) {
    return nodes.stream()
        .map(
            node ->
                Columns.quoted(node.value()) + (node.within().isEmpty() ? "" : text(node.within())))
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
