// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.runtime.RecordRanges.Range;
import java.util.OptionalLong;
import org.apache.kafka.common.TopicPartition;

/**
 * One partition.
 *
 * @param begin first offset that is there
 * @param end after the last record
 * @param group where the group goes on
 * @param state where the state would go on
 */
public record StatePlace(
    TopicPartition partition,
    long begin,
    long end,
    OptionalLong group,
    OptionalLong state,
    OffsetsOfState.Standing standing) {

  /** What the group passed over and the state has not read. */
  Range leftOut() {
    return new Range(Math.max(begin, state.getAsLong()), group.getAsLong());
  }

  StatePlace inOrder() {
    return new StatePlace(partition, begin, end, group, state, OffsetsOfState.Standing.IN_ORDER);
  }

  long restored(OffsetsOfState.Unknown unknown) {
    if (standing == OffsetsOfState.Standing.UNKNOWN) {
      return unknown == OffsetsOfState.Unknown.BEGINNING ? begin : end;
    }
    return Math.max(begin, state.orElse(begin));
  }
}
