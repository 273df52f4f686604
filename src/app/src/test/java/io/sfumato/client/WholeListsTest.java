// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.schema.CountRow;
import io.sfumato.schema.CountTable;
import io.sfumato.schema.TableRelease;
import java.time.Instant;
import java.util.List;
import org.apache.avro.generic.IndexedRecord;
import org.junit.jupiter.api.Test;

/** Lists that come in several records. */
class WholeListsTest {
  private static final int PARTS = 3;

  private final WholeLists lists = new WholeLists();

  /** A part with one row; all rows of a draw have the same count. */
  private static TableRelease part(long draw, int part) {
    TableRelease release = new TableRelease();
    release.setPipeline("orders");
    release.setOutput("order-counts");
    release.setSubject("north");
    release.setWindowStart(Instant.EPOCH);
    release.setPart(part);
    release.setParts(PARTS);
    release.setTables(
        List.of(
            new CountTable(
                List.of("product"),
                List.of(new CountRow(List.of("p" + part), draw, draw - 1, draw + 1, false)))));
    return release;
  }

  private static List<Long> counts(IndexedRecord whole) {
    return ((TableRelease) whole)
        .getTables().stream()
            .flatMap(table -> table.getRows().stream())
            .map(CountRow::getCount)
            .toList();
  }

  @Test
  void allPartsAreOneList() {
    assertThat(lists.add(part(7, 0))).isEmpty();
    assertThat(lists.add(part(7, 1))).isEmpty();
    assertThat(counts(lists.add(part(7, 2)).orElseThrow())).containsExactly(7L, 7L, 7L);
    assertThat(lists.rest()).isEmpty();
  }

  /** A topic may begin within a list, and a window may be released once more by a new budget. */
  @Test
  void theRestOfAListIsShownAsItIs() {
    assertThat(lists.add(part(7, 1))).contains(part(7, 1));
    assertThat(lists.add(part(7, 2))).contains(part(7, 2));
    assertThat(lists.add(part(8, 0))).isEmpty();
    assertThat(lists.add(part(8, 1))).isEmpty();
    assertThat(counts(lists.add(part(8, 2)).orElseThrow())).containsExactly(8L, 8L, 8L);
    assertThat(lists.rest()).isEmpty();
  }

  @Test
  void aListWithoutItsEndIsShownAtLast() {
    assertThat(lists.add(part(7, 0))).isEmpty();
    assertThat(lists.add(part(7, 1))).isEmpty();
    assertThat(lists.add(part(8, 0))).isEmpty();
    assertThat(lists.rest()).containsExactly(part(7, 0), part(7, 1), part(8, 0));
  }
}
