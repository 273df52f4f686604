// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.otlp;

import io.sfumato.random.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Ids of the trace of one window in one partition. They follow from public facts alone, so that an
 * attempt that is repeated, here or on another instance, has the ids of the first one.
 *
 * @param traceId 32 hexadecimal digits
 * @param spanId of the span that all others belong to, 16 hexadecimal digits
 */
public record WindowTrace(String traceId, String spanId) {
  private static final int TRACE_BYTES = 16;
  private static final int SPAN_BYTES = 8;

  /** That of a window. */
  static WindowTrace of(String pipeline, String budget, int partition, long windowStart) {
    String traceId =
        digest(
            String.join(
                "\n",
                "window",
                pipeline,
                budget,
                Integer.toString(partition),
                Long.toString(windowStart)),
            TRACE_BYTES);
    return new WindowTrace(traceId, spanId(traceId, ""));
  }

  /** Of a span below the first one. */
  String child(String name) {
    return spanId(traceId, name);
  }

  private static String spanId(String traceId, String name) {
    return digest(String.join("\n", "span", traceId, name), SPAN_BYTES);
  }

  private static String digest(String text, int bytes) {
    byte[] digest = Sha256.of(text.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(Arrays.copyOf(digest, bytes));
  }
}
