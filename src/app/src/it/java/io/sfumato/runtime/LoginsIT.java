// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.sfumato.client.EventPublisher;
import io.sfumato.client.OutputReader;
import io.sfumato.devcluster.EmbeddedBroker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.RsaJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The ways in which a cluster may want to know who somebody is, each by a properties file alone;
 * and what is said where the file lacks something: Kafka's own words, and no password.
 */
@Tag("cluster")
class LoginsIT {
  private static final String PASSWORD = "store-password";
  private static final String ALLOWED = "org.apache.kafka.sasl.oauthbearer.allowed.urls";

  @TempDir Path folder;

  private Optional<String> allowedBefore;

  @BeforeEach
  void remember() {
    allowedBefore = Optional.ofNullable(System.getProperty(ALLOWED));
  }

  @AfterEach
  void restore() {
    allowedBefore.ifPresentOrElse(
        urls -> System.setProperty(ALLOWED, urls), () -> System.clearProperty(ALLOWED));
  }

  /** Clients come by a listener of their own; the broker itself needs no login. */
  private EmbeddedBroker start(String protocol, Map<String, String> more) {
    int clients = EmbeddedBroker.freePort();
    int internal = EmbeddedBroker.freePort();
    int controller = EmbeddedBroker.freePort();
    Map<String, String> config = new HashMap<>();
    config.put(
        "listeners",
        "CLIENTS://127.0.0.1:%d,INTERNAL://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d"
            .formatted(clients, internal, controller));
    config.put(
        "advertised.listeners",
        "CLIENTS://127.0.0.1:%d,INTERNAL://127.0.0.1:%d".formatted(clients, internal));
    config.put("controller.quorum.voters", "1@127.0.0.1:" + controller);
    config.put(
        "listener.security.protocol.map",
        "CLIENTS:%s,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT".formatted(protocol));
    config.put("inter.broker.listener.name", "INTERNAL");
    config.putAll(more);
    plain = "127.0.0.1:" + internal;
    return EmbeddedBroker.start(folder.resolve("broker"), clients, config);
  }

  /** Where nobody has to say who he is. */
  private String plain;

  private KafkaSettings settings(EmbeddedBroker broker, String lines) throws Exception {
    Path file = Files.writeString(folder.resolve("client.properties"), lines);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return KafkaSettings.gather(
        Map.of(), Optional.of(file), Map.of(), Optional.of(broker.bootstrapServers()));
  }

  private static void assertWritesAndReads(KafkaSettings settings) throws Exception {
    try (Cluster cluster = Cluster.await(settings, TestCluster.PATIENCE, line -> {})) {
      cluster.topics().createIfMissing("in", 1);
    }
    try (EventPublisher publisher = new EventPublisher(settings)) {
      publisher.event("in", "ann", "{}".getBytes(StandardCharsets.UTF_8));
    }
    AtomicInteger seen = new AtomicInteger();
    new OutputReader(settings)
        .read(List.of("in"), OutputReader.Ending.AT_END, record -> seen.incrementAndGet() > 0);
    assertThat(seen).hasValue(1);
  }

  private static org.assertj.core.api.AbstractThrowableAssert<?, ? extends Throwable> assertRefused(
      KafkaSettings settings) {
    return assertThatThrownBy(
            () -> Cluster.await(settings, Duration.ofSeconds(20), line -> {}).close())
        .isInstanceOf(RefusedException.class);
  }

