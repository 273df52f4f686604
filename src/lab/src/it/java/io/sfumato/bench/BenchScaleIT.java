// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.EnumSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That growth is measured, beside the other measurements. */
@Tag("release")
class BenchScaleIT {
  @TempDir Path folder;

  @Test
  void shouldMeasureHowCostsGrowAndSayWhatFollows() throws Exception {
    JsonNode found =
        BenchIT.json(
            new Bench.Scope(Bench.Extent.TRIAL, 1, 500, 0, EnumSet.of(Bench.Part.SCALE)), folder);
    JsonNode sent = found.path("measured").path("scale: 4 partitions, 1 thread(s); sent");
    // Not times, so these are the same everywhere: each source tells each journal partition.
    assertThat(sent.path("an empty window, journal").path("median").asDouble()).isEqualTo(16);
    assertThat(sent.path("a release, output").path("median").asDouble()).isPositive();
    assertThat(found.path("scale_ledgers_restored_per_second").asDouble()).isPositive();
    assertThat(found.path("scale_windows_4_over_1_partitions").asDouble()).isPositive().isFinite();
    assertThat(found.path("model_of_scale").toString())
        .contains("100,000,000 subjects", "a minute's windows", "first to break");
  }
}
