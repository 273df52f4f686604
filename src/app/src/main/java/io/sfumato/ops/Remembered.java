// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Supplier;

/** A text that is made anew at most twice a second, however often it is asked for. */
final class Remembered {
  private static final long FRESH = Duration.ofMillis(500).toNanos();

  private final Supplier<String> maker;
  private byte[] text;
  private long madeAt;

  Remembered(Supplier<String> maker) {
    this.maker = maker;
  }

  synchronized byte[] get() {
    long now = System.nanoTime();
    if (text == null || now - madeAt > FRESH) {
      text = maker.get().getBytes(StandardCharsets.UTF_8);
      madeAt = now;
    }
    return text;
  }
}
