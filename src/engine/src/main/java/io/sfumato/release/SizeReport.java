// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.pipeline.Footprint;
import io.sfumato.pipeline.Footprint.Kind;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How large a pipeline's Kafka records may become, in words and as JSON. */
final class SizeReport {
  private SizeReport() {}

  /** One line. */
  static String text(WorstCase sizes) {
    return Arrays.stream(Kind.values())
            .map(
                kind -> {
                  Footprint largest = sizes.largest(kind);
                  return "%s %s (%s)"
                      .formatted(kind.word(), amount(largest.bytes()), largest.name());
                })
            .collect(Collectors.joining(", ", "at most: ", ""))
        + "; one Kafka record takes "
        + amount(sizes.limit());
  }

  /** For programs, in bytes. */
  static void json(WorstCase sizes, ObjectNode node) {
    for (Kind kind : Kind.values()) {
      Footprint largest = sizes.largest(kind);
      node.putObject(kind.word()).put("of", largest.name()).put("bytes", largest.bytes());
    }
    node.put("limit", sizes.limit());
  }

  private static String amount(long bytes) {
    return bytes < 10_240
        ? String.format(Locale.ROOT, "%,d bytes", bytes)
        : String.format(Locale.ROOT, "%,d KiB", -Math.floorDiv(-bytes, 1024L));
  }
}
