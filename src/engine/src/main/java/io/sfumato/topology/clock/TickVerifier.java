// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.clock;

import io.sfumato.gate.TickKey;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.serde.EventReader;
import io.sfumato.serde.RejectedRecordException;
import io.sfumato.serde.RejectionCode;
import io.sfumato.serde.SignedTick;
import io.sfumato.topology.context.Names;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * Judges ticks. Whoever may write records can write a header, so that a tick moves a clock only if
 * it carries the signature of the budget's tick key for this very topic, partition and time.
 *
 * @param window what the pipeline file says of them
 * @param key of the budget; without one no signed tick holds
 */
public record TickVerifier(WindowSpec window, Optional<TickKey> key) {
  /** In place of a tick: moves no clock, and is written to hear what time it is at the broker. */
  public static final String PROBE = "probe";

  private static final byte[] PROBE_BYTES = PROBE.getBytes(StandardCharsets.US_ASCII);

  /** Whether a header says nothing, whoever wrote it. */
  public static boolean isProbe(byte[] header) {
    return Arrays.equals(header, PROBE_BYTES);
  }

  /**
   * Refuses two ticks in one record: another reader may take the other one.
   *
   * @throws RejectedRecordException if there are two
   */
  public static void refuseSecond(Headers headers) throws RejectedRecordException {
    Iterator<Header> ticks = headers.headers(Names.TICK_HEADER).iterator();
    if (ticks.hasNext()) {
      ticks.next();
      if (ticks.hasNext()) {
        throw new RejectedRecordException(RejectionCode.BAD_TICK);
      }
    }
  }

  /**
   * The event time that a tick tells.
   *
   * @param header value of the header, may be null
   * @param topic that the tick was read from
   * @param partition of that topic
   * @param timestamp Kafka's, of the tick's record
   * @return nothing for a probe, or if it was signed for another budget: several pipelines may read
   *     one topic
   * @throws RejectedRecordException if it moves no clock, with the reason
   */
  public OptionalLong time(byte[] header, String topic, int partition, long timestamp)
      throws RejectedRecordException {
    if (header == null) {
      throw new RejectedRecordException(RejectionCode.BAD_TICK);
    }
    if (isProbe(header)) {
      return OptionalLong.empty();
    }
    String text = new String(header, StandardCharsets.UTF_8);
    // No time has eight characters, and no signed tick so few.
    boolean binary = header.length == Long.BYTES;
    if (!binary && SignedTick.isMeant(text)) {
      return signed(text, topic, partition, timestamp);
    }
    if (window.ticks() != WindowSpec.Ticks.TRUSTED) {
      throw new RejectedRecordException(RejectionCode.UNSIGNED_TICK);
    }
    long time =
        binary
            ? ByteBuffer.wrap(header).getLong()
            : EventReader.parseTime(text)
                .orElseThrow(() -> new RejectedRecordException(RejectionCode.BAD_TICK));
    return inRange(time, timestamp);
  }

  private OptionalLong signed(String text, String topic, int partition, long timestamp)
      throws RejectedRecordException {
    SignedTick tick =
        SignedTick.parse(text)
            .orElseThrow(() -> new RejectedRecordException(RejectionCode.BAD_TICK));
    if (key.isEmpty()) {
      throw new RejectedRecordException(RejectionCode.OTHER_KEY_TICK);
    }
    if (!tick.budget().equals(key.get().budget())) {
      return OptionalLong.empty();
    }
    if (!tick.names(key.get())) {
      throw new RejectedRecordException(RejectionCode.OTHER_KEY_TICK);
    }
    if (!tick.isSignedBy(key.get(), topic, partition)) {
      throw new RejectedRecordException(RejectionCode.BAD_TICK);
    }
    return inRange(tick.time(), timestamp);
  }

  private OptionalLong inRange(long time, long timestamp) throws RejectedRecordException {
    EventReader.checkRange(time, timestamp, window.maxAhead());
    return OptionalLong.of(time);
  }
}
