// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.GroupPrivacy;
import java.math.BigDecimal;

/**
 * By how many changes that a budget protects one stretch of time is changed: chains of changes,
 * each about another period, of two lengths at most.
 *
 * @param chains number of chains, at least 0
 * @param length changes of each, at least 1
 * @param others number of further chains, at least 0
 * @param otherLength changes of each of these, at least 1
 */
record Steps(long chains, long length, long others, long otherLength) {
  /** One change. */
  static final Steps ONE = chain(1);

  /** Changes one after the other. */
  static Steps chain(long length) {
    return new Steps(1, length, 0, 1);
  }

  /** The number of changes: a_j of Theorem P. */
  long total() {
    return Math.addExact(
        Math.multiplyExact(chains, length), Math.multiplyExact(others, otherLength));
  }

  /** The same changes, where windows share noise: then no period is independent of others. */
  Steps sharing() {
    return chain(total());
  }

  /** What they lose at most, exactly. */
  BigDecimal epsilon(Epsilon each) {
    return each.value().multiply(BigDecimal.valueOf(total()));
  }

  /**
   * With which delta: those of different periods add up; a chain of n changes has delta (1 +
   * e^epsilon + ... + e^((n-1) epsilon)).
   *
   * @return rounded upward; at most {@link GroupPrivacy#CERTAIN}, where it is no bound
   */
  BigDecimal delta(Epsilon each, Delta delta) {
    if (delta.value().signum() == 0) {
      return BigDecimal.ZERO;
    }
    BigDecimal parts =
        GroupPrivacy.deltas(each.value(), length)
            .multiply(BigDecimal.valueOf(chains))
            .add(
                GroupPrivacy.deltas(each.value(), otherLength)
                    .multiply(BigDecimal.valueOf(others)));
    return parts.compareTo(GroupPrivacy.CERTAIN) >= 0
        ? GroupPrivacy.CERTAIN
        : delta.value().multiply(parts);
  }
}
