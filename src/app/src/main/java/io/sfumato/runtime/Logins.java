// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.util.Objects;
import java.util.stream.Stream;
import javax.security.auth.login.LoginException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;

/** What to do if a cluster does not accept a certificate, a password, a token or a ticket. */
final class Logins {
  private static final String GUIDES = " (docs/operate/secure.md links to a guide for each login)";

  private static final String OF_TLS =
      "check ssl.truststore.* and ssl.keystore.* in the --config file: each side needs a"
          + " certificate that the other one trusts, that has not expired, and that names its host";

  private static final String OF_SASL =
      "check what sasl.* says in the --config file: mechanism, user, password, token or keytab";

  private Logins() {}

  /** After the cluster, or this client, refused the other one. */
  static String advice(AuthenticationException refused) {
    return refused instanceof SslAuthenticationException
        ? "The cluster answers, but the TLS handshake failed: " + OF_TLS + GUIDES
        : "The cluster answers, but does not accept this login: " + OF_SASL + GUIDES;
  }

  /** The same of a pipeline that ran. */
  static String adviceToRestart(AuthenticationException refused) {
    return "the cluster does not accept the login any more (%s); no data lost, no double charge: %s%s, and start again"
        .formatted(
            refused.getClass().getSimpleName(),
            refused instanceof SslAuthenticationException ? OF_TLS : OF_SASL,
            GUIDES);
  }

  /** After a login that failed before the cluster was asked; nothing if that was not the reason. */
  static String adviceBefore(Throwable thrown) {
    return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause)
            .anyMatch(LoginException.class::isInstance)
        ? ". The login failed: " + OF_SASL + GUIDES
        : "";
  }

  /** Why a handshake failed. What it says of certificates, their owners have published. */
  static String words(SslAuthenticationException refused) {
    Throwable root = Failures.root(refused);
    return root == refused || root.getMessage() == null
        ? refused.getMessage()
        : "%s (%s)".formatted(refused.getMessage(), root.getMessage());
  }
}
