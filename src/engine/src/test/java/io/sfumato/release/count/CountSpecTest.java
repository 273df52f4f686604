// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.PipelineFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What readers of a report are told that a count counts. */
class CountSpecTest {
  @ParameterizedTest
  @CsvSource({
    "per-window: 4,      0, how many records there are of each category",
    "per-window: 4,      1, how many records there are",
    "per-window: 1,      0, how many users each category has (one record of each user counts)",
    "per-window: 1,      1, how many records there are",
  })
  void shouldNameUsersWhenOneRecordOfEachCounts(String bound, int output, String counted)
      throws Exception {
    String wards =
        Files.readString(Path.of("topology", "wards.yaml"))
            .replace("per-window: 4, subjects: 2", bound + ", subjects: 1");
    assertThat(
            PipelineFile.parse("wards.yaml", wards).releases().stream()
                .filter(CountSpec.class::isInstance)
                .map(release -> ((CountSpec) release).counted())
                .skip(output)
                .findFirst())
        .hasValue(counted);
  }

  @Test
  void shouldNameUsersOfAllCategoriesWhenWindowsCountByThemselves() throws Exception {
    String wards =
        Files.readString(Path.of("topology", "wards.yaml"))
            .replace("per-window: 4, subjects: 2", "per-window: 1, subjects: 1")
            .replace("      running: 365\n", "");
    assertThat(PipelineFile.parse("wards.yaml", wards).releases().get(2))
        .isInstanceOfSatisfying(
            CountSpec.class,
            count ->
                assertThat(count.counted())
                    .isEqualTo("how many users have records (one record of each user counts)"));
  }
}
