// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.kafka.common.security.auth.AuthenticateCallbackHandler;

/**
 * A way to log in that the program does not know: user and password stand in a file, which a
 * property names that Kafka does not know either. It comes in a jar of its own.
 */
public final class PasswordFileHandler implements AuthenticateCallbackHandler {
  static final String PROPERTY = "example.login.file";

  private List<String> lines = List.of();

  @Override
  public void configure(
      Map<String, ?> configs, String mechanism, List<AppConfigurationEntry> entries) {
    try {
      lines = Files.readAllLines(Path.of((String) configs.get(PROPERTY)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void handle(Callback[] callbacks) throws UnsupportedCallbackException {
    for (Callback callback : callbacks) {
      if (callback instanceof NameCallback name) {
        name.setName(lines.get(0));
      } else if (callback instanceof PasswordCallback password) {
        password.setPassword(lines.get(1).toCharArray());
      } else {
        throw new UnsupportedCallbackException(callback);
      }
    }
  }

  @Override
  public void close() {}
}
