// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.Durations;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Plurals;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What whoever has published a history should know, as far as that history alone tells. */
public record ReplayNotes(Pipeline pipeline, ReplayTicks ticks) {
  /**
   * What intake will drop.
   *
   * @param sent events
   */
  public List<String> dropped(long sent) {
    List<String> notes = certain(sent, ticks.early());
    if (ticks.early() > 0) {
      notes.add(
          "warning: %,d events will be dropped as EARLY unless a tick precedes them: they are more than window.ahead, %s, after the last tick"
              .formatted(ticks.early(), Durations.word(pipeline.window().ahead())));
    }
    return notes;
  }

  /**
   * The same where no tick was sent: how far others' ticks have come nobody has looked at.
   *
   * @param sent events
   */
  public List<String> droppedByOthersTicks(long sent) {
    List<String> notes = certain(sent, 0);
    if (ticks.early() > 0) {
      notes.add(
          "note: no tick was sent (--no-ticks). %,d events are more than window.ahead, %s, after window.begin (%s): those that are also that far after the last tick when they arrive are dropped as EARLY"
              .formatted(
                  ticks.early(),
                  Durations.word(pipeline.window().ahead()),
                  pipeline.window().startText(pipeline.window().begin().getAsLong())));
    }
    return notes;
  }

  private List<String> certain(long sent, long early) {
    List<String> notes = new ArrayList<>();
    long lost = ticks.late() + early;
    if (2 * lost > sent) {
      notes.add(
          "WARNING: most of what was sent, %,d of %,d events, will NOT count, for the reason below: %s"
              .formatted(
                  lost,
                  sent,
                  ticks.late() > early
                      ? "send events in event-time order, and set window.begin to the first "
                          + "window of the history before the pipeline's first start"
                      : "send ticks between the events"));
    }
    if (ticks.late() > 0) {
      notes.add(
          "warning: %,d events will be dropped as LATE: their windows are before window.begin (%s), or were closed by events sent before them (--as-is)"
              .formatted(
                  ticks.late(),
                  pipeline.window().startText(pipeline.window().begin().getAsLong())));
    }
    return notes;
  }

  /** What was not sent, since it would be lost, and how to send it later. */
  public Optional<String> heldBack(HistoryReplay.Sent sent) {
    return sent.beyond() == 0
        ? Optional.empty()
        : Optional.of(
            "note: not sent, because they would be dropped as EARLY: %s after %s, more than window.ahead, %s, after the last tick. Send them later, as a CSV of these rows only and with a later --until; rows that were sent already would count twice"
                .formatted(
                    Plurals.of(sent.beyond(), "event"),
                    Instant.ofEpochMilli(sent.latest().orElseThrow()),
                    Durations.word(pipeline.window().ahead())));
  }

  /** Whose record is the last must not be told where it is protected that there was one. */
  public Optional<String> end() {
    return pipeline.budget().unit() == PrivacyUnit.RECORD || ticks.closesNewest().isEmpty()
        ? Optional.empty()
        : Optional.of(
            "note: the last tick follows the file's last record, at most at %s, so the published windows reveal when the file ends. To avoid that, give a public end with --until TIME"
                .formatted(Instant.ofEpochMilli(ticks.closesNewest().getAsLong())));
  }

  /**
   * The last window may stay open: that of a live topic is not over, and an end may lie before its
   * grace has passed. Empty if it is closed.
   */
  public String open() {
    return open(System.currentTimeMillis());
  }

  String open(long now) {
    long closes = ticks.closesNewest().orElse(Long.MIN_VALUE);
    if (closes > now) {
      return "; the last event's window stays open until a tick at %s or later"
          .formatted(Instant.ofEpochMilli(closes));
    }
    return ticks.leftOpen().isEmpty()
        ? ""
        : "; the window of %s stays open until a tick at %s or later (its end%s): send one with 'sfumato tick', or take this time for --until next time"
            .formatted(
                pipeline.window().startText(ticks.leftOpen().getAsLong()),
                Instant.ofEpochMilli(closes),
                pipeline.window().grace().isZero() ? "" : " plus window.grace");
  }

  /** What nobody knows of a topic that had records before. */
  public static String lateToo(String topic) {
    return "note: %s had records before these. If the topic's clock had passed the end of a window, its events are LATE: they do not count, and no dead letter is written. sfumato_records_total{outcome=\"late\"} counts them"
        .formatted(topic);
  }
}
