// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.ApiException;

/**
 * Errors of Kafka's clients in words that may be printed. What a cluster answers is told as it is;
 * what a client says when it is made may quote its settings, passwords among them, so that is told
 * by its kinds and the setting's name alone.
 */
public final class ClientErrors {
  private static final Pattern NAMED = Pattern.compile("\\bconfiguration ([a-z0-9._]+)");

  private ClientErrors() {}

  /** What happened, without the value of a setting. */
  public static String words(Throwable thrown) {
    if (thrown instanceof ApiException && !(thrown.getCause() instanceof ConfigException)) {
      return String.valueOf(thrown.getMessage());
    }
    Set<String> kinds = new LinkedHashSet<>();
    Stream.iterate(thrown, Objects::nonNull, Throwable::getCause)
        .forEach(cause -> kinds.add(kind(cause)));
    return String.join(", caused by ", kinds);
  }

  private static String kind(Throwable cause) {
    String kind = cause.getClass().getSimpleName();
    if (cause instanceof ConfigException) {
      Matcher named = NAMED.matcher(String.valueOf(cause.getMessage()));
      if (named.find() && ClientProperties.isKnown(named.group(1))) {
        return kind + " about " + named.group(1);
      }
    }
    return kind;
  }
}
