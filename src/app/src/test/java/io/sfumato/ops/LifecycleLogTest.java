// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.release.Plan;
import io.sfumato.release.Plans;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.PipelineRun;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.OpenMemory;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.SourceTopics;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LifecycleLogTest {
  private static final String SECRET =
      "00112233445566778899aabbccddeeff102132435465768798a9bacbdcedfe0f";

  @Test
  void shouldSayEverythingButSecretsInOneLine() throws Exception {
    String yaml =
        """
        pipeline: log
        input: { topic: in, subject: who, time: at, category: what, categories: [a, b] }
        window: { size: 10s }
        budget: { name: log, unit: record, epsilon: 4, delta: 1e-6 }
        releases:
          - histogram: { name: mix, method: gaussian, share: { epsilon: 4, delta: 1e-6 }, windows: 100 }
        """;
    Plan plan = Plans.plan(yaml);
    KafkaSettings settings =
        KafkaSettings.gather(
            Map.of(
                "sasl.jaas.config",
                    "canary.Module required user=\"canary-1\" password=\"canary-2\";",
                "ssl.truststore.password", "canary-3",
                "ssl.keystore.key", "canary-4",
                "consumer.fetch.min.bytes", "17"),
            Optional.empty(),
            Map.of("SFUMATO_KAFKA_SSL_KEY_PASSWORD", "canary-5"),
            Optional.of("kafka:9092"));
    Deployment deployment =
        Deployment.of(
                SourceTopics.of("topic", "id", 1),
                NoiseSecret.parse(SECRET).derive(),
                PipelineMeters.none())
            .with(new OpenMemory(5 << 20));
    String line =
        LifecycleLog.configuration(
            plan, new PipelineRun.Instance(settings, Path.of("state"), 3, 1), deployment);
    assertThat(line).doesNotContain("canary").doesNotContain("\n");
    assertThat(
            LifecycleLog.words(
                new PipelineRun.Instance(settings, Path.of("state"), 3, 1), deployment))
        .doesNotContain("canary", "\n", "{\"")
        .contains(deployment.noiseKey().tag(), "state in state", "kafka:9092");
    JsonNode json = new ObjectMapper().readTree(line);
    assertThat(json.at("/kafka/consumer.fetch.min.bytes").asText()).isEqualTo("17");
    assertThat(json.at("/kafka/sasl.jaas.config").asText()).isEqualTo("***");
    assertThat(json.at("/noise_key").asText()).isEqualTo(deployment.noiseKey().tag());
    assertThat(json.at("/open_memory").asLong()).isEqualTo(5 << 20);
    assertThat(line).doesNotContain(SECRET);
    assertThat(json.at("/plan/budget/epsilon").asDouble()).isEqualTo(4);
    assertThat(json.at("/standbys").asInt()).isEqualTo(1);
  }

  @Test
  void shouldWarnOfAnAnnouncementThatComesTooLate() {
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    Logger logger = (Logger) LoggerFactory.getLogger(LifecycleLog.class);
    Level before = logger.getLevel();
    logger.setLevel(Level.WARN);
    logger.addAppender(lines);
    try {
      new RunningCounts(LifecycleLog.of(Plans.example("wards.yaml").pipeline().window()))
          .announcedTooLate(3, 2, Instant.parse("2026-01-05T00:00:00Z").toEpochMilli());
    } finally {
      logger.detachAppender(lines);
      logger.setLevel(before);
    }
    assertThat(lines.list).hasSize(1);
    assertThat(lines.list.get(0).getLevel()).isEqualTo(Level.WARN);
    assertThat(lines.list.get(0).getFormattedMessage())
        .startsWith("version 2 cannot take over at 2026-01-05T00:00:00Z: partition 3 has closed")
        .endsWith("sfumato activate FILE --from TIME");
  }
}
