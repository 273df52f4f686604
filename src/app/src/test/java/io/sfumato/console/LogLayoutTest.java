// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.console;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The last line of defence: what a library logs of names that it read. */
class LogLayoutTest {
  private static final String NAME = "ann\n12:00:00 ERROR forged \u001b[2J\u202e\u200b";

  private static String logged(String format) throws Exception {
    LoggerContext context = new LoggerContext();
    context.putProperty("SFUMATO_LOG_FORMAT", format);
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(LogLayoutTest.class.getResource("/logback.xml"));
    Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    OutputStreamAppender<ILoggingEvent> console =
        (OutputStreamAppender<ILoggingEvent>) root.getAppender("console");
    LoggingEvent event =
        new LoggingEvent("fqcn", root, Level.WARN, "no subject {}", null, new Object[] {NAME});
    return new String(console.getEncoder().encode(event), StandardCharsets.UTF_8);
  }

  @Test
  void shouldLogOneLineOfTextWhateverItQuotes() throws Exception {
    assertThat(logged("text"))
        .endsWith(
            "no subject ann\\u000a12:00:00 ERROR forged \\u001b[2J\\u202e\\u200b"
                + System.lineSeparator())
        .containsOnlyOnce(System.lineSeparator());
  }

  @Test
  void shouldLogJsonInWhichNothingHides() throws Exception {
    String line = logged("json");
    assertThat(line.strip()).doesNotContain("\n", "\u001b", "\u202e", "\u200b");
    assertThat(new ObjectMapper().readTree(line).path("formattedMessage").asText())
        .isEqualTo("no subject " + NAME);
  }
}
