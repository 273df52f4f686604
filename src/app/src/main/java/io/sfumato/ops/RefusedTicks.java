// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.sfumato.pipeline.Durations;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Plurals;
import io.sfumato.serde.RejectionCode;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Says that ticks moved no clock: how many, why, and what to do. Nothing else looks wrong then, and
 * whoever ticked was told that the tick was written. Counts alone: it names nobody.
 */
public final class RefusedTicks {
  /** The same is said again when this many times as many have come. */
  private static final long AGAIN = 10;

  private final Pipeline pipeline;
  private long said;

  public RefusedTicks(Pipeline pipeline) {
    this.pipeline = pipeline;
  }

  /** Rejections of records alone. */
  public static Map<RejectionCode, Long> without(
      Map<RejectionCode, Long> rejections, Map<RejectionCode, Long> ticks) {
    Map<RejectionCode, Long> records = new TreeMap<>(rejections);
    ticks.forEach(
        (code, count) -> records.merge(code, -count, (all, less) -> notNegative(all + less)));
    return records;
  }

  /** Another thread may have counted a tick meanwhile. */
  private static long notNegative(long count) {
    return Math.max(0, count);
  }

  /**
   * What to say now.
   *
   * @param refused ticks, by reason
   * @return nothing if there are none, or this was said
   */
  public Optional<String> news(Map<RejectionCode, Long> refused) {
    long all = refused.values().stream().mapToLong(count -> count).sum();
    if (all == 0 || said > 0 && all < AGAIN * said) {
      return Optional.empty();
    }
    said = all;
    RejectionCode most =
        refused.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
    return Optional.of(
        "WARNING: %s refused and advanced NO clock, %,d of them as %s: %s"
            .formatted(
                Plurals.of(all, "tick was", "ticks were"), refused.get(most), most, remedy(most)));
  }

  private String remedy(RejectionCode code) {
    return switch (code) {
      case TIME_OUT_OF_RANGE ->
          "their time is before 1900, or more than window.max-ahead (%s) after they were sent: tick again with 'sfumato tick FILE', which finds the right time"
              .formatted(Durations.word(pipeline.window().maxAhead()));
      case UNSIGNED_TICK ->
          "they are unsigned: give the ticker a key (sfumato tick-key FILE " + "KEYFILE)";
      case OTHER_KEY_TICK ->
          "they are signed with another key than this instance has: give the ticker a current "
              + "key (sfumato tick-key FILE KEYFILE)";
      default ->
          "they are not ticks, or were signed for another partition or time: send ticks with "
              + "'sfumato tick FILE'";
    };
  }
}
