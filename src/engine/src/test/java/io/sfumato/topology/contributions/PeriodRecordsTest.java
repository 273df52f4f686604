// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.contributions;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.topology.MemoryStores;
import io.sfumato.topology.contributions.Contributions.Entry;
import io.sfumato.topology.store.StagedWrites;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;

/** Which names a user's records of a period have counted for: as many of each as the file says. */
class PeriodRecordsTest {
  private final KeyValueStore<Bytes, byte[]> rows = MemoryStores.named("periods");
  private final StagedWrites staged = new StagedWrites(rows);
  private final PeriodRecords records = new PeriodRecords(staged, 2);

  private static List<Entry> entries(String... names) {
    return Arrays.stream(names).map(name -> new Entry("west", 0, 1, List.of(), name)).toList();
  }

  private static void count(PeriodRecords records, String user, long period, String... names) {
    PeriodRecords.OfUser mine = records.of(user, period);
    mine.add(mine.allowed(entries(names)).size());
  }

  private int kept() {
    staged.flush();
    List<Bytes> keys = new ArrayList<>();
    try (var all = rows.all()) {
      all.forEachRemaining(row -> keys.add(row.key));
    }
    return keys.size();
  }

  @Test
  void aNameCountsAsOftenAsTheFileSaysAndNoOftener() {
    PeriodRecords.OfUser ann = records.of("ann", 0);
    assertThat(ann.allowed(entries("asked before"))).hasSize(1);
    assertThat(ann.allowed(entries("a", "b", "a", "a")))
        .extracting(Entry::name)
        .containsExactly("a", "b", "a");
    // Of three that were allowed two are charged for.
    ann.add(2);
    assertThat(records.of("ann", 0).records()).isEqualTo(2);
    assertThat(records.of("ann", 0).allowed(entries("b", "b"))).hasSize(1);
    assertThat(records.of("ann", 0).allowed(entries("a", "a", "b", "c")))
        .extracting(Entry::name)
        .containsExactly("a", "b", "c");
    assertThat(records.of("ann", 1).records()).as("another period").isZero();
    assertThat(records.of("bob", 0).records()).as("somebody else").isZero();
    Entry elsewhere = new Entry("east", 0, 1, List.of(), "a");
    count(records, "ann", 0, "a");
    assertThat(records.of("ann", 0).allowed(List.of(elsewhere)))
        .as("a name of another subject is another one")
        .hasSize(1);
    assertThat(records.of("ann", 0).allowed(entries("a"))).isEmpty();
  }

  @Test
  void periodsThatAreOverAreDeletedAFewAtATimeAndNoOthers() {
    for (String user : List.of("ann", "bob", "eve")) {
      count(records, user, 0, "a");
    }
    count(records, "ann", 1, "a");
    records.deleteBefore(0, 2);
    assertThat(kept()).isEqualTo(4);
    records.deleteBefore(1, 2);
    assertThat(kept()).isEqualTo(2);
    records.deleteBefore(1, 2);
    assertThat(kept()).isEqualTo(1);
    records.deleteBefore(2, 2);
    assertThat(kept()).isZero();
  }

  @Test
  void whoIsForgottenGoesWhenTheWindowsThatWereClosedAreDecided() {
    for (long period = 0; period < 3; period++) {
      count(records, "ann", period, "a");
      count(records, "bob", period, "a");
    }
    records.forget("ann", 50);
    records.decided(49);
    assertThat(kept()).as("and when").isEqualTo(7);
    records.decided(50);
    assertThat(kept()).isEqualTo(3);
    assertThat(records.of("ann", 1).records()).isZero();
    assertThat(records.of("bob", 1).records()).isEqualTo(1);
    records.forget("bob", 70);
    // A process that begins again does not know that somebody waits until it looks.
    PeriodRecords next = new PeriodRecords(staged, 2);
    next.decided(70);
    assertThat(kept()).isZero();
  }
}
