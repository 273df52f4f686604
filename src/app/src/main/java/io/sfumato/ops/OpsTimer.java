// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Looks once a second, in a thread of its own. */
final class OpsTimer implements AutoCloseable {
  private static final Duration TICK = Duration.ofSeconds(1);

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "ops-tick");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * @param look must not throw
   */
  OpsTimer(Runnable look) {
    timer.scheduleAtFixedRate(look, 0, TICK.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
