// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.streams.TopologyDescription;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Authors name outputs as they like: no name of theirs is that of a processor. */
class NodeNamesTest {
  private static Set<String> nodes(String yaml) {
    return TopologyReport.describe(Fixture.plan(yaml)).subtopologies().stream()
        .flatMap(part -> part.nodes().stream())
        .map(TopologyDescription.Node::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @ParameterizedTest
  @ValueSource(strings = {"visits:weekly-users", "ward-model:ward-features", "wards:ward-total"})
  void shouldBuildWhateverAnOutputIsCalled(String fileAndOutput) throws IOException {
    String[] named = fileAndOutput.split(":");
    String yaml = Files.readString(Path.of("topology", named[0] + ".yaml"));
    assertThat(yaml).contains(named[1]);
    Set<String> nodes = nodes(yaml);
    assertThat(nodes).contains("intake", "keeper", "journal-repartition-sink", named[1]);
    for (String node : nodes) {
      if (node.matches("[a-z][a-z0-9-]{0,62}") && !yaml.contains(node + "\n")) {
        String other = yaml.replace(named[1] + "\n", node + "\n");
        assertThat(nodes(other)).as(node).hasSameSizeAs(nodes);
      }
    }
  }
}
