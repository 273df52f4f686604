// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.PipelineFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Made-up people do whatever a pipeline counts. */
class ListenersTest {
  /** One event in 500 is nonsense: that so few are not has a chance below 1e-100. */
  @Test
  void shouldMakeUpNumbersWhereRecordsHaveNoCategory() throws Exception {
    Pipeline wards = PipelineFile.read(Path.of("topology/ward-model.yaml"));
    Listeners people = new Listeners(40, wards, new SplittableRandom(5)::nextLong);
    TreeSet<Double> scores = new TreeSet<>();
    for (int i = 0; i < 5000; i++) {
      String event = new String(people.next(i).value(), StandardCharsets.UTF_8);
      if (event.endsWith("}")) {
        JsonNode json = new ObjectMapper().readTree(event);
        assertThat(wards.listed()).contains(json.get("ward").asText());
        assertThat(json.get("patient").asText()).startsWith("listener-");
        scores.add(json.get("score").asDouble());
      }
    }
    assertThat(scores).hasSizeGreaterThan(4000);
    assertThat(scores.first()).isBetween(0.0, 1.5);
    assertThat(scores.last()).isBetween(3.0, 4.8);
  }
}
