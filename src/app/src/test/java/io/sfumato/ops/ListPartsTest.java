// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.Plan;
import io.sfumato.release.Plans;
import io.sfumato.rows.Card;
import io.sfumato.schema.CountedName;
import io.sfumato.schema.Guarantees;
import io.sfumato.schema.NamesRelease;
import java.time.Instant;
import java.util.stream.IntStream;
import org.apache.avro.generic.IndexedRecord;
import org.junit.jupiter.api.Test;

/** Long lists on the operators' page. */
class ListPartsTest {
  private final ListParts lists = new ListParts();

  /** A part with names that are counted once, and one with a large count. */
  private static NamesRelease part(String subject, int part, int parts, int names) {
    return NamesRelease.newBuilder()
        .setReleaseId(subject + part)
        .setPipeline("searches")
        .setOutput("terms")
        .setSubject(subject)
        .setWindowStart(Instant.EPOCH)
        .setWindowEnd(Instant.EPOCH.plusSeconds(60))
        .setSince(Instant.EPOCH)
        .setPart(part)
        .setParts(parts)
        .setNames(
            IntStream.range(0, names)
                .mapToObj(
                    i ->
                        new CountedName(
                            part + " " + i, i == 7 ? 100L + part : 1L, 0L, 110L + part, false))
                .toList())
        .setThreshold(20)
        .setListed((long) parts * names)
        .setMost(10_000)
        .setGuarantee(Guarantees.any().build())
        .build();
  }

  private static Card card(IndexedRecord whole) throws Exception {
    Plan plan = Plans.example("searches.yaml");
    return OutputCards.card(plan.release("terms"), whole).orElseThrow();
  }

  @Test
  void theLargestOfAllPartsAreShownAndTheRestIsCounted() throws Exception {
    assertThat(lists.add(part("west", 0, 3, 2_000))).isEmpty();
    assertThat(lists.add(part("east", 0, 3, 2_000))).as("another's").isEmpty();
    assertThat(lists.add(part("west", 1, 3, 2_000))).isEmpty();
    IndexedRecord whole = lists.add(part("west", 2, 3, 2_000)).orElseThrow();
    Card card = card(whole);
    assertThat(card.rows()).as("what is kept").hasSize(20);
    assertThat(card.rows()).extracting(Card.Row::label).startsWith("2 7", "1 7", "0 7", "0 0");
    assertThat(card.sections().get(0).more()).isEqualTo(6_000 - 20);
  }

  /** A file may have several outputs of one schema: several tables of one window. */
  @Test
  void partsOfTwoOutputsAreTwoLists() {
    NamesRelease other = part("west", 0, 2, 3);
    other.setOutput("others");
    assertThat(lists.add(part("west", 0, 2, 3))).isEmpty();
    assertThat(lists.add(other)).as("another's, of which half is missing").isEmpty();
    NamesRelease whole = (NamesRelease) lists.add(part("west", 1, 2, 3)).orElseThrow();
    assertThat(whole.getNames())
        .extracting(CountedName::getName)
        .containsExactlyInAnyOrder("0 0", "0 1", "0 2", "1 0", "1 1", "1 2");
  }

  @Test
  void aListWhoseBeginningWasPassedOverIsNotShown() {
    assertThat(lists.add(part("west", 0, 2, 3))).isEmpty();
    lists.begin();
    assertThat(lists.add(part("west", 1, 2, 3))).isEmpty();
    assertThat(lists.add(part("east", 0, 1, 3))).isPresent();
  }

  /** Reading began within a list, and the same window was released under another budget later. */
  @Test
  void theRestOfAListIsNoPartOfAnother() {
    assertThat(lists.add(part("west", 1, 3, 3))).isEmpty();
    assertThat(lists.add(part("west", 2, 3, 3))).isEmpty();
    assertThat(lists.add(part("west", 0, 3, 3))).as("the other one's first").isEmpty();
    assertThat(lists.add(part("west", 1, 3, 3))).isEmpty();
    NamesRelease whole = (NamesRelease) lists.add(part("west", 2, 3, 3)).orElseThrow();
    assertThat(whole.getNames())
        .extracting(CountedName::getName)
        .containsExactlyInAnyOrder("0 0", "0 1", "0 2", "1 0", "1 1", "1 2", "2 0", "2 1", "2 2");
  }

  @Test
  void aListThatBeginsAnewIsTheLaterOne() {
    assertThat(lists.add(part("west", 0, 2, 1))).isEmpty();
    assertThat(lists.add(part("west", 0, 2, 2))).isEmpty();
    NamesRelease whole = (NamesRelease) lists.add(part("west", 1, 2, 2)).orElseThrow();
    assertThat(whole.getNames()).hasSize(4);
  }

  /** Whoever else writes to the topic: parts without end are not kept for ever. */
  @Test
  void partsThatNeverEndAreLetGo() {
    for (int i = 0; i < 1_999; i++) {
      assertThat(lists.add(part("west", i, Integer.MAX_VALUE, 0))).isEmpty();
    }
    assertThat(lists.add(part("east", 0, 2, 1))).isEmpty();
    assertThat(lists.add(part("east", 1, 2, 1))).as("its first part was let go").isEmpty();
  }
}
