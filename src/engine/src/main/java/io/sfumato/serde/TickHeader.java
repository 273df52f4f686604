// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.gate.TickKey;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** How a writer marks a record of a records' topic as a tick. */
public interface TickHeader {
  /**
   * The header's value.
   *
   * @param topic that the tick is written to
   * @param partition of that topic
   * @param time event time, milliseconds since 1970
   */
  byte[] of(String topic, int partition, long time);

  /** Ticks that every pipeline of the key's budget takes. */
  static TickHeader signedBy(TickKey key) {
    return (topic, partition, time) ->
        SignedTick.by(key, topic, partition, time).text().getBytes(StandardCharsets.US_ASCII);
  }

  /** Ticks that pipelines take whose file says {@code ticks: trusted}, and no others. */
  static TickHeader unsigned() {
    return (topic, partition, time) ->
        Instant.ofEpochMilli(time).toString().getBytes(StandardCharsets.US_ASCII);
  }
}
