// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.Plan;
import io.sfumato.release.Plans;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Names of nodes, stores and topics are part of the state on disk: a change that renames one shows
 * here. To accept a change on purpose: {@code bin/sfumato describe topology/X.yaml >
 * topology/X.topology.txt}.
 */
class GoldenTopologyTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "diary",
        "diary-model",
        "diary-taste",
        "demo",
        "wards",
        "ward-model",
        "orders",
        "searches",
        "branches",
        "visits",
        "shop-questions"
      })
  void shouldBeWhatIsDescribedBesideTheFile(String name) throws Exception {
    Plan plan = Plans.example(name + ".yaml");
    assertThat(TopologyReport.text(plan))
        .isEqualTo(Files.readString(Path.of("topology", name + ".topology.txt")));
    assertThat(TopologyReport.text(plan))
        .as("no generated names")
        .doesNotContainPattern("KSTREAM-|KTABLE-|0000000");
    assertThat(TopologyReport.mermaid(plan)).startsWith("flowchart LR\n").contains("keeper");
  }
}
