// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.readers;

import io.sfumato.rows.Group;

/**
 * What one line of a chart follows over windows.
 *
 * @param subject whose records they are
 * @param group which of these records
 */
record Line(String subject, Group group) {
  private static final long OVERHEAD_BYTES = 200;

  /** About what it takes in memory, with its place in a map. */
  long bytes() {
    long letters = subject.length();
    for (String value : group.values()) {
      letters += value.length();
    }
    return OVERHEAD_BYTES + 2 * letters;
  }
}
