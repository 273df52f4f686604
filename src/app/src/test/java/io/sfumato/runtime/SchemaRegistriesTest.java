// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.PipelineFile;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.serde.SchemaSource;
import io.sfumato.serde.registry.RegistryCredentials;
import io.sfumato.serde.registry.RegistrySettings;
import io.sfumato.serde.registry.StubRegistry;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaRegistriesTest {
  private static final String YAML =
      """
      pipeline: p
      input: { topic: in, format: avro, subject: subject, time: at, category: category, categories: [a, b] }
      window: { size: 10s }
      budget: { name: p, unit: record, epsilon: 1, delta: 1e-6, period: window }
      releases:
        - histogram: { name: mix, share: { epsilon: 1, delta: 1e-6 } }
      """;

  private static final String FOREIGN =
      YAML.replace("subject: subject", "subject: ward")
          .replace("category: category", "category: what");

  private static final String VISIT =
      """
      {"type": "record", "name": "Visit", "fields": [
        {"name": "ward", "type": "string"}, {"name": "at", "type": "long"}, {"name": "what", "type": "string"}]}
      """;

  private static final String PROTOBUF =
      FOREIGN.replace("format: avro", "format: protobuf").replace("time: at", "time: seen");

  private static final String PASSWORD = "changeit";

  @TempDir Path folder;

  @Test
  void shouldWarnOfCredentialsThatGoOverPlainHttp() {
    URI plain = URI.create("http://registry:8081");
    URI secret = URI.create("https://registry:8082");
    assertThat(exposed(Optional.of("me:secret"), secret, plain))
        .get()
        .asString()
        .contains("http://registry:8081", "https")
        .doesNotContain("me:", "secret", "8082");
    assertThat(exposed(Optional.of("me:secret"), secret)).isEmpty();
    assertThat(exposed(Optional.empty(), plain)).isEmpty();
  }

  private static Optional<String> exposed(Optional<String> user, URI... urls) {
    return SchemaRegistries.exposed(
        RegistrySettings.of(
            List.of(urls), user.map(RegistryCredentials.Basic::new), Optional.empty()));
  }

  @Test
  void shouldShowATokenThatItIsGiven() throws Exception {
    try (StubRegistry stub = new StubRegistry()) {
      stub.schema(5, VISIT);
      Map<String, String> properties =
          Map.of(
              "schema.registry.url", stub.url().toString(),
              "schema.registry.bearer.auth.credentials.source", "STATIC_TOKEN",
              "schema.registry.bearer.auth.token", "hunter2");
      assertThat(SchemaRegistries.of(pipeline(FOREIGN), settings(properties)).byId(5)).isPresent();
      assertThat(stub.credentials).contains("Bearer hunter2");
    }
  }

  /** A registry that refuses a token is shown another one. */
  @Test
  void shouldFetchTokensFromAnIssuer() throws Exception {
    try (StubRegistry stub = new StubRegistry();
        StubIssuer issuer = new StubIssuer()) {
      stub.schema(5, VISIT);
      stub.schema(6, VISIT);
      Map<String, String> properties = new HashMap<>();
      properties.put("schema.registry.url", stub.url().toString());
      properties.put("schema.registry.bearer.auth.credentials.source", "OAUTHBEARER");
      properties.put("schema.registry.bearer.auth.issuer.endpoint.url", issuer.url().toString());
      properties.put("schema.registry.bearer.auth.client.id", "me");
      properties.put("schema.registry.bearer.auth.client.secret", "hunter2");
      properties.put("schema.registry.bearer.auth.scope", "read all");
      SchemaSource schemas = SchemaRegistries.of(pipeline(FOREIGN), settings(properties));
      assertThat(schemas.byId(5)).isPresent();
      assertThat(issuer.bodies).containsExactly("grant_type=client_credentials&scope=read+all");
      assertThat(issuer.proofs).containsExactly("Basic bWU6aHVudGVyMg==");
      assertThat(stub.credentials).containsOnly("Bearer token-1");
      stub.disturb(1, 401, "{\"error_code\":40101}");
      assertThat(schemas.byId(6)).as("with another token").isPresent();
      assertThat(stub.credentials).last().isEqualTo("Bearer token-2");
      issuer.refuse();
      stub.disturb(1, 401, "{\"error_code\":40101}");
      assertThatThrownBy(() -> schemas.byId(7))
          .hasMessageContaining("answered with status 401 and without a token")
          .hasMessageContaining("client.secret")
          .hasMessageNotContaining("hunter2");
    }
  }

  /** What is misspelt would be left out, and the registry asked without it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "schema.registry.basic.auth.userinfo | me:hunter2 | 'schema.registry.basic.auth.userinfo' is not known: there are schema.registry.url",
        "schema.registry.ssl.truststore.path | hunter2 | 'schema.registry.ssl.truststore.path' is not known",
        "schema.registry.bearer.auth.credentials.source | SASL_OAUTHBEARER_INHERIT | allowed is STATIC_TOKEN or OAUTHBEARER",
        "schema.registry.bearer.auth.credentials.source | OAUTHBEARER | 'schema.registry.bearer.auth.issuer.endpoint.url' is missing",
        "schema.registry.bearer.auth.client.secret | hunter2 | only with 'schema.registry.bearer.auth.credentials.source' OAUTHBEARER",
        "schema.registry.basic.auth.credentials.source | URL | allowed is USER_INFO",
        "schema.registry.bearer.auth.token | hunter2 | give one of them",
      })
  void shouldRefuseSettingsThatItDoesNotKnowByName(String name, String value, String told) {
    Map<String, String> properties = new HashMap<>();
    properties.put("schema.registry.url", "https://registry:8081");
    properties.put("schema.registry.basic.auth.user.info", "me:pa55word");
    properties.put(name, value);
    assertThatThrownBy(() -> SchemaRegistries.of(settings(properties)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(name)
        .hasMessageContaining(told)
        .message()
        .doesNotContain("hunter2", "pa55word");
  }

  private static Pipeline pipeline(String yaml) throws Exception {
    return PipelineFile.parse("p.yaml", yaml);
  }

  private static KafkaSettings settings(Map<String, String> section) throws RefusedException {
    return KafkaSettings.gather(section, Optional.empty(), Map.of(), Optional.empty());
  }

  @Test
  void shouldNeedNoRegistryForUserRecordsAndForJson() throws Exception {
    assertThat(SchemaRegistries.of(pipeline(YAML), settings(Map.of())).byId(1)).isEmpty();
    // Nobody is asked.
    SchemaRegistries.of(
        pipeline(FOREIGN.replace("format: avro", "format: json")),
        settings(Map.of("schema.registry.url", "http://127.0.0.1:1")));
    assertThatThrownBy(() -> SchemaRegistries.of(pipeline(FOREIGN), settings(Map.of())))
        .hasMessageContaining("no field 'ward'")
        .hasMessageContaining("schema.registry.url");
  }

  /** A question waits in the middle of a transaction. */
  @Test
  void shouldAskForLessLongThanATransactionLasts() throws Exception {
    StreamsConfig config =
        new StreamsConfig(
            StreamsSettings.of(
                "sfumato-p", new PipelineRun.Instance(settings(Map.of()), folder, 3, 1)));
    int transaction =
        (Integer) config.getProducerConfigs("p").get(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG);
    RegistrySettings settings =
        RegistrySettings.of(
            List.of(URI.create("http://127.0.0.1:1")), Optional.empty(), Optional.empty());
    assertThat(settings.longest().multipliedBy(2))
        .isLessThanOrEqualTo(Duration.ofMillis(transaction));
    assertThat(settings.timeout()).isLessThan(settings.longest());
  }

  @Test
  void shouldCompareTheFileWithTheLatestSchema() throws Exception {
    try (StubRegistry stub = new StubRegistry()) {
      KafkaSettings settings = settings(Map.of("schema.registry.url", stub.url().toString()));
      assertThat(SchemaRegistries.of(pipeline(FOREIGN), settings).byId(3))
          .as("nobody has written yet")
          .isEmpty();
      stub.has(
          "/subjects/in-value/versions/latest",
          200,
          "{\"schema\":" + StubRegistry.quoted(VISIT) + "}");
      SchemaRegistries.of(pipeline(FOREIGN), settings);
      assertThatThrownBy(() -> SchemaRegistries.of(pipeline(YAML), settings))
          .hasMessageContaining("the latest schema of subject 'in-value' does not fit")
          .hasMessageContaining("'subject'")
          .hasMessageContaining("'category'");
    }
  }

  @Test
  void shouldCompareTheFileWithTheLatestSchemaOfProtobuf() throws Exception {
    assertThatThrownBy(() -> SchemaRegistries.of(pipeline(PROTOBUF), settings(Map.of())))
        .hasMessageContaining("input.format protobuf")
        .hasMessageContaining("schema.registry.url");
    try (StubRegistry stub = new StubRegistry()) {
      KafkaSettings settings = settings(Map.of("schema.registry.url", stub.url().toString()));
      SchemaRegistries.of(pipeline(PROTOBUF), settings);
      latest(
          stub,
          "syntax = \"proto3\"; message Other { string ward = 1; } message Visit { string ward = 1; int64 seen = 2; string what = 3; }");
      SchemaRegistries.of(pipeline(PROTOBUF), settings);
      latest(stub, "syntax = \"proto3\"; message Visit { string ward = 1; float seen = 2; }");
      assertThatThrownBy(() -> SchemaRegistries.of(pipeline(PROTOBUF), settings))
          .hasMessageContaining("the latest schema of subject 'in-value' does not fit")
          .hasMessageContaining("its message 'Visit' has no field 'what'")
          .hasMessageContaining("its field 'seen' is a float");
      assertThatThrownBy(() -> SchemaRegistries.of(pipeline(FOREIGN), settings))
          .hasMessageContaining("it has type Protobuf; set input.format: protobuf");
    }
  }

  private static void latest(StubRegistry stub, String schema) {
    stub.has(
        "/subjects/in-value/versions/latest",
        200,
        "{\"schemaType\":\"PROTOBUF\",\"schema\":" + StubRegistry.quoted(schema) + "}");
  }

  @Test
  void shouldRegisterWhatIsWritten() throws Exception {
    Pipeline writing = pipeline(YAML + "schemas: registry\n");
    assertThatThrownBy(() -> SchemaRegistries.of(writing, settings(Map.of())))
        .hasMessageContaining("schemas: registry: name the registry");
    try (StubRegistry stub = new StubRegistry()) {
      SchemaSource schemas =
          SchemaRegistries.of(
              writing, settings(Map.of("schema.registry.url", stub.url().toString())));
      assertThat(stub.asked)
          .contains(
              "/subjects/mix-value/versions",
              "/subjects/p-refusals-value/versions",
              "/subjects/p-dead-letters-value/versions");
      assertThat(schemas.idOf(DirichletRelease.getClassSchema())).isPositive();
    }
    assertThatThrownBy(() -> pipeline(YAML + "schemas: registry\nformat: json\n"))
        .hasMessageContaining("with format 'avro' only");
  }

  @Test
  void shouldNotStartWithoutARegistryThatItNeeds() throws Exception {
    int nobody = EmbeddedBroker.freePort();
    KafkaSettings settings = settings(Map.of("schema.registry.url", "http://127.0.0.1:" + nobody));
    assertThatThrownBy(() -> SchemaRegistries.of(pipeline(FOREIGN), settings))
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.code()).isEqualTo(ExitCode.REFUSED_CLUSTER))
        .hasMessageContaining("did not answer");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://x", "http://me:secret@x", "::", "http://"})
  void shouldRefuseWhatIsNoUrlWithoutRepeatingIt(String url) {
    assertThatThrownBy(
            () ->
                SchemaRegistries.of(
                    pipeline(FOREIGN), settings(Map.of("schema.registry.url", url))))
        .hasMessageContaining("schema.registry.url")
        .hasMessageNotContaining("secret");
  }

  @Test
  void shouldTrustTheCertificatesThatItIsGiven() throws Exception {
    Path store = TestKeyStore.in(folder, PASSWORD);
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(managers.getKeyManagers(), null, null);
    try (StubRegistry stub = new StubRegistry(tls)) {
      stub.schema(5, VISIT);
      Map<String, String> properties = new HashMap<>();
      properties.put("schema.registry.url", stub.url().toString());
      assertThatThrownBy(() -> SchemaRegistries.of(pipeline(FOREIGN), settings(properties)))
          .hasMessageContaining("did not answer (SSLHandshakeException)");
      properties.put("schema.registry.ssl.truststore.location", store.toString());
      properties.put("schema.registry.ssl.truststore.password", PASSWORD);
      properties.put("schema.registry.basic.auth.user.info", "me:secret");
      assertThat(SchemaRegistries.of(pipeline(FOREIGN), settings(properties)).byId(5)).isPresent();
      assertThat(stub.credentials).contains("Basic bWU6c2VjcmV0");
      properties.put("schema.registry.ssl.truststore.password", "wrong");
      assertThatThrownBy(() -> SchemaRegistries.of(pipeline(FOREIGN), settings(properties)))
          .hasMessageContaining("'schema.registry.ssl.truststore.*'")
          .hasMessageNotContaining("wrong");
      properties.put("schema.registry.ssl.truststore.type", "wrong");
      assertThatThrownBy(() -> SchemaRegistries.of(pipeline(FOREIGN), settings(properties)))
          .hasMessage(
              "property 'schema.registry.ssl.truststore.type' is not known: PEM, PKCS12 and JKS are");
      properties.put("schema.registry.ssl.truststore.location", store + ".gone");
      assertThatThrownBy(() -> SchemaRegistries.of(pipeline(FOREIGN), settings(properties)))
          .hasMessage("property 'schema.registry.ssl.truststore.location' names no file");
    }
  }
}
