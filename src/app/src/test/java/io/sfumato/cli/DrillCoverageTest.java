// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.cli.DrillCommand.When;
import io.sfumato.drill.DrillCoverage;
import io.sfumato.drill.DrillReport;
import io.sfumato.drill.LedgerComparison;
import io.sfumato.drill.PartitionReport;
import io.sfumato.drill.StateComparison;
import io.sfumato.drill.StoreReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How many rows of how many a drill has compared, and what is said of the others. */
class DrillCoverageTest {
  private static StoreReport store(Optional<Path> local, long same, long changed, long other) {
    StateComparison rows = new StateComparison(same + changed, same, changed, 0, other, 0);
    return new StoreReport("s", 0, 1, 1, List.of(new StoreReport.Compared(local, rows)));
  }

  private static DrillCoverage coverage(StoreReport... stores) {
    return new DrillReport(
            List.of(
                new PartitionReport(
                    0, true, List.of(stores), LedgerComparison.Outcome.NOT_COUNTED)),
            Duration.ofSeconds(1))
        .coverage();
  }

  @Test
  void shouldAddUpStoresAndSayWhyRowsAreNotCompared() {
    Optional<Path> local = Optional.of(Path.of("local"));
    DrillCoverage some =
        coverage(store(local, 14, 20, 0), store(local, 0, 1, 2), store(Optional.empty(), 4, 0, 0));
    assertThat(some).isEqualTo(new DrillCoverage(41, 16, 21, 4));
    assertThat(DrillCommand.compared(some, When.BEFORE_START))
        .isEqualTo(
            "16 of 41 rows were compared with local copies (21 are newer than the copies on disk:"
                + " stop the instance cleanly, which writes all rows, and drill before it starts"
                + " again; 4 were restored twice instead, since their stores have no usable copy in"
                + " --data)");
    assertThat(DrillCommand.compared(some, When.AFTER_START))
        .as("brokers that stop with the pipeline")
        .contains("and drill when it has started again;");
  }

  @Test
  void shouldSayNothingMoreWhenAllRowsAreCompared() {
    DrillCoverage all = coverage(store(Optional.of(Path.of("local")), 3, 0, 0));
    assertThat(DrillCommand.compared(all, When.AFTER_START))
        .isEqualTo("3 of 3 rows were compared with local copies");
    assertThat(DrillCommand.compared(coverage(), When.AFTER_START))
        .isEqualTo("0 of 0 rows were compared with local copies");
  }
}
