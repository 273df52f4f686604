// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.core.joran.spi.JoranException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is logged unless somebody asks for more: docs/operate/monitor.md. */
class LogLevelsTest {
  private static LoggerContext configured(String kafkaLevel) throws JoranException {
    LoggerContext context = new LoggerContext();
    if (!kafkaLevel.isEmpty()) {
      context.putProperty("SFUMATO_KAFKA_LOG_LEVEL", kafkaLevel);
    }
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(LogLevelsTest.class.getResource("/logback.xml"));
    return context;
  }

  /** The first one would repeat for as long as a command waits for a broker. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.apache.kafka.clients.NetworkClient",
        "org.apache.kafka.clients.admin.internals.AdminMetadataManager",
        "org.apache.kafka.streams.KafkaStreams",
        "kafka.server.KafkaRaftServer"
      })
  void kafkaIsSilentUntilItIsAsked(String logger) throws JoranException {
    assertThat(configured("").getLogger(logger).getEffectiveLevel()).isEqualTo(Level.OFF);
    assertThat(configured("WARN").getLogger(logger).getEffectiveLevel()).isEqualTo(Level.WARN);
  }
}
