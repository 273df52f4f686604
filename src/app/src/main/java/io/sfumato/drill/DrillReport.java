// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.drill;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a drill found.
 *
 * @param partitions each of them
 * @param took how long restoring and comparing took
 */
public record DrillReport(List<PartitionReport> partitions, Duration took) {
  public DrillReport {
    partitions = List.copyOf(partitions);
  }

  /** The worst of all partitions. */
  public Verdict verdict() {
    return partitions.stream()
        .map(PartitionReport::verdict)
        .max(Comparator.naturalOrder())
        .orElse(Verdict.SAME);
  }

  /** How many rows were compared, with local copies and with second restorations. */
  public DrillCoverage coverage() {
    return stores().map(DrillCoverage::of).reduce(DrillCoverage.NONE, DrillCoverage::plus);
  }

  /** All stores of all partitions. */
  public Stream<StoreReport> stores() {
    return partitions.stream().flatMap(partition -> partition.stores().stream());
  }
}
