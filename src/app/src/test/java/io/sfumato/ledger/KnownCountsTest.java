// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.gate.NoiseKey;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.gate.StateEpoch;
import io.sfumato.topology.context.ChargeCounts;
import io.sfumato.topology.context.CountedState;
import io.sfumato.topology.context.PartitionCount;
import io.sfumato.topology.context.PartitionCount.Place;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a registry knows of how far partitions are. */
class KnownCountsTest {
  private static final Place FIRST = new Place("meta-store", 0);
  private static final Place SECOND = new Place("meta-store", 1);
  private static final Optional<StateEpoch> EPOCH = Optional.of(new StateEpoch(7, 7));

  private final KnownCounts known = new KnownCounts();

  private static CountedState at(long time, PartitionCount count) {
    return new CountedState(count, time);
  }

  private static PartitionCount count(Place place, long position, long charges, long decided) {
    return new PartitionCount(place, EPOCH, position, charges, decided);
  }

  /** Two instances that each had the partition write in any order. */
  @Test
  void shouldKeepTheNewerCountWhenAnInstanceThatLostThePartitionWritesLater() {
    PartitionCount newer = count(FIRST, 9, 4, 100);
    CountedState second = at(2_000, count(SECOND, 1, 0, 10));
    known.add(List.of(at(1_000, newer)));
    known.add(List.of(at(2_000, count(FIRST, 5, 2, 50)), second));
    assertThat(known.counts()).containsExactly(at(1_000, newer), second);
    assertThat(known.of(FIRST)).contains(at(1_000, newer));
    assertThat(known.oldest()).contains(Instant.ofEpochMilli(1_000));
  }

  @Test
  void shouldTakeACountWhenNothingOfItIsBehind() {
    known.add(List.of(at(1_000, count(FIRST, 5, 2, 50))));
    known.add(List.of(at(2_000, count(FIRST, 5, 2, 50))));
    assertThat(known.oldest())
        .as("the same state, seen later")
        .contains(Instant.ofEpochMilli(2_000));
    known.add(List.of(at(3_000, count(FIRST, 5, 3, 50))));
    assertThat(known.counts()).containsExactly(at(3_000, count(FIRST, 5, 3, 50)));
  }

  @Test
  void shouldCallAStateOlderWhenAnyNumberIsSmaller() {
    PartitionCount before = count(FIRST, 5, 2, 50);
    assertThat(before.isBehind(before)).isFalse();
    assertThat(count(FIRST, 4, 9, 90).isBehind(before)).isTrue();
    assertThat(count(FIRST, 9, 1, 90).isBehind(before)).isTrue();
    assertThat(count(FIRST, 9, 9, 40).isBehind(before)).isTrue();
    assertThat(count(FIRST, 9, 9, 90).isBehind(before)).isFalse();
  }

  @Test
  void shouldCallAStateOlderWhenItIsAnotherOne() {
    PartitionCount before = count(FIRST, 5, 2, 50);
    PartitionCount none = new PartitionCount(FIRST, Optional.empty(), 9, 9, 90);
    PartitionCount other = new PartitionCount(FIRST, Optional.of(new StateEpoch(8, 8)), 9, 9, 90);
    assertThat(none.isBehind(before)).isTrue();
    assertThat(other.isBehind(before)).isTrue();
    assertThat(other.isBehind(none)).as("a state that has begun since").isFalse();
  }

  @Test
  void shouldReadCountsWhenTheKeyIsTheBudgets() throws Exception {
    NoiseKey key = NoiseSecret.random().derive();
    CountCodec codec = new CountCodec(key.countsOf("diary"), "sfumato-diary-registry");
    List<CountedState> counts =
        List.of(
            at(5, count(FIRST, 12, 345, 1_700_000_000_000L)),
            at(6, new PartitionCount(SECOND, Optional.empty(), -1, 0, Long.MIN_VALUE)));
    var json = new ObjectMapper().readTree(codec.json(counts).toString());
    assertThat(codec.read(json)).contains(counts);
    assertThat(new CountCodec(key.countsOf("diary"), "elsewhere").read(json)).isEmpty();
    assertThat(new CountCodec(key.countsOf("other"), "sfumato-diary-registry").read(json))
        .isEmpty();
    assertThat(codec.read(new ObjectMapper().readTree("{\"counts\":\"%\"}"))).isEmpty();
    assertThat(codec.read(new ObjectMapper().readTree("{}"))).isEmpty();
  }

  /** Else one could tell a subject that has spent nothing from one that has. */
  @Test
  void shouldTakeTheSameSpaceWhateverTheNumbersAre() {
    CountCodec codec = new CountCodec(NoiseSecret.random().derive().countsOf("a"), "topic");
    PartitionCount none = new PartitionCount(FIRST, Optional.empty(), 3, 3, 3);
    int length = codec.json(List.of(at(1, count(FIRST, -1, 0, 7)))).toString().length();
    assertThat(codec.json(List.of(at(1L << 40, count(FIRST, 1, 1L << 50, 1)))).toString())
        .hasSize(length);
    assertThat(codec.json(List.of(at(1, none))).toString()).hasSize(length);
  }

  /** An instance that lost a partition may believe for a while that it is idle. */
  @Test
  void shouldKeepTheTimeOfACountWhenItHasNotChanged() {
    ChargeCounts counts = new ChargeCounts();
    counts.committed(count(FIRST, 5, 2, 50), 1_000);
    counts.committed(count(FIRST, 5, 2, 50), 2_000);
    assertThat(counts.all()).containsExactly(at(1_000, count(FIRST, 5, 2, 50)));
    counts.committed(count(FIRST, 6, 2, 50), 3_000);
    assertThat(counts.all()).containsExactly(at(3_000, count(FIRST, 6, 2, 50)));
  }
}
