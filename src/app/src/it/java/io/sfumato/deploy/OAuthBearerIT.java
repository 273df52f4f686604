// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.TestCluster;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/operate/connect-with-oauthbearer.md says, on a cluster that wants a token. */
@Tag("release")
class OAuthBearerIT {
  private static final String ALLOWED = "org.apache.kafka.sasl.oauthbearer.allowed.urls";
  private static final String PRINCIPAL = "User:sfumato-client";
  private static final String SECRET = "hunter2-right";
  private static final String PROVIDER = "https://idp.example.com";

  /** Clients fetch another one after 80% of it. */
  private static final int TOKEN_SECONDS = 60;

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

  @Test
  void shouldRunWithTokensAndFetchNewOnes() throws Exception {
    Guide guide = Guide.of("oauthbearer");
    guide.assertShows("'" + PRINCIPAL + "'");
    guide.assertShows("SFUMATO_JAVA_OPTIONS=-D" + ALLOWED + "=" + PROVIDER + "/oauth2/token");
    Authority authority = new Authority(folder, "authority");
    authority.trustedAs("kafka-ca.pem");
    authority.trustedAs("idp-ca.pem");
    try (TokenIssuer issuer =
        new TokenIssuer(
            authority.ofWebServer(), "sfumato:" + SECRET, "sfumato-client", TOKEN_SECONDS)) {
      System.setProperty(ALLOWED, issuer.url() + "/jwks"); // the broker's, which is in this JVM
      Map<String, String> environment =
          Map.of("SFUMATO_JAVA_OPTIONS", "-D" + ALLOWED + "=" + issuer.url() + "/oauth2/token");
      try (GuidedBroker broker =
              new GuidedBroker(folder.resolve("broker"), "SASL_SSL", config(authority, issuer));
          GuidedPipeline pipeline = new GuidedPipeline(folder, "bearer", broker, environment);
          GuidedPipeline closed = new GuidedPipeline(folder, "closed", broker, Map.of())) {
        Path right = filled(guide, issuer, SECRET);
        pipeline.grant(PRINCIPAL);
        pipeline.examine(right);
        Launcher.Running run = pipeline.run(right);
        int before = issuer.issued();
        // The broker lets nobody in for longer than a token is valid.
        await().atMost(TestCluster.PATIENCE).until(() -> issuer.issued() >= before + 2);
        assertThat(run.isAlive()).as(run.text()).isTrue();
        pipeline.release(right, 1);
        GuidedPipeline.stop(run);
        pipeline.assertRefused(
            filled(guide, issuer, "hunter3-wrong"), "The login failed: ", "hunter3-wrong");
        closed.assertRefused(
            right, List.of("SFUMATO_JAVA_OPTIONS=-D" + ALLOWED + "=URL"), SECRET, issuer.url());
      }
    }
  }

  private static Map<String, String> config(Authority authority, TokenIssuer issuer)
      throws Exception {
    Map<String, String> config = new HashMap<>(authority.ofBroker());
    config.put("sasl.enabled.mechanisms", "OAUTHBEARER");
    config.put("sasl.oauthbearer.jwks.endpoint.url", issuer.url() + "/jwks");
    config.put("sasl.oauthbearer.expected.audience", TokenIssuer.AUDIENCE);
    config.put("connections.max.reauth.ms", "3600000");
    String listener = "listener.name.clients.oauthbearer.";
    config.put(
        listener + "sasl.server.callback.handler.class",
        "org.apache.kafka.common.security.oauthbearer.OAuthBearerValidatorCallbackHandler");
    config.put(
        listener + "sasl.jaas.config",
        "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub=\"broker\" ssl.truststore.type=\"PEM\" ssl.truststore.location=\"%s\";"
            .formatted(authority.certificate()));
    return config;
  }

  private Path filled(Guide guide, TokenIssuer issuer, String secret) throws Exception {
    return guide.fill(
        folder.resolve(secret + ".properties"),
        folder,
        Map.of("CLIENT-SECRET", secret, PROVIDER, issuer.url()));
  }
}
