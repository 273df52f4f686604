// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.partitionselection;

import io.sfumato.mechanism.ExactData;

/**
 * How many there are of a name in a window: secret.
 *
 * @param users at least 0
 */
public record NameCount(long users) implements ExactData {
  /** For comparisons. */
  public long[] values() {
    return new long[] {users};
  }
}
