// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.property.ForAll;
import io.sfumato.property.Property;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A password in a setting stays where it is. */
class ClientPropertiesTest {
  private static final String MODULE = "org.apache.kafka.common.security.plain.PlainLoginModule";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        MODULE + " required username=\"ann\" password=\"hunter2\"",
        MODULE + " required username=ann password=a hunter2;",
        MODULE + " required username=\"ann\" password=\"a\"b\"hunter2\";",
        MODULE + " hunter2 username=\"ann\";",
        "hunter2"
      })
  void shouldNameABrokenJaasEntryAndQuoteNothingOfIt(String entry) {
    for (String name :
        new String[] {"sasl.jaas.config", "producer.sasl.jaas.config", "admin.sasl.jaas.config"}) {
      assertThatThrownBy(() -> gather(Map.of(name, entry)))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("property '" + name + "'")
          .hasMessageContaining("semicolon")
          .message()
          .doesNotContain("hunter2", "ann");
    }
  }

  @Test
  void shouldTakeAnEntryThatIsWhole() {
    assertThatCode(
            () ->
                gather(
                    Map.of(
                        "sasl.jaas.config",
                        MODULE + " required username=\"ann\" password=\"hunter2\";")))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "max.poll.records, hunter2",
    "main.consumer.max.poll.records, hunter2",
    "producer.linger.ms, hunter2",
    "admin.retries, -hunter2",
    "num.standby.replicas, hunter2",
    "security.protocol, hunter2",
    "interceptor.classes, hunter2.Missing",
    "sasl.login.class, hunter2.Missing"
  })
  void shouldNameASettingThatKafkaDoesNotTakeWithoutItsValue(String name, String value) {
    if (name.startsWith("interceptor")) {
      // A list: its classes are looked for when a client is made.
      assertThatCode(() -> gather(Map.of(name, value))).doesNotThrowAnyException();
      return;
    }
    assertThatThrownBy(() -> gather(Map.of(name, value)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("property '" + name + "'")
        .hasMessageContaining(name.endsWith("class") ? "the class was not found" : "allowed is")
        .message()
        .doesNotContain("hunter2");
  }

  @Test
  void shouldLeaveToKafkaWhatAProviderFillsIn() {
    assertThatCode(() -> gather(Map.of("sasl.jaas.config", "${file:/run/secrets/jaas:entry}")))
        .doesNotThrowAnyException();
  }

  /** Kafka's own clients do so: a class that logs in may have settings of its own. */
  @Test
  void shouldHandWhatKafkaDoesNotKnowToEveryClient() throws Exception {
    KafkaSettings settings =
        gather(
            Map.of(
                "example.login.file", "/etc/login",
                "num.standby.replicas", "1",
                "main.consumer.max.poll.records", "7",
                "topic.segment.bytes", "1048576",
                "schema.registry.url", "https://registry"));
    for (Map<String, Object> client :
        List.of(settings.admin(), settings.producer(), settings.consumer())) {
      assertThat(client)
          .containsEntry("example.login.file", "/etc/login")
          .doesNotContainKeys(
              "num.standby.replicas",
              "main.consumer.max.poll.records",
              "topic.segment.bytes",
              "schema.registry.url");
    }
  }

  @Test
  void shouldTellAClientsErrorWithoutItsSettings() {
    Map<String, Object> broken =
        Map.of(
            "bootstrap.servers",
            "localhost:9092",
            "security.protocol",
            "SASL_PLAINTEXT",
            "sasl.mechanism",
            "PLAIN",
            "sasl.jaas.config",
            MODULE + " required password=a hunter2;");
    assertThatThrownBy(() -> Admin.create(broken))
        .satisfies(e -> assertThat(Failures.root(e).getMessage()).contains("hunter2"))
        .satisfies(
            e ->
                assertThat(ClientErrors.words(e))
                    .startsWith("KafkaException")
                    .doesNotContain("hunter2"));
    KafkaException outer =
        new KafkaException("hunter2", new ConfigException("max.poll.records", "hunter2"));
    assertThat(ClientErrors.words(outer))
        .contains("ConfigException about max.poll.records")
        .doesNotContain("hunter2");
    assertThat(ClientErrors.words(new TimeoutException("no answer"))).isEqualTo("no answer");
  }

  @Test
  void shouldTellThatALoginIsMissing() {
    Map<String, String> settings =
        Map.of("bootstrap.servers", "localhost:9092", "security.protocol", "SASL_PLAINTEXT");
    assertThatThrownBy(() -> Admin.create(Map.<String, Object>copyOf(settings)))
        .satisfies(
            e ->
                assertThat(ClientErrors.words(e, settings))
                    .contains("property 'sasl.jaas.config' is missing"));
  }

  /** Kafka explains well what is missing: its sentence is told, and values give way to names. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          The OAuth configuration option sasl.oauthbearer.token.endpoint.url value is required | sasl.oauthbearer.token.endpoint.url value is required
          Failed to load SSL keystore /etc/keys/mine.p12 of type PKCS12 | Failed to load SSL keystore (the value of ssl.keystore.location) of type PKCS12
          Invalid value hunter2 for configuration sasl.login.class: Class hunter2 could not be found. | ConfigException
          Invalid value 7x for configuration retries: Not a number of type INT | configuration retries is not valid: Not a number of type INT
          expected a semicolon, found hunter2 | ConfigException
          expected a semicolon, found p | ConfigException
          unable to find LoginModule class: com.example.Module | unable to find LoginModule class: com.example.Module
          """)
  void shouldTellKafkasExplanationWithoutValues(String kafka, String told) {
    Map<String, String> settings =
        Map.of(
            "sasl.jaas.config",
            "com.example.Module required username=\"ann\" password=\"hunter2 p q\";",
            "ssl.keystore.location",
            "/etc/keys/mine.p12",
            "ssl.keystore.password",
            "s3cret",
            "sasl.mechanism",
            "OAUTHBEARER");
    Throwable thrown =
        new KafkaException("Failed to create new KafkaAdminClient", new ConfigException(kafka));
    assertThat(ClientErrors.words(thrown, settings))
        .contains(told)
        .doesNotContain("hunter2", "s3cret", "ann", "mine.p12", "found p");
  }

  /** Whatever a client says about its settings: no part of a password is ever told. */
  @Property(seed = "52")
  void shouldNeverTellAPartOfASecret(@ForAll Random random) {
    String password = text(random, 1 + random.nextInt(30));
    String sentence =
        text(random, random.nextInt(20)) + " " + password + " " + text(random, random.nextInt(20));
    assertThat(new ValueFreeText(Map.of("ssl.key.password", password)).of(sentence)).isEmpty();
  }

  /** Of printable characters, not blank. */
  private static String text(Random random, int length) {
    StringBuilder text = new StringBuilder(length == 0 ? "" : "x");
    for (int i = 1; i < length; i++) {
      text.append((char) (' ' + random.nextInt(95)));
    }
    return text.toString().strip();
  }

  @Test
  void shouldKeepAFileOfPasswordsLikeAKey() throws Exception {
    Path file = Files.writeString(folder.resolve("client.properties"), "ssl.key.password=hunter2");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> gather(file))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("ssl.key.password")
        .hasMessageContaining("chmod 600 " + file)
        .message()
        .doesNotContain("hunter2");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertThat(gather(file).all()).containsEntry("ssl.key.password", "hunter2");
    Files.writeString(
        file,
        """
        security.protocol=SASL_SSL
        ssl.truststore.location=/etc/ssl/trust.jks
        sasl.oauthbearer.token.endpoint.url=https://id.example/token
        sasl.jaas.config=${file:/run/secrets/jaas:entry}
        """);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(gather(file).all()).as("nothing secret in it").hasSize(5);
  }

  private static KafkaSettings gather(Map<String, String> section) throws RefusedException {
    return KafkaSettings.gather(section, Optional.empty(), Map.of(), Optional.empty());
  }

  private static KafkaSettings gather(Path file) throws RefusedException {
    return KafkaSettings.gather(Map.of(), Optional.of(file), Map.of(), Optional.empty());
  }
}
