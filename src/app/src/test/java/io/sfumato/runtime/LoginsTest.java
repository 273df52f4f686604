// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import javax.net.ssl.SSLHandshakeException;
import javax.security.auth.login.LoginException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;

/** What to do is said by who refused whom: for a password, a certificate, and before either. */
class LoginsTest {
  private static final SaslAuthenticationException SASL =
      new SaslAuthenticationException("Authentication failed.");
  private static final SslAuthenticationException TLS =
      new SslAuthenticationException(
          "SSL handshake failed", new SSLHandshakeException("PKIX path building failed"));

  private static String refused(Throwable cause) {
    return ClusterCalls.refused("reach the cluster", "kafka:9093", cause).getMessage();
  }

  @Test
  void shouldNameTheSettingsOfTheLoginThatFailed() {
    assertThat(refused(SASL))
        .startsWith("cannot reach the cluster at kafka:9093: Authentication failed. The cluster")
        .contains("does not accept this login: check what sasl.* says in the --config file")
        .doesNotContain("is up", "ssl.");
    assertThat(refused(TLS))
        .contains("SSL handshake failed (PKIX path building failed)")
        .contains("check ssl.truststore.* and ssl.keystore.* in the --config file")
        .doesNotContain("is up", "sasl.");
    assertThat(refused(new TimeoutException("none")))
        .contains("--bootstrap-servers is right")
        .doesNotContain("--config");
    assertThat(refused(new TopicAuthorizationException("in"))).contains("a right is missing");
  }

  @Test
  void shouldSayOfARunningPipelineThatNothingIsLost() {
    RefusedException end = Failures.explain(new KafkaException(SASL), Path.of("state"));
    assertThat(end.code()).isEqualTo(ExitCode.REFUSED_CLUSTER);
    assertThat(end.getMessage())
        .contains("does not accept the login any more (SaslAuthenticationException)")
        .contains("no data lost, no double charge: check what sasl.* says");
  }

  @Test
  void shouldAdviseBeforeTheClusterIsAskedOnlyWhereALoginFailed() {
    assertThat(Logins.adviceBefore(new KafkaException(new LoginException("Checksum failed"))))
        .contains("The login failed: check what sasl.* says in the --config file");
    assertThat(Logins.adviceBefore(new KafkaException("other"))).isEmpty();
  }
}
