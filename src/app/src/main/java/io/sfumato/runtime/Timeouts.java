// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How long an instance that is not heard of keeps its partitions, and its open transaction.
 *
 * @param session after which others take over its partitions, in milliseconds
 * @param transaction after which the cluster aborts its transaction, in milliseconds: no longer
 *     than the session, or whoever takes over would wait for it before it can restore
 */
record Timeouts(int session, int transaction) {
  static final String SESSION = "session.timeout.ms";
  static final String TRANSACTION = "transaction.timeout.ms";
  private static final int DEFAULT = 10_000;

  /**
   * Those that properties give.
   *
   * @throws IllegalArgumentException if they contradict each other or are no numbers; the message
   *     says what to do
   */
  static Timeouts of(Map<String, String> properties) {
    int session =
        given(properties, "main.consumer." + SESSION, "consumer." + SESSION, SESSION)
            .orElse(DEFAULT);
    int transaction =
        given(properties, "producer." + TRANSACTION, TRANSACTION)
            .orElse(Math.min(DEFAULT, session));
    if (transaction > session) {
      throw new IllegalArgumentException(
          ("%s is %d ms and %s is %d ms: the transaction of a stalled instance would outlive "
                  + "its session; set %s to %d or less")
              .formatted(TRANSACTION, transaction, SESSION, session, TRANSACTION, session));
    }
    return new Timeouts(session, transaction);
  }

  /** The first of some names that is given. */
  private static Optional<Integer> given(Map<String, String> properties, String... names) {
    return Stream.of(names)
        .filter(properties::containsKey)
        .findFirst()
        .map(name -> number(name, properties.get(name)));
  }

  private static int number(String name, String value) {
    try {
      return Integer.parseInt(value.trim());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " is no number; give milliseconds");
    }
  }
}
