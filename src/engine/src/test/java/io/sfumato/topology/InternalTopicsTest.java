// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.Plan;
import io.sfumato.release.Plans;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.streams.TopologyDescription;
import org.apache.kafka.streams.TopologyDescription.Processor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Topics that Kafka Streams makes are known by their whole names, before they are there. */
class InternalTopicsTest {
  @ParameterizedTest
  @ValueSource(strings = {"diary", "diary-model", "diary-taste", "demo", "wards", "ward-model"})
  void shouldNameTheChangelogOfEveryStoreAndNoOther(String name) throws Exception {
    Plan plan = Plans.example(name + ".yaml");
    TopologyDescription described =
        PipelineTopology.build(plan, Fixture.deployment(1, PipelineMeters.none())).describe();
    Set<String> stores =
        described.subtopologies().stream()
            .flatMap(part -> part.nodes().stream())
            .filter(Processor.class::isInstance)
            .flatMap(node -> ((Processor) node).stores().stream())
            .filter(store -> !store.endsWith("-commit"))
            .collect(Collectors.toSet());
    String application = plan.pipeline().applicationId();
    assertThat(new TreeSet<>(Names.changelogTopics(plan.pipeline())))
        .containsExactlyInAnyOrderElementsOf(
            stores.stream().map(store -> Names.changelogTopic(application, store)).toList())
        .allMatch(topic -> Names.isChangelogOf(application, topic))
        .allMatch(topic -> Names.isInternalTo(application, topic));
    assertThat(Names.journalTopics(plan.pipeline()))
        .allMatch(topic -> Names.isInternalTo(application, topic))
        .noneMatch(topic -> Names.isChangelogOf(application, topic));
  }

  @Test
  void shouldNotTakeTopicsOfABudgetWhoseNameBeginsAlikeForItsOwn() {
    assertThat(Names.isInternalTo("sfumato-a", "sfumato-a-ledger-store-changelog")).isTrue();
    assertThat(Names.isInternalTo("sfumato-a", "sfumato-a-b-ledger-store-changelog")).isFalse();
    assertThat(Names.isInternalTo("sfumato-a", "sfumato-a-b-journal-repartition")).isFalse();
    assertThat(Names.isInternalTo("sfumato-a", "sfumato-a-other-store-changelog")).isFalse();
  }
}
