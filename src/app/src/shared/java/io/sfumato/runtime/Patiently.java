// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * Waits as Awaitility does, and looks less often: many a condition reads whole topics, which would
 * take the processors from what is waited for.
 */
public final class Patiently {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

  private Patiently() {}

  public static ConditionFactory await() {
    return Awaitility.await().pollInterval(BETWEEN_LOOKS);
  }
}
