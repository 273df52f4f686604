// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.FieldPath;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Population;
import io.sfumato.record.RecordPart;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** How the names of fields that are paths were understood. */
final class PathReport {
  /** What other languages of paths have in them, and few names of fields. */
  private static final Pattern LIKE_A_PATH = Pattern.compile("[.\\[\\]/*#@?]");

  private PathReport() {}

  /** By setting of the input, those that are more than a plain name. */
  private static Map<String, String> of(Pipeline pipeline) {
    InputSpec input = pipeline.input();
    Map<String, String> paths = new LinkedHashMap<>();
    pipeline.population().ifPresent(population -> add(paths, "user", population.user()));
    add(paths, "subject", input.subject());
    add(paths, "time", input.time());
    input
        .categoryFields()
        .forEach(
            name ->
                add(paths, input.columns().isPresent() ? "category " + name : "category", name));
    pipeline
        .population()
        .map(Population::items)
        .filter(OptionalInt::isPresent)
        .ifPresent(
            most ->
                paths.computeIfPresent(
                    "category",
                    (setting, words) ->
                        "%s, at most %,d of a record".formatted(words, most.getAsInt())));
    input
        .weight()
        .ifPresent(
            name ->
                paths.put(
                    "weight",
                    "%s, at most %,d units of a record"
                        .formatted(
                            FieldPath.of(name).words().orElse("field " + name),
                            pipeline.population().orElseThrow().items().orElseThrow())));
    for (int i = 0; i < input.values().size(); i++) {
      add(paths, "values[" + i + "]", input.values().get(i));
    }
    input
        .id()
        .ifPresent(part -> paths.put("id", "an event counts once, by " + InputSpec.words(part)));
    if (!input.where().conditions().isEmpty()) {
      paths.put("where", input.where().words());
    }
    return paths;
  }

  /** Adds them to a plan; nothing where all names are plain. */
  static void addTo(Facts facts, Pipeline pipeline) {
    Map<String, String> paths = of(pipeline);
    if (!paths.isEmpty()) {
      Facts settings = Facts.of();
      paths.forEach((setting, words) -> settings.row(setting).words(setting + ":", setting, words));
      facts.row("fields").group("", "fields", settings);
    }
  }

  private static void add(Map<String, String> paths, String setting, String name) {
    RecordPart part = RecordPart.of(name);
    if (part instanceof RecordPart.Header
        || part instanceof RecordPart.Topic
        || part instanceof RecordPart.Constant) {
      paths.put(setting, InputSpec.words(name));
      return;
    }
    FieldPath path = FieldPath.of(name);
    path.words().ifPresent(words -> paths.put(setting, words));
    if (path.steps().isEmpty() && LIKE_A_PATH.matcher(name).find()) {
      paths.put(setting, "a field named %s, as it stands".formatted(name));
    }
  }
}
