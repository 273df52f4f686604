// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.console;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.sfumato.text.ControlCharEscaper;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.slf4j.event.KeyValuePair;

/** Logs as JSON in which every character that cannot be seen is escaped. */
public final class VisibleJsonEncoder extends JsonEncoder {
  /** Name of an event's value, and of the field that it becomes: the trace that it belongs to. */
  public static final String TRACE_ID = "trace_id";

  /** The same for the span. */
  public static final String SPAN_ID = "span_id";

  private static final Set<String> FIELDS = Set.of(TRACE_ID, SPAN_ID);

  @Override
  public byte[] encode(ILoggingEvent event) {
    String json = new String(super.encode(event), StandardCharsets.UTF_8);
    return ControlCharEscaper.lines(LogScope.json(traced(event, json)))
        .getBytes(StandardCharsets.UTF_8);
  }

  /** With the ids of its trace, which are hexadecimal digits. */
  private static String traced(ILoggingEvent event, String json) {
    if (event.getKeyValuePairs() == null) {
      return json;
    }
    StringBuilder fields = new StringBuilder("{");
    for (KeyValuePair pair : event.getKeyValuePairs()) {
      if (FIELDS.contains(pair.key)) {
        fields.append('"').append(pair.key).append("\":\"").append(pair.value).append("\",");
      }
    }
    return fields.append(json, 1, json.length()).toString();
  }
}
