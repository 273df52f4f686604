// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.clock;

import io.sfumato.pipeline.WindowSpec;

/**
 * The windows that a record would close in its partition, in two parts. It depends on the record
 * and on its partition's clock alone, never on how a program was started.
 *
 * @param silent up to the record's Kafka timestamp: windows that were over when the record came,
 *     because nobody had written for so long, or because history is published later
 * @param claimed beyond it: windows that were not over yet, whatever the record says
 */
public record Jump(long silent, long claimed) {
  private static final Jump NONE = new Jump(0, 0);

  /**
   * The jump of a record.
   *
   * @param from boundary of the partition's clock
   * @param time that the record claims
   * @param timestamp Kafka's, of the record
   */
  public static Jump of(WindowSpec window, long from, long time, long timestamp) {
    long to = window.boundaryOf(time);
    if (to <= from) {
      return NONE;
    }
    long over = Math.max(from, window.boundaryOf(Math.min(time, timestamp)));
    return new Jump(window.between(from, over), window.between(over, to));
  }

  /**
   * Whether it is a record's claim, rather than a silence, that goes over more windows than a file
   * allows: beyond a silence that is short enough, or already by itself. Nobody can be asked about
   * claims, since whoever may write may make any number of them.
   */
  public boolean isClaim(long most) {
    return silent + claimed > most && (silent <= most || claimed > most);
  }
}
