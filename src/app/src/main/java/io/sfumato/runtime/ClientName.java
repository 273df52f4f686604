// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.pipeline.Pipeline;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an instance is called in its group: by the version that it runs, and by a unique suffix. */
final class ClientName {
  private static final Pattern VERSION = Pattern.compile("-v(\\d{1,9})-[0-9a-f-]{36}(?:-.*)?");

  private ClientName() {}

  /** The name of a new instance. */
  static String next(Pipeline pipeline) {
    return "%s-v%d-%s".formatted(pipeline.applicationId(), pipeline.version(), UUID.randomUUID());
  }

  /**
   * The version that a member of a group runs.
   *
   * @param client its client.id
   * @return nothing if the operator chose the name
   */
  static OptionalInt version(String application, String client) {
    if (!client.startsWith(application)) {
      return OptionalInt.empty();
    }
    Matcher version = VERSION.matcher(client.substring(application.length()));
    return version.matches()
        ? OptionalInt.of(Integer.parseInt(version.group(1)))
        : OptionalInt.empty();
  }
}