  @Test
  void shouldLogInWithScram() throws Exception {
    try (EmbeddedBroker broker =
        start(
            "SASL_PLAINTEXT",
            Map.of(
                "sasl.enabled.mechanisms",
                "SCRAM-SHA-512",
                "listener.name.clients.scram-sha-512.sasl.jaas.config",
                "org.apache.kafka.common.security.scram.ScramLoginModule required;"))) {
      try (Admin admin = Admin.create(Map.of("bootstrap.servers", plain))) {
        admin
            .alterUserScramCredentials(
                List.of(
                    new UserScramCredentialUpsertion(
                        "ann",
                        new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 8192),
                        "hunter2")))
            .all()
            .get();
      }
      String lines =
          """
          security.protocol=SASL_PLAINTEXT
          sasl.mechanism=SCRAM-SHA-512
          sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="ann" password="%s";
          """;
      Patiently.await()
          .atMost(TestCluster.PATIENCE)
          .ignoreExceptions()
          .untilAsserted(() -> assertKnown(settings(broker, lines.formatted("hunter2"))));
      assertWritesAndReads(settings(broker, lines.formatted("hunter2")));
      assertRefused(settings(broker, lines.formatted("swordfish")))
          .hasMessageContaining("Authentication failed")
          .message()
          .doesNotContain("swordfish");
    }
  }

  private static void assertKnown(KafkaSettings settings) throws Exception {
    try (Cluster cluster = new Cluster(settings)) {
      assertThat(cluster.id()).isNotEmpty();
    }
  }

  @Test
  void shouldShowACertificate() throws Exception {
    Path store = TestKeyStore.in(folder, PASSWORD);
    Map<String, String> config = new HashMap<>();
    config.put("ssl.keystore.location", store.toString());
    config.put("ssl.keystore.password", PASSWORD);
    config.put("ssl.truststore.location", store.toString());
    config.put("ssl.truststore.password", PASSWORD);
    config.put("ssl.client.auth", "required");
    try (EmbeddedBroker broker = start("SSL", config)) {
      String trust =
          """
          security.protocol=SSL
          ssl.endpoint.identification.algorithm=
          ssl.truststore.location=%1$s
          ssl.truststore.password=%2$s
          """
              .formatted(store, PASSWORD);
      String mine =
          "ssl.keystore.location=%s%nssl.keystore.password=%s%n".formatted(store, PASSWORD);
      assertWritesAndReads(settings(broker, trust + mine));
      assertRefused(settings(broker, trust)).message().doesNotContain(PASSWORD);
      assertRefused(settings(broker, trust + mine.replace("store.p12", "nothing.p12")))
          .hasMessageContaining("ssl.keystore.location")
          .message()
          .doesNotContain(PASSWORD, "nothing.p12");
    }
  }

  @Test
  void shouldLogInWithATokenOfATokenServer() throws Exception {
    RsaJsonWebKey key = RsaJwkGenerator.generateJwk(2048);
    key.setKeyId("key-1");
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    answer(server, "/jwks", new JsonWebKeySet(key).toJson());
    answer(server, "/token", "{\"access_token\":\"%s\",\"expires_in\":3600}".formatted(token(key)));
    server.start();
    System.setProperty(ALLOWED, url + "/jwks," + url + "/token");
    Map<String, String> config =
        Map.of(
            "sasl.enabled.mechanisms",
            "OAUTHBEARER",
            "sasl.oauthbearer.jwks.endpoint.url",
            url + "/jwks",
            "sasl.oauthbearer.expected.audience",
            "kafka",
            "listener.name.clients.oauthbearer.sasl.server.callback.handler.class",
            "org.apache.kafka.common.security.oauthbearer.OAuthBearerValidatorCallbackHandler",
            "listener.name.clients.oauthbearer.sasl.jaas.config",
            "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required;");
    try (EmbeddedBroker broker = start("SASL_PLAINTEXT", config)) {
      String lines =
          """
          security.protocol=SASL_PLAINTEXT
          sasl.mechanism=OAUTHBEARER
          sasl.login.callback.handler.class=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler
          sasl.jaas.config=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required clientId="ann" clientSecret="hunter2";
          """;
      String endpoint = "sasl.oauthbearer.token.endpoint.url=" + url + "/token\n";
      assertWritesAndReads(settings(broker, lines + endpoint));
      assertRefused(settings(broker, lines))
          .hasMessageContaining("sasl.oauthbearer.token.endpoint.url")
          .message()
          .doesNotContain("hunter2");
      System.clearProperty(ALLOWED);
      assertRefused(settings(broker, lines + endpoint))
          .hasMessageContaining(ALLOWED)
          .message()
          .doesNotContain("hunter2", url);
    } finally {
      server.stop(0);
    }
  }

  private static void answer(HttpServer server, String path, String json) {
    server.createContext(
        path,
        exchange -> {
          byte[] body = json.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
  }

  private static String token(RsaJsonWebKey key) throws Exception {
    JwtClaims claims = new JwtClaims();
    claims.setSubject("ann");
    claims.setAudience("kafka");
    claims.setIssuedAtToNow();
    claims.setExpirationTimeMinutesInTheFuture(60);
    claims.setStringClaim("scope", "all");
    JsonWebSignature jws = new JsonWebSignature();
    jws.setPayload(claims.toJson());
    jws.setKey(key.getPrivateKey());
    jws.setKeyIdHeaderValue(key.getKeyId());
    jws.setAlgorithmHeaderValue(AlgorithmIdentifiers.RSA_USING_SHA256);
    return jws.getCompactSerialization();
  }
}
