// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.context;

import java.time.Instant;

/**
 * A count, and from when on nothing is known of its partition.
 *
 * @param at when the state was committed that was counted, or a later time at which it was still
 *     the last one, in milliseconds since 1970 by the wall clock of whoever counted it
 */
public record CountedState(PartitionCount count, long at) {
  /** The same time. */
  public Instant time() {
    return Instant.ofEpochMilli(at);
  }
}
