// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.pipeline.ReleaseSpec;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Says to whoever waits for an output what comes next: once, and anew when that has come. */
final class Waiting {
  private final NextWindow next;
  private final ReleaseSpec release;
  private final Consumer<String> teller;
  private OptionalLong seen = OptionalLong.empty();
  private String said = "";

  /**
   * @param teller says one line
   */
  Waiting(NextWindow next, ReleaseSpec release, Consumer<String> teller) {
    this.next = next;
    this.release = release;
    this.teller = teller;
  }

  /** An output that came. */
  void saw(IndexedRecord output) {
    Schema.Field start = output.getSchema().getField("window_start");
    if (start != null && output.get(start.pos()) instanceof Instant at) {
      seen = OptionalLong.of(Math.max(seen.orElse(Long.MIN_VALUE), at.toEpochMilli()));
    }
  }

  /** Nothing more is there now. */
  void say() {
    String words = next.after(release, seen, System.currentTimeMillis());
    if (!words.equals(said)) {
      teller.accept(words);
      said = words;
    }
  }
}
