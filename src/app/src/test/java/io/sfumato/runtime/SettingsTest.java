// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
  private static final String WAIT = "fetch.max.wait.ms";

  @TempDir Path folder;

  @Test
  void shouldLetLaterPlacesWin() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("kafka.properties"),
            "client.id=file\nsecurity.protocol=SASL_SSL\nsasl.mechanism=PLAIN\n");
    KafkaSettings settings =
        KafkaSettings.gather(
            Map.of("client.id", "section", "sasl.mechanism", "GSSAPI", "linger.ms", "7"),
            Optional.of(file),
            Map.of("SFUMATO_KAFKA_SECURITY_PROTOCOL", "SSL", "PATH", "/bin"),
            Optional.of("kafka:9093"));
    assertThat(settings.all())
        .containsEntry("client.id", "file")
        .containsEntry("sasl.mechanism", "PLAIN")
        .containsEntry("security.protocol", "SSL")
        .containsEntry("linger.ms", "7")
        .containsEntry("bootstrap.servers", "kafka:9093")
        .hasSize(5);
    assertThat(settings.admin())
        .containsEntry("security.protocol", "SSL")
        .doesNotContainKey("linger.ms");
    assertThat(settings.producer()).containsEntry("linger.ms", "7").containsEntry("acks", "all");
    assertThat(settings.consumer()).containsEntry("isolation.level", "read_committed");
  }

  @Test
  void shouldTellNobodyMetricsOfClientsThatLiveForAMomentUnlessAsked() throws Exception {
    KafkaSettings quiet =
        KafkaSettings.gather(Map.of(), Optional.empty(), Map.of(), Optional.of("kafka:9093"));
    for (Map<String, Object> client : List.of(quiet.admin(), quiet.producer(), quiet.consumer())) {
      assertThat(client)
          .containsEntry("metric.reporters", "")
          .containsEntry("enable.metrics.push", false);
    }
    assertThat(quiet.all()).as("Kafka Streams is asked for them").hasSize(1);
    String reporter = "org.apache.kafka.common.metrics.JmxReporter";
    KafkaSettings asked =
        KafkaSettings.gather(
            Map.of("metric.reporters", reporter, "enable.metrics.push", "true"),
            Optional.empty(),
            Map.of(),
            Optional.of("kafka:9093"));
    for (Map<String, Object> client : List.of(asked.admin(), asked.producer(), asked.consumer())) {
      assertThat(client)
          .containsEntry("metric.reporters", reporter)
          .containsEntry("enable.metrics.push", "true");
    }
  }

  @Test
  void shouldSayThatAnAddressHasNoPort() {
    for (String servers : List.of("localhost", "kafka:9092,other", "a:b")) {
      assertThatThrownBy(
              () ->
                  KafkaSettings.gather(Map.of(), Optional.empty(), Map.of(), Optional.of(servers)))
          .hasMessageContaining("has no port: write HOST:PORT, such as ");
    }
  }

  @Test
  void shouldTakeTheClusterAtHandOnlyWhereNobodyNamesOne() throws Exception {
    assertThat(
            KafkaSettings.gather(
                    Map.of(), Optional.empty(), Map.of(), Optional.empty(), () -> "here:1")
                .bootstrapServers())
        .isEqualTo("here:1");
    assertThat(
            KafkaSettings.gather(
                    Map.of("bootstrap.servers", "there:2"),
                    Optional.empty(),
                    Map.of(),
                    Optional.empty(),
                    () -> "here:1")
                .bootstrapServers())
        .isEqualTo("there:2");
  }

  /** Whoever reads to a topic's end and closes would wait for half a second of nothing. */
  @Test
  void shouldWaitShortlyForRecordsThatAreNotThere() throws Exception {
    for (String chosen : List.of("", "700")) {
      Map<String, String> section = chosen.isEmpty() ? Map.of() : Map.of(WAIT, chosen);
      assertThat(
              KafkaSettings.gather(section, Optional.empty(), Map.of(), Optional.empty())
                  .consumer()
                  .get(WAIT)
                  .toString())
          .isEqualTo(chosen.isEmpty() ? "50" : chosen);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "processing.guarantee",
        "isolation.level",
        "main.consumer.isolation.level",
        "consumer.auto.offset.reset",
        "restore.consumer.auto.offset.reset",
        "enable.auto.commit",
        "producer.enable.idempotence",
        "acks",
        "producer.acks",
        "transactional.id",
        "group.instance.id",
        "main.consumer.group.instance.id",
        "application.id",
        "group.id",
        "topic.cleanup.policy",
        "topic.retention.ms",
        "default.timestamp.extractor",
        "processing.exception.handler",
        "deserialization.exception.handler",
        "default.production.exception.handler",
        "default.key.serde",
        "value.serializer",
        "state.dir",
        "replication.factor"
      })
  void shouldRefuseByNameWhatWouldBreakAGuarantee(String name) {
    assertThatThrownBy(
            () ->
                KafkaSettings.gather(
                    Map.of(name, "x"), Optional.empty(), Map.of(), Optional.empty()))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("property '" + name + "' cannot be set: ");
  }

  @Test
  void shouldRefuseATransactionThatOutlivesItsSession() throws Exception {
    assertThat(Timeouts.of(Map.of())).isEqualTo(new Timeouts(10_000, 10_000));
    assertThat(Timeouts.of(Map.of("session.timeout.ms", "6000")))
        .as("a transaction is never longer than the session")
        .isEqualTo(new Timeouts(6_000, 6_000));
    assertThat(
            Timeouts.of(
                Map.of(
                    "session.timeout.ms", "6000",
                    "main.consumer.session.timeout.ms", "30000",
                    "producer.transaction.timeout.ms", "20000")))
        .isEqualTo(new Timeouts(30_000, 20_000));
    assertThatThrownBy(
            () ->
                KafkaSettings.gather(
                    Map.of("transaction.timeout.ms", "60000"),
                    Optional.empty(),
                    Map.of("SFUMATO_KAFKA_SESSION_TIMEOUT_MS", "6000"),
                    Optional.empty()))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("set transaction.timeout.ms to 6000 or less");
    assertThatThrownBy(() -> Timeouts.of(Map.of("session.timeout.ms", "long")))
        .hasMessageContaining("session.timeout.ms is no number")
        .message()
        .doesNotContain("long");
  }

  @Test
  void shouldRefuseALockedPropertyWhereverItIsSet() throws Exception {
    Path file = Files.writeString(folder.resolve("kafka.properties"), "acks=1\n");
    assertThatThrownBy(
            () ->
                KafkaSettings.gather(
                    Map.of(),
                    Optional.of(file),
                    Map.of("SFUMATO_KAFKA_ACKS", "0"),
                    Optional.empty()))
        .hasMessageContaining(file + ": property 'acks'")
        .hasMessageContaining("the environment: property 'acks'");
    assertThatThrownBy(
            () ->
                KafkaSettings.gather(
                    Map.of(), Optional.of(folder.resolve("none")), Map.of(), Optional.empty()))
        .hasMessageContaining("cannot be read");
  }

  @Test
  void shouldNotStartWithoutASecretAndKeepADevelopmentOne() throws Exception {
    assertThatThrownBy(() -> Secrets.require(Optional.empty(), Map.of()))
        .hasMessageContaining("sfumato secret FILE")
        .hasMessageContaining(Secrets.VARIABLE);
    assertThatThrownBy(() -> Secrets.require(Optional.of(folder.resolve("none")), Map.of()))
        .hasMessageContaining("no such file");
    assertThatThrownBy(() -> Secrets.require(Optional.empty(), Map.of(Secrets.VARIABLE, "hunter2")))
        .hasMessageContaining("64 hexadecimal digits")
        .message()
        .doesNotContain("hunter2");
    assertThat(Secrets.exposure(Optional.empty(), Map.of(Secrets.VARIABLE, "x")))
        .hasValueSatisfying(line -> assertThat(line).contains("/proc/", "--secret-file"));
    assertThat(Secrets.exposure(Optional.empty(), Map.of())).isEmpty();
    assertThat(
            EnvironmentSecretWarning.ofKafka(Map.of("SFUMATO_KAFKA_SECURITY_PROTOCOL", "SASL_SSL")))
        .isEmpty();
    assertThat(
            EnvironmentSecretWarning.ofKafka(
                Map.of("SFUMATO_KAFKA_SSL_KEY_PASSWORD", "${file:x:y}")))
        .as("where it lies is no secret")
        .isEmpty();
    assertThat(
            EnvironmentSecretWarning.ofKafka(
                Map.of(
                    "SFUMATO_KAFKA_SSL_TRUSTSTORE_LOCATION", "/etc/trust",
                    "SFUMATO_KAFKA_SASL_JAAS_CONFIG", "canary-1",
                    "SFUMATO_KAFKA_SSL_KEY_PASSWORD", "canary-2")))
        .hasValueSatisfying(
            line ->
                assertThat(line)
                    .contains("SFUMATO_KAFKA_SASL_JAAS_CONFIG, SFUMATO_KAFKA_SSL_KEY_PASSWORD")
                    .contains("/proc/", "--config FILE")
                    .doesNotContain("canary")
                    .doesNotContain("TRUSTSTORE")
                    .doesNotContain("\n"));
    assertThat(Secrets.exposure(Optional.of(folder), Map.of(Secrets.VARIABLE, "x")))
        .as("the file wins")
        .isEmpty();
    String first = Secrets.forDevelopment(Optional.empty(), Map.of(), folder).derive().tag();
    assertThat(Secrets.forDevelopment(Optional.empty(), Map.of(), folder).derive().tag())
        .isEqualTo(first);
  }
}
