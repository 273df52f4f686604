// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What secrets in the environment tell, and whom. */
public final class EnvironmentSecretWarning {
  private EnvironmentSecretWarning() {}

  /**
   * The remark on a secret that is taken from the environment; one line.
   *
   * @param what begins the sentence
   * @param instead what keeps it to its owner
   */
  public static String note(String what, String instead) {
    return "note: %s is set as an environment variable, visible to other processes of this user (/proc/PID/environ), child processes, container engines (inspect) and crash reports; use a file: %s"
        .formatted(what, instead);
  }

  /** The same for passwords among the Kafka properties; nothing if there are none. */
  public static Optional<String> ofKafka(Map<String, String> environment) {
    List<String> names = KafkaSettings.secretsIn(environment);
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            note(
                (names.size() == 1 ? "the secret " : "each of the secrets ")
                    + String.join(", ", names),
                "--config FILE"));
  }
}
