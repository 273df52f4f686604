// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde.registry;

import io.sfumato.serde.registry.RegistryCredentials.Basic;
import io.sfumato.serde.registry.RegistryCredentials.Bearer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Who asks a registry. */
public sealed interface RegistryCredentials permits Basic, Bearer, OAuthClient {
  /**
   * Value of the header {@code Authorization}.
   *
   * @throws IOException if it must be fetched first, and nobody gave it
   */
  String header() throws IOException, InterruptedException;

  /** Whether a registry that refuses them is asked again: with others than before. */
  default boolean renewed() {
    return false;
  }

  /**
   * Basic authentication.
   *
   * @param user and password, "user:password"
   */
  record Basic(String user) implements RegistryCredentials {
    @Override
    public String header() {
      return "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
      return "Basic";
    }
  }

  /** A token that somebody has issued beforehand. */
  record Bearer(String token) implements RegistryCredentials {
    @Override
    public String header() {
      return "Bearer " + token;
    }

    @Override
    public String toString() {
      return "Bearer";
    }
  }
}
