// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a registry remembers of a budget's state from before its first charge. */
class BegunTest {
  private static final Begun FIRST = new Begun(1, Map.of("ledgers", "id-1", "meta", "id-2"));

  @Test
  void shouldNameTopicsThatAreMissingOrWereCreatedAgain() {
    List<String> topics = List.of("ledgers", "meta", "queries");
    assertThat(FIRST.lost(topics, Map.of("ledgers", "id-1", "meta", "id-2", "queries", "id-3")))
        .as("a topic that a later version adds is not lost")
        .isEmpty();
    assertThat(FIRST.lost(topics, Map.of("ledgers", "id-9", "meta", "id-2")))
        .containsExactly("ledgers");
    assertThat(FIRST.lost(topics, Map.of())).containsExactly("ledgers", "meta");
    assertThat(FIRST.lost(List.of("meta"), Map.of("meta", "id-2")))
        .as("a topic that no version needs any more")
        .isEmpty();
    assertThat(Begun.NOT.lost(topics, Map.of())).as("a first start").isEmpty();
  }

  @Test
  void shouldAddTopicsOfLaterVersionsAndKeepTheNewestFormat() {
    Begun later = new Begun(3, Map.of("queries", "id-3"));
    assertThat(FIRST.and(later).and(FIRST))
        .isEqualTo(new Begun(3, Map.of("ledgers", "id-1", "meta", "id-2", "queries", "id-3")));
    assertThat(FIRST.and(later).covers(later)).isTrue();
    assertThat(FIRST.covers(later)).isFalse();
  }

  @Test
  void shouldReadWhatItWrites() throws Exception {
    assertThat(Begun.read(FIRST.json())).contains(FIRST);
    assertThat(FIRST.json())
        .hasToString("{\"format\":1,\"topics\":{\"ledgers\":\"id-1\",\"meta\":\"id-2\"}}");
    for (String other : List.of("{}", "[]", "{\"format\":\"1\",\"topics\":{}}", "{\"format\":1}")) {
      assertThat(Begun.read(new ObjectMapper().readTree(other))).as(other).isEmpty();
    }
  }

  @Test
  void shouldKnowTheRecordsTopicByTheIdOfTheClusterWhereItBegan() {
    Begun moved = FIRST.withRecords(Map.of("there", "here"));
    assertThat(moved.recordsId("there")).isEqualTo("here");
    assertThat(moved.recordsId("elsewhere")).isEqualTo("elsewhere");
    assertThat(FIRST.withRecords(Map.of("here", "here"))).isEqualTo(FIRST);
    assertThat(FIRST.and(moved).recordsId("there")).isEqualTo("here");
    assertThat(Begun.read(moved.json())).contains(moved);
  }

  private static Begun epochs(Map<String, String> epochs) {
    return new Begun(2, Map.of(), Map.of(), epochs);
  }

  @Test
  void shouldNamePartitionsWhoseStateIsAnotherOneOrGone() {
    Begun known = epochs(Map.of("meta-store/0", "e0", "meta-store/1", "e1"));
    assertThat(known.otherEpochs(known)).isEmpty();
    assertThat(known.otherEpochs(epochs(Map.of("meta-store/0", "e9", "meta-store/1", "e1"))))
        .containsExactly("partition 0 has epoch e9 instead of epoch e0");
    assertThat(known.otherEpochs(epochs(Map.of("meta-store/0", "e0"))))
        .containsExactly("partition 1 has no state instead of epoch e1");
    assertThat(epochs(Map.of()).otherEpochs(known)).as("begun since").isEmpty();
    assertThat(epochs(Map.of("subjects-meta-store/0", "e0")).otherEpochs(epochs(Map.of())))
        .as("the keeper without ledgers, whose state is not read at a start")
        .isEmpty();
  }

  @Test
  void shouldRememberEpochsOfPartitionsThatBeginLater() throws Exception {
    Begun later = epochs(Map.of("meta-store/0", "e0"));
    assertThat(FIRST.covers(later)).isFalse();
    assertThat(FIRST.and(later).epochs()).containsEntry("meta-store/0", "e0");
    assertThat(FIRST.and(later).topics()).isEqualTo(FIRST.topics());
    assertThat(Begun.read(later.json())).contains(later);
  }
}
