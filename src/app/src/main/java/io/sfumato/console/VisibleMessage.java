// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.console;

import ch.qos.logback.classic.pattern.MessageConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.sfumato.text.ControlCharEscaper;

/**
 * A log's message in one line, whatever names it quotes: the word {@code %visible} of a pattern.
 */
public final class VisibleMessage extends MessageConverter {
  @Override
  public String convert(ILoggingEvent event) {
    return ControlCharEscaper.of(LogScope.text(super.convert(event)));
  }
}
