// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The most bytes that one kind of Kafka record takes, with key and headers.
 *
 * @param kind of record
 * @param name of its store, output or journal
 * @param fixed bytes that no setting changes much
 * @param parts bytes that settings answer for
 */
public record SizeBound(Kind kind, String name, long fixed, List<Part> parts) {
  /** What a record is to a pipeline. */
  public enum Kind {
    /** Of a journal. */
    ENTRY,
    /** Of a store, hence of its changelog. */
    ROW,
    /** A release, an answer, a refusal or a dead letter. */
    OUTPUT;

    /** As reports and errors have it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Bytes that grow with one setting.
   *
   * @param setting in the file
   * @param count its value, or how many values it has; 1 where it is one long text
   * @param bytes of all of them together
   * @param otherwise what else lowers them, or nothing
   */
  public record Part(String setting, long count, long bytes, String otherwise) {
    /** Bytes that only this setting makes fewer. */
    public static Part of(String setting, long count, long bytes) {
      return new Part(setting, count, bytes, "");
    }
  }

  public SizeBound {
    parts = List.copyOf(parts);
  }

  /** All of it. */
  public long bytes() {
    return fixed + parts.stream().mapToLong(Part::bytes).sum();
  }

  /** What is too much of it, which setting to lower, and by how much; nothing if it fits. */
  public Optional<String> excess(long limit) {
    long over = bytes() - limit;
    if (over <= 0) {
      return Optional.empty();
    }
    String found =
        String.format(
            Locale.ROOT,
            "%s of '%s' may take %,d bytes, %,d more than one Kafka record of this pipeline (%,d): ",
            kind == Kind.OUTPUT ? "a record" : (kind == Kind.ENTRY ? "an " : "a ") + kind.word(),
            name,
            bytes(),
            over,
            limit);
    return Optional.of(
        found
            + parts.stream()
                .max(Comparator.comparingLong(Part::bytes))
                .map(part -> advice(part, over))
                .orElse("")
            + raise(bytes()));
  }

  private static String advice(Part part, long over) {
    // Rounded so that what is advised fits.
    long less = -Math.floorDiv(-Math.multiplyExact(over, part.count()), part.bytes());
    long left = part.count() - less;
    String lowered =
        left >= 1
            ? String.format(
                Locale.ROOT, "lower '%s' from %d to %d or less", part.setting(), part.count(), left)
            : String.format(
                Locale.ROOT,
                "shorten '%s', which takes %,d bytes, by %,d",
                part.setting(),
                part.bytes(),
                Math.min(over, part.bytes()));
    return lowered + (part.otherwise().isEmpty() ? "" : ", or " + part.otherwise());
  }

  private static String raise(long bytes) {
    return ". If every topic of the pipeline takes so much (max.message.bytes), say so in the file: kafka: { %s: %d }"
        .formatted(MessageLimit.SETTING, bytes + MessageLimit.AROUND);
  }
}
