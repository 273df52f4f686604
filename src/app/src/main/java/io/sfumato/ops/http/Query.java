// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a request asks of a path: the parameters behind its question mark.
 *
 * @param values by name
 */
public record Query(Map<String, String> values) {
  /** No parameters. */
  public static final Query NONE = new Query(Map.of());

  public Query {
    values = Map.copyOf(values);
  }

  /**
   * Of a request's address. Of parameters with one name, the first one counts.
   *
   * @param raw as it was sent, percent-encoded; null where there is none
   * @throws IllegalArgumentException if the encoding is malformed
   */
  static Query of(String raw) {
    if (raw == null || raw.isEmpty()) {
      return NONE;
    }
    Map<String, String> values = new HashMap<>();
    for (String pair : raw.split("&")) {
      int equals = pair.indexOf('=');
      values.putIfAbsent(
          decoded(equals < 0 ? pair : pair.substring(0, equals)),
          equals < 0 ? "" : decoded(pair.substring(equals + 1)));
    }
    return new Query(values);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  /** The value of a parameter, if the request has it. */
  public Optional<String> value(String name) {
    return Optional.ofNullable(values.get(name));
  }
}
