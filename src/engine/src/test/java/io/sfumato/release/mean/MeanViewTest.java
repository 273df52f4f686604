// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.schema.Estimate;
import io.sfumato.schema.MeanRelease;
import io.sfumato.schema.MeanRow;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class MeanViewTest {
  private static MeanRow row(String category, Estimate mean) {
    MeanRow row = new MeanRow();
    row.setCategory(category);
    row.setValue("amount");
    row.setLowest(0);
    row.setHighest(300);
    row.setMean(mean);
    row.setSum(new Estimate(930.0, 130.0, 1_730.0, false, false));
    row.setCount(new Estimate(31.0, 21.0, 41.0, false, false));
    return row;
  }

  private static List<String> told(List<MeanRow> rows) {
    MeanRelease release = new MeanRelease();
    release.setRows(rows);
    return new MeanView().row(release).lines().toList();
  }

  /** Noise that leaves the whole range open tells no mean, whatever number is in its middle. */
  @Test
  void shouldCallAMeanUnknownWhoseIntervalIsTheWholeRange() {
    Estimate open = new Estimate(212.0, 0.0, 300.0, false, true);
    MeanRow row = row(null, open);
    assertThat(told(List.of(row)))
        .containsExactly(
            "amount mean unknown (too much noise), sum 930 (130 to 1,730), of 31 (21 to 41) records");
    MeanRelease release = new MeanRelease();
    release.setRows(List.of(row));
    release.setWindowStart(Instant.EPOCH);
    release.setWindowEnd(Instant.EPOCH);
    assertThat(new MeanView().card(release, null).groups().get(0).rows().get(0).text())
        .isEqualTo("unknown");
    assertThat(told(List.of(row(null, new Estimate(212.0, 0.0, 299.0, false, false)))).get(0))
        .startsWith("amount mean 212 (0 to 299), sum");
  }

  @Test
  void shouldGiveEachCategoryALineAndCountThoseThatHaveNoRoom() {
    Estimate mean = new Estimate(30.0, 5.0, 55.0, false, false);
    List<MeanRow> rows = IntStream.range(0, 13).mapToObj(i -> row("web / tea " + i, mean)).toList();
    List<String> lines = told(rows);
    assertThat(lines).hasSize(12).first().isEqualTo("by category");
    assertThat(lines.get(1)).startsWith("    web / tea 0 amount mean 30 (5 to 55), sum");
    assertThat(lines.get(10)).startsWith("    web / tea 9 amount mean");
    assertThat(lines.get(11)).isEqualTo("    and 3 more");
    assertThat(told(Stream.of(row("a", mean), row("b", mean)).toList())).hasSize(3);
  }
}
