// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Whether an instance works, whether it has ended by itself, and why. */
final class RunEnd {
  private final CountDownLatch running = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicReference<RefusedException> reason = new AtomicReference<>();

  /** The instance works. */
  void works() {
    running.countDown();
  }

  /** Why it ends; the first reason stays. */
  void because(RefusedException why) {
    reason.compareAndSet(null, why);
  }

  /** It has ended: nobody waits any longer for it to work, either. */
  void come() {
    running.countDown();
    ended.countDown();
  }

  /** Whether it has not worked yet. */
  boolean isStarting() {
    return running.getCount() > 0;
  }

  Optional<RefusedException> reason() {
    return Optional.ofNullable(reason.get());
  }

  boolean awaitRunning(Duration timeout) throws InterruptedException {
    return running.await(timeout.toMillis(), TimeUnit.MILLISECONDS) && reason.get() == null;
  }

  boolean await(Duration timeout) throws InterruptedException {
    return ended.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
  }
}
