// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.release.PipelineFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SameTopicTest {
  private static final RecordsTopic VISITS =
      new RecordsTopic("visits", "id-1", List.of("earlier"), 5);

  @Test
  void shouldReadTheTopicThatItWrites() throws Exception {
    assertThat(RecordsTopic.read(VISITS.json(), 5)).contains(VISITS);
    ObjectMapper json = new ObjectMapper();
    for (String text : List.of("{}", "[]", "7", "{\"topic\":1,\"id\":\"x\"}", "{\"id\":{}}")) {
      assertThat(RecordsTopic.read(json.readTree(text), 5)).as(text).isEmpty();
    }
  }

  @Test
  void shouldTakeTheLastTopicOfALogAndOnlyItsOwnWhereAsked() {
    List<SignedLog.Entry> log =
        List.of(
            new SignedLog.Entry(Registry.RECORDS, VISITS.json(), 5, true),
            new SignedLog.Entry(
                Registry.RECORDS,
                new RecordsTopic("forged", "id-2", List.of(), 0).json(),
                6,
                false),
            new SignedLog.Entry(Registry.BEGUN, Begun.NOT.json(), 7, true));
    assertThat(RecordsTopic.all(log, true)).containsExactly(VISITS);
    assertThat(RecordsTopic.all(log, false)).extracting(RecordsTopic::name).contains("forged");
  }

  @Test
  void shouldTellRegistriesOfBudgetsFromOtherTopics() {
    assertThat(SameTopic.budgetOf(Registry.topicOf("diary"))).contains("diary");
    assertThat(SameTopic.budgetOf(Registry.topicOf("a-registry"))).contains("a-registry");
    for (String topic :
        List.of(
            PipelineRegistry.topicOf("diary"),
            AccountLog.TOPIC,
            "sfumato--registry",
            "sfumato-registry",
            "sfumato-diary-ledger-store-changelog")) {
      assertThat(SameTopic.budgetOf(topic)).as(topic).isEmpty();
    }
  }

  /** Whatever clocks say: who wrote before looking is seen by whoever wrote later. */
  @Test
  void shouldNameBudgetsThatStartAtTheSameTime() {
    SameTopic.Found found =
        new SameTopic.Found(List.of(), Map.of("a", 7L, "b", 8L, "c", 9L), List.of(), false);
    assertThat(found.announcedSince(8)).containsExactlyInAnyOrder("b", "c");
    assertThat(found.announcedSince(10)).isEmpty();
  }

  @Test
  void shouldSayWhatItCouldNotLookAtWhenRightsAreMissing() throws Exception {
    var pipeline = PipelineFile.read(Path.of("topology/diary.yaml"));
    assertThat(new SameTopic.Found(List.of(), Map.of(), List.of(), false).remark(pipeline))
        .isEmpty();
    assertThat(
            new SameTopic.Found(List.of(), Map.of(), List.of("sfumato-x-registry"), true)
                .remark(pipeline)
                .orElseThrow())
        .contains("no right to read")
        .contains("sfumato-x-registry")
        .contains("may not describe are invisible");
  }
}
