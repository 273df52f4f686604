// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static io.sfumato.topology.Fixture.YAML;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.schema.ReleasedThrough;
import io.sfumato.serde.Outputs;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a pipeline says of windows that are complete. */
class ReleaseMarkerTest {
  @TempDir Path state;

  private static List<Long> seconds(Fixture pipeline) {
    return pipeline.recordsSoFar("test-released").stream()
        .map(record -> (ReleasedThrough) Outputs.decodeAny(record.value()))
        .map(marker -> (marker.getReleasedThrough().toEpochMilli() - NOW) / 1000)
        .toList();
  }

  @Test
  void shouldSayThroughWhichWindowEverythingIsReleased() {
    try (Fixture pipeline = new Fixture(YAML, state)) {
      pipeline.event("ann", 1, "a");
      assertThat(seconds(pipeline)).as("nothing is older").containsExactly(-10L);
      pipeline.event("ann", 12, "a");
      assertThat(pipeline.releases()).hasSize(1);
      assertThat(seconds(pipeline)).containsExactly(10L);
      pipeline.event("bob", 13, "a");
      assertThat(seconds(pipeline)).as("no news").isEmpty();
      pipeline.tick(70);
      assertThat(seconds(pipeline)).as("windows without records too").last().isEqualTo(60L);
    }
  }

  @Test
  void shouldSayNothingOfAWindowWhoseSubjectsAreNotAllReleased() {
    try (Fixture pipeline = new Fixture(YAML, state)) {
      for (int i = 0; i < 2_500; i++) {
        pipeline.event("s%05d".formatted(i), 1, "a");
      }
      pipeline.event("last", 12, "a");
      assertThat(pipeline.recordsSoFar("mix")).hasSizeLessThan(2_500);
      assertThat(seconds(pipeline)).as("one entry closes at most a slice").containsExactly(-10L);
      pipeline.releases();
      assertThat(seconds(pipeline)).containsExactly(10L);
    }
  }
}
