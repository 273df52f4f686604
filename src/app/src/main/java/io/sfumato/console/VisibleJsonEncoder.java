// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.console;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.sfumato.text.ControlCharEscaper;
import java.nio.charset.StandardCharsets;

/** Logs as JSON in which every character that cannot be seen is escaped. */
public final class VisibleJsonEncoder extends JsonEncoder {
  @Override
  public byte[] encode(ILoggingEvent event) {
    String json = new String(super.encode(event), StandardCharsets.UTF_8);
    return ControlCharEscaper.lines(LogScope.json(json)).getBytes(StandardCharsets.UTF_8);
  }
}
