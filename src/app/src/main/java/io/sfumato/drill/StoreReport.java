// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.drill;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * One partition of a store that was restored and compared.
 *
 * @param store its name
 * @param partition from 0
 * @param entries of its changelog that were applied
 * @param bytes of their keys and values
 * @param compared the copies that it was compared with
 */
public record StoreReport(
    String store, int partition, long entries, long bytes, List<Compared> compared) {
  public StoreReport {
    compared = List.copyOf(compared);
  }

  /**
   * Another copy of the store.
   *
   * @param local folder of an instance's copy; nothing for a second restoration
   * @param rows how the two compare
   */
  public record Compared(Optional<Path> local, StateComparison rows) {}

  /** Number of rows that contradict another copy. */
  public long differences() {
    return compared.stream().mapToLong(copy -> copy.rows().differences()).sum();
  }

  /** Number of restored rows. */
  public long rows() {
    return compared.stream().mapToLong(copy -> copy.rows().rows()).max().orElse(0);
  }
}
