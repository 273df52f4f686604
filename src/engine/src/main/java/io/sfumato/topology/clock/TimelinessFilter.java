// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.clock;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.pipeline.WindowSpec.Clock;
import io.sfumato.serde.Event;
import io.sfumato.serde.RejectedRecordException;
import io.sfumato.serde.RejectionCode;
import java.util.Set;

/** Whether a record that can be read counts: by the clock of its own source partition alone. */
public final class TimelinessFilter {
  private final WindowSpec window;
  private final boolean everyWindowCosts;
  private final long caughtUp;

  /** Empty where the file has no list. */
  private final Set<String> listed;

  /** Where nobody said that the topic's past is to be read. */
  public TimelinessFilter(Pipeline pipeline) {
    this(pipeline, Long.MIN_VALUE);
  }

  /**
   * @param caughtUp when an operator said that the topic's past is to be read (milliseconds since
   *     1970): a record is too far ahead only if it lies further than {@code window.ahead} beyond
   *     this time, too. No clock moves by it, and no record decides it
   */
  public TimelinessFilter(Pipeline pipeline, long caughtUp) {
    this.window = pipeline.window();
    this.caughtUp = caughtUp;
    this.everyWindowCosts = pipeline.subjects().isFixed();
    this.listed = Set.copyOf(pipeline.listed());
  }

  /**
   * Refuses what does not count.
   *
   * @param timestamp Kafka's, of the record
   * @param watermark of its partition, in front of it
   * @throws RejectedRecordException with the reason
   */
  public void require(Event event, long timestamp, PartitionWatermark watermark)
      throws RejectedRecordException {
    refuseUntimely(event, watermark);
    refuseUnlisted(event);
    refuseClaim(event, timestamp, watermark);
  }

  private void refuseUntimely(Event event, PartitionWatermark watermark)
      throws RejectedRecordException {
    long start = window.startOf(event.time());
    boolean closed =
        watermark.boundary() != PartitionWatermark.UNSET
            && window.endOf(start) <= watermark.boundary();
    if (closed || window.isBeforeBegin(start)) {
      throw new RejectedRecordException(RejectionCode.LATE);
    }
    long told = Math.max(caughtUp, Math.max(watermark.boundary(), watermark.latestTime()));
    if (window.clock() == Clock.TICKS && event.time() > told + window.ahead().toMillis()) {
      throw new RejectedRecordException(RejectionCode.EARLY);
    }
  }

  private void refuseUnlisted(Event event) throws RejectedRecordException {
    if (!listed.isEmpty() && !listed.contains(event.subject())) {
      throw new RejectedRecordException(RejectionCode.UNLISTED_SUBJECT);
    }
  }

  /**
   * Where every window costs, no record closes more windows than the file allows only by claiming a
   * time that its Kafka timestamp does not bear out, whether or not jumps are accepted.
   */
  private void refuseClaim(Event event, long timestamp, PartitionWatermark watermark)
      throws RejectedRecordException {
    if (window.clock() == Clock.RECORDS
        && everyWindowCosts
        && watermark.boundary() != PartitionWatermark.UNSET
        && Jump.of(window, watermark.boundary(), event.time(), timestamp)
            .isClaim(window.maxJump())) {
      throw new RejectedRecordException(RejectionCode.TIME_OUT_OF_RANGE);
    }
  }
}
