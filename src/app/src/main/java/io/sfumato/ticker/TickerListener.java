// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ticker;

import java.time.Duration;

/** Is told how an instance's own ticks go. */
public interface TickerListener {
  /**
   * A tick is in every partition that can be ticked.
   *
   * @param time event time, milliseconds since 1970
   */
  default void ticked(long time) {}

  /** Clocks agree. */
  default void agree() {}

  /**
   * Clocks differ so much that nothing is ticked.
   *
   * @param ahead by how much this machine's clock is ahead of a broker's; negative where it is
   *     behind
   */
  default void differ(Duration ahead) {}

  /**
   * Some partitions cannot be ticked; the others go on. Called after each round.
   *
   * @param partitions number of these; 0 once all can be ticked
   * @param all number of all partitions
   */
  default void unreachable(int partitions, int all) {}

  /** No tick could be written, for this reason. */
  default void failed(String reason) {}
}
