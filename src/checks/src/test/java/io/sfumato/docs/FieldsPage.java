// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.docs;

import io.sfumato.pipeline.Durations;
import io.sfumato.pipeline.FieldSpec;
import io.sfumato.pipeline.Section;
import io.sfumato.pipeline.ValueType;
import io.sfumato.release.FileSections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** docs/reference/pipeline-file.md, made of the declared fields. */
final class FieldsPage {
  private static final String HEAD =
      """
      # The pipeline file

      For authors of pipeline files: every field with its values, its default and what it means. This page is generated from the program.

      A pipeline file is YAML of at most 1 MiB, without anchors. Unknown fields are refused. A length of time is written `500ms`, `5s`, `15m`, `1h`, `7d`, or as ISO 8601 (`PT1H`).

      - **How values of records are read**: [names, numbers, times, paths](records.md).
      - **In an editor**: `sfumato schema --out pipeline.schema.json` writes a JSON Schema. An editor with a YAML language server completes and checks a file whose first line is `# yaml-language-server: $schema=pipeline.schema.json`. `sfumato new` writes both.
      - **Complete files**: the folder `topology/`, and each [guide](../guides/README.md).

      In these tables, *unit* is `budget.unit`.
      """;

  private final Map<String, Section> sections = new LinkedHashMap<>();
  private final StringBuilder page = new StringBuilder(HEAD);
  private final List<FieldSpec<?>> everyOutput;

  private FieldsPage() {
    List<Section> kinds =
        FileSections.releases().fields().stream().map(FieldsPage::sectionOf).toList();
    everyOutput =
        kinds.get(0).fields().stream()
            .filter(
                field -> kinds.stream().filter(kind -> kind.fields().contains(field)).count() > 5)
            .collect(Collectors.toList());
  }

  /** The whole page. */
  static String text() {
    FieldsPage made = new FieldsPage();
    made.gather("", FileSections.file());
    made.sections.forEach(made::write);
    return made.page.toString();
  }

  private static Section sectionOf(FieldSpec<?> field) {
    return ((ValueType.Mapping) field.type()).section();
  }

  private void gather(String path, Section section) {
    sections.put(path, section);
    for (FieldSpec<?> field : section.fields()) {
      String at = path.isEmpty() ? field.name() : path + "." + field.name();
      parts(field)
          .forEach(
              (suffix, part) -> {
                boolean isOfEveryOutput =
                    path.startsWith("releases[].") && everyOutput.contains(field);
                if (!isOfEveryOutput && !field.name().equals("share")) {
                  gather(at + suffix, part);
                }
              });
    }
  }

  private static Map<String, Section> parts(FieldSpec<?> field) {
    if (field.type() instanceof ValueType.Mapping mapping) {
      return Map.of("", mapping.section());
    }
    return field.type() instanceof ValueType.Shape shape ? shape.parts() : Map.of();
  }

  private void write(String path, Section section) {
    if (path.equals("releases[]")) {
      releases(section);
      return;
    }
    boolean isKind =
        path.startsWith("releases[].") && path.chars().filter(c -> c == '.').count() == 1;
    page.append("\n## ").append(path.isEmpty() ? "The file" : "`" + path + "`").append("\n\n");
    page.append(section.meaning()).append('\n');
    List<FieldSpec<?>> own =
        section.fields().stream()
            .filter(field -> !isKind || !everyOutput.contains(field))
            .collect(Collectors.toList());
    if (isKind) {
      page.append("\nIn addition to [the fields of every output](#releases):\n");
    }
    if (!own.isEmpty()) {
      table(path, own);
    }
  }

  private void releases(Section kinds) {
    page.append("\n## `releases[]`\n\nEach output is of one kind, which its key names:\n\n");
    page.append("| kind | what it publishes |\n|---|---|\n");
    for (FieldSpec<?> kind : kinds.fields()) {
      page.append(
          "| [`%s`](#%s) | %s |%n"
              .formatted(
                  kind.name(), anchor("releases[]." + kind.name()), sectionOf(kind).meaning()));
    }
    page.append("\nThe fields of every output (`top` has neither share nor windows):\n");
    table("releases[].*", everyOutput);
    everyOutput.stream()
        .filter(field -> field.type() instanceof ValueType.Mapping)
        .forEach(
            field -> {
              page.append("\nIts `%s`:%n".formatted(field.name()));
              table("releases[].*." + field.name(), sectionOf(field).fields());
            });
  }

  private void table(String path, List<FieldSpec<?>> fields) {
    page.append("\n| field | values | meaning |\n|---|---|---|\n");
    for (FieldSpec<?> field : fields) {
      String at = path.isEmpty() ? field.name() : path + "." + field.name();
      page.append(
          "| `%s` | %s<br>%s<br>example: `%s` | %s |%n"
              .formatted(
                  field.name(),
                  values(at, field),
                  field.unset().said(),
                  field.about().example(),
                  applies(field) + meaning(field)));
    }
  }

  private String values(String at, FieldSpec<?> field) {
    ValueType<?> type = field.type();
    if (type instanceof ValueType.Mapping) {
      return sections.containsKey(at) ? linked("a mapping", at) : "a mapping";
    }
    if (type instanceof ValueType.Word<?> word) {
      return word.words().keySet().stream()
          .map("`%s`"::formatted)
          .collect(Collectors.joining(", "));
    }
    if (type instanceof ValueType.Whole<?> whole) {
      return "%,d to %,d".formatted(whole.lowest(), whole.highest());
    }
    if (type instanceof ValueType.Length length) {
      String lowest = Durations.word(length.lowest());
      return "a length of time" + (length.lowest().isZero() ? "" : ", at least `" + lowest + "`");
    }
    if (type instanceof ValueType.Shape shape && shape.parts().containsKey("[]")) {
      return linked("a list of mappings", at + "[]");
    }
    return code(type.allowed());
  }

  private static String linked(String words, String path) {
    return "[%s](#%s)".formatted(words, anchor(path));
  }

  /** Words with what files write in them marked as such. */
  private static String code(String allowed) {
    return allowed
        .replaceAll("(\\$\\w+(?:\\.NAME)?|\\{[^{}]*\\})", "`$1`")
        .replaceAll("'([^'` ]+)'", "`$1`");
  }

  private static String applies(FieldSpec<?> field) {
    String only = field.about().only();
    return only.isEmpty() ? "" : "*Only " + only + ".* ";
  }

  private static String meaning(FieldSpec<?> field) {
    StringBuilder text = new StringBuilder(field.about().meaning());
    if (field.type() instanceof ValueType.Word<?> word) {
      word.meanings().forEach((each, what) -> text.append(" `%s`: %s".formatted(each, what)));
    }
    return text.toString();
  }

  /** How GitHub names a heading. */
  private static String anchor(String path) {
    return path.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}_\\- ]", "");
  }
}
