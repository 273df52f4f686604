// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Lists of names as options say them: {@code a,b}, or a file of them, one a line, which may have
 * commas; of several fields {@code FIELD=a,b} or {@code FIELD=FILE}, once for each. Blanks around a
 * name are none of it.
 *
 * @param option that says names; with {@code -file} it says files
 * @param names as they were said
 * @param files likewise
 */
public record SaidLists(String option, List<String> names, List<String> files) {
  /** Whether nobody said any. */
  public boolean isEmpty() {
    return names.isEmpty() && files.isEmpty();
  }

  /**
   * The fields that have a list each, if there are two or more of them, and nothing else was said.
   *
   * @param known fields of the records
   */
  public List<String> fields(Collection<String> known) {
    List<String> said = Stream.concat(names.stream(), files.stream()).toList();
    List<String> fields =
        said.stream().flatMap(text -> field(text, known).stream()).distinct().toList();
    return fields.size() > 1 && fields.size() == said.size() ? fields : List.of();
  }

  /** The longest one that a text begins with. */
  private static Optional<String> field(String text, Collection<String> fields) {
    return fields.stream()
        .filter(field -> text.startsWith(field + "="))
        .reduce((a, b) -> b.length() > a.length() ? b : a);
  }

  /**
   * The list of each field that has one.
   *
   * @param fields that are counted, at least one
   * @throws RefusedException if a list has a single name, or is not of one of several fields
   */
  public Map<String, List<String>> of(List<String> fields) throws RefusedException {
    Map<String, List<String>> lists = new LinkedHashMap<>();
    if (fields.size() == 1) {
      List<String> list = list();
      if (!list.isEmpty()) {
        lists.put(fields.get(0), list);
      }
    } else {
      for (String text : names) {
        String field = fieldOf(option, text, "a,b", fields, lists);
        lists.put(field, split(text.substring(field.length() + 1)));
      }
      for (String text : files) {
        String field = fieldOf(option + "-file", text, "FILE", fields, lists);
        lists.put(field, lines(text.substring(field.length() + 1)));
      }
    }
    if (lists.values().stream().anyMatch(list -> list.size() == 1)) {
      throw DraftCheck.wrong(
          "%s: found one, allowed are at least two: %s %sa,b"
              .formatted(option, option, fields.size() == 1 ? "" : fields.get(0) + "="));
    }
    return lists;
  }

  private static String fieldOf(
      String option, String text, String what, List<String> fields, Map<String, ?> lists)
      throws RefusedException {
    Optional<String> field = field(text, fields).filter(known -> !lists.containsKey(known));
    if (field.isEmpty()) {
      throw DraftCheck.wrong(
          "%s: found '%s', needed is FIELD=%s, once for each of %s"
              .formatted(option, text, what, String.join(", ", fields)));
    }
    return field.get();
  }

  /** The list, where it needs no field. */
  public List<String> list() throws RefusedException {
    if (files.isEmpty()) {
      return names.stream().flatMap(text -> split(text).stream()).toList();
    }
    if (!names.isEmpty() || files.size() > 1) {
      throw DraftCheck.wrong("%s, %s-file: give one of them".formatted(option, option));
    }
    return lines(files.get(0));
  }

  private static List<String> split(String text) {
    return Arrays.stream(text.split(",")).map(String::strip).toList();
  }

  private static List<String> lines(String file) throws RefusedException {
    try {
      return Files.readAllLines(Path.of(file)).stream()
          .map(String::strip)
          .filter(line -> !line.isEmpty())
          .toList();
    } catch (IOException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "%s cannot be read as lines of UTF-8 (%s)".formatted(file, e.getClass().getSimpleName()));
    }
  }
}
