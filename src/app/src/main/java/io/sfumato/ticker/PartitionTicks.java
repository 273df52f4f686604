// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ticker;

import io.sfumato.ticker.TickTarget.Answer;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** What a ticker knows of one partition. */
final class PartitionTicks {
  /** One equal timestamp may be chance; brokers that stamp do not return the sent one twice. */
  private static final int PROOF = 2;

  private final int number;

  /** When the outstanding record was sent. */
  private Optional<Moment> sent = Optional.empty();

  /** Whether the answer takes too long to be waited for. */
  private boolean silent;

  private Optional<ClockReading> reading = Optional.empty();

  /** Answers in a row without a broker's stamp. */
  private int unstamped;

  private OptionalLong end = OptionalLong.empty();
  private boolean located;
  private OptionalLong clock = OptionalLong.empty();

  PartitionTicks(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  void sent(Moment now) {
    sent = Optional.of(now);
    silent = false;
  }

  /** Takes an answer; one that comes late still tells what time it was. */
  void take(Answer answer) {
    sent = Optional.empty();
    reading = answer.reading();
    unstamped =
        answer.failure().isPresent() || reading.isPresent() ? 0 : Math.min(PROOF, unstamped + 1);
    if (end.isEmpty()) {
      end = answer.offset();
    }
    if (answer.ticked().isPresent() && answer.failure().isEmpty()) {
      clock = OptionalLong.of(Math.max(answer.ticked().getAsLong(), clock.orElse(Long.MIN_VALUE)));
    }
  }

  /** What has not answered in time is not known any more. */
  void forgetIfSilent(Moment now, Duration patience) {
    if (sent.isPresent() && now.since(sent.get()) >= patience.toMillis()) {
      silent = true;
      reading = Optional.empty();
      unstamped = 0;
    }
  }

  boolean isIdle() {
    return sent.isEmpty();
  }

  /** Whether it has to be asked before it can be ticked. */
  boolean isUnknown() {
    return reading.isEmpty() && !isUnstamped() || !located && end.isEmpty();
  }

  boolean isSilent() {
    return silent;
  }

  /** Whether a second probe has to show that brokers do not stamp the topic's records. */
  boolean isSuspect() {
    return unstamped > 0 && unstamped < PROOF;
  }

  /** Whether it has answered, and brokers do not stamp the topic's records. */
  boolean isUnstamped() {
    return unstamped == PROOF;
  }

  /** Of its leader's clock, where brokers stamp the topic's records. */
  Optional<ClockReading> reading() {
    return reading;
  }

  /** Where the search for its last tick begins; nothing if it is not due. */
  OptionalLong toLocate() {
    return located ? OptionalLong.empty() : end;
  }

  /**
   * Notes where its clock is.
   *
   * @param time nothing if that is not set
   */
  void locate(OptionalLong time) {
    located = true;
    clock = time;
  }

  boolean isLocated() {
    return located;
  }

  /** Event time of the last tick that it has got, or where windows begin. */
  OptionalLong clock() {
    return clock;
  }

  boolean hasReached(long point) {
    return located && clock.isPresent() && clock.getAsLong() >= point;
  }
}
