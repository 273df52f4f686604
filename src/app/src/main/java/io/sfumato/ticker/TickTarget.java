// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ticker;

import io.sfumato.runtime.RefusedException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The partitions of the records' topics, as a ticker sees them, by their numbers as sources. Each
 * one answers by itself.
 */
interface TickTarget {
  /**
   * A partition's answer to what was sent to it.
   *
   * @param ticked event time of the tick that it has got; nothing for a probe
   * @param offset where that lies in the partition
   * @param reading of its leader's clock; nothing where brokers do not stamp the topic's records
   * @param failure why it has not got it
   */
  record Answer(
      int partition,
      OptionalLong ticked,
      OptionalLong offset,
      Optional<ClockReading> reading,
      Optional<String> failure) {}

  /** The partitions that there are, whether or not they have leaders. */
  Set<Integer> partitions() throws RefusedException;

  /**
   * Sends one tick, or a probe, which moves no clock. It does not wait.
   *
   * @param partition without an outstanding answer
   * @param time of the tick, milliseconds since 1970; nothing for a probe
   */
  void send(int partition, OptionalLong time);

  /**
   * The next answer, of whichever partition.
   *
   * @return nothing if none comes in time
   * @throws RefusedException if the ticker is closed meanwhile
   */
  Optional<Answer> answer(Duration patience) throws RefusedException;

  /**
   * The latest ticks before some offsets, as far as the tails of the partitions tell.
   *
   * @param ends exclusive, by partition
   */
  Map<Integer, Long> lastTicks(Map<Integer, Long> ends);
}
