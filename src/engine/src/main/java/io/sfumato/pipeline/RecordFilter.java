// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.record.RecordPart;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Which records of a topic a pipeline reads: those that meet every condition. All others are passed
 * over and counted, whatever else they hold.
 */
public record RecordFilter(List<Condition> conditions) {
  private static final RecordFilter NONE = new RecordFilter(List.of());

  public RecordFilter {
    conditions = List.copyOf(conditions);
  }

  /** Selects every record. */
  public static RecordFilter none() {
    return NONE;
  }

  /**
   * What one part of a record must be.
   *
   * @param part as the file names it: a field, {@code $key}, {@code $topic} or {@code $header.NAME}
   * @param in canonical names, one of which it must have; nothing where any will do
   * @param not canonical names that it must not have; a part that is missing has none of them
   * @param exists whether it must be there, and not null; nothing where it may be missing
   */
  public record Condition(
      String part, Optional<Set<String>> in, Set<String> not, Optional<Boolean> exists) {
    public Condition {
      in = in.map(Set::copyOf);
      not = Set.copyOf(not);
    }

    /**
     * Whether a part meets it.
     *
     * @param found whether the part is there, and not null
     * @param name canonical; null if the part is missing, or is none that has a name
     */
    public boolean accepts(boolean found, String name) {
      return (exists.isEmpty() || exists.get() == found)
          && (in.isEmpty() || name != null && in.get().contains(name))
          && (name == null || !not.contains(name));
    }

    /** As digests of plans have it: this text never changes. */
    String canonical() {
      return part
          + in.map(names -> " in " + sorted(names)).orElse("")
          + (not.isEmpty() ? "" : " not " + sorted(not))
          + exists.map(there -> " exists " + there).orElse("");
    }

    /** In words, for people. */
    public String words() {
      String is =
          in.map(names -> part + " is " + alternatives(names))
              .orElse(exists.map(there -> part + (there ? " exists" : " is missing")).orElse(part));
      if (not.isEmpty()) {
        return is;
      }
      boolean alone = in.isEmpty() && exists.isEmpty();
      return is + (alone ? " is not " : " and is not ") + alternatives(not);
    }

    private static String alternatives(Set<String> names) {
      return new TreeSet<>(names)
          .stream().map(name -> "'" + name + "'").collect(Collectors.joining(" or "));
    }

    /** With their lengths, since a name may hold whatever could stand between two. */
    private static List<String> sorted(Set<String> names) {
      return new TreeSet<>(names).stream().map(name -> name.length() + ":" + name).toList();
    }
  }

  /** The conditions on fields of the value. */
  public List<Condition> onFields() {
    return chosen(RecordPart::isField);
  }

  /** The conditions on what surrounds the value: key, headers and topic. */
  public List<Condition> onSurroundings() {
    return chosen(part -> !RecordPart.isField(part));
  }

  private List<Condition> chosen(Predicate<String> parts) {
    return conditions.stream().filter(condition -> parts.test(condition.part())).toList();
  }

  /** As digests of plans have it: this text never changes. */
  public String canonical() {
    return conditions.stream().map(Condition::canonical).sorted().toList().toString();
  }

  /** In words, for people. */
  public String words() {
    return conditions.stream().map(Condition::words).collect(Collectors.joining(", and "));
  }
}
