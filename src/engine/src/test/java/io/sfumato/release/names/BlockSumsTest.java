// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.partitionselection.RunningNameBars;
import io.sfumato.estimate.partitionselection.RunningNameSums;
import io.sfumato.estimate.partitionselection.RunningNameSums.Count;
import io.sfumato.estimate.partitionselection.RunningNameSums.Found;
import io.sfumato.estimate.partitionselection.RunningNameSums.Known;
import io.sfumato.estimate.partitionselection.RunningNameSums.Unknown;
import io.sfumato.mechanism.partitionselection.NameBounds;
import io.sfumato.mechanism.partitionselection.TestSchedule;
import io.sfumato.mechanism.partitionselection.UnlistedCount;
import io.sfumato.pipeline.ReleaseSpec.Head;
import io.sfumato.pipeline.ReleaseSpec.ShareSpec;
import io.sfumato.schema.CountedName;
import io.sfumato.schema.NamesRelease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What published lists of a block tell of how their names were found. */
class BlockSumsTest {
  private static final Instant BEGIN = Instant.parse("2026-11-02T00:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);
  private static final PlannedRunningNames PLANNED =
      (PlannedRunningNames)
          PlannedRunningNames.of(
                  new NamesSpec(
                      new Head(
                          "terms",
                          "terms",
                          new ShareSpec(Epsilon.of("2"), Delta.of("1e-6"), "terms"),
                          20),
                      NamesSpec.Noise.BEST,
                      100,
                      Optional.empty(),
                      new NameBounds(4, 4, 1),
                      UnlistedCount.UNTOLD,
                      Optional.of(new TestSchedule(6, 2)),
                      OptionalInt.of(20)))
              .orElseThrow();
  private static final RunningNameSums SUMS = new RunningNameSums(PLANNED.discovery());

  /** A list of one name, as the plan would publish it; windows are counted from 1. */
  private static NamesRelease list(String subject, int window, Count count, boolean found) {
    long high = (long) Math.floor(Math.max(0, count.told() + SUMS.halfWidth(count)));
    NamesRelease list = new NamesRelease();
    list.setSubject(subject);
    list.setSince(BEGIN);
    list.setWindowStart(BEGIN.plus(DAY.multipliedBy(window - 1)));
    list.setWindowEnd(BEGIN.plus(DAY.multipliedBy(window)));
    list.setNames(List.of(new CountedName("a", count.told(), 0L, high, found)));
    return list;
  }

  private static NamesTogether.Sum sum(List<NamesRelease> before, NamesRelease... lists) {
    Origins origins = new Origins();
    Stream.concat(before.stream(), Stream.of(lists)).forEach(origins::add);
    return NamesTogether.largest(List.of(lists), origins, PLANNED.sums(), 1).get(0);
  }

  private static NamesTogether.Sum expected(Count... counts) {
    RunningNameBars.Interval truth = SUMS.of(List.of(counts));
    return new NamesTogether.Sum(
        "a",
        Stream.of(counts).mapToLong(Count::told).sum(),
        (long) Math.ceil(truth.low()),
        (long) Math.floor(truth.high()),
        counts.length);
  }

  private static long threshold(int test) {
    return PLANNED.discovery().thresholds().get(test - 1).least();
  }

  @Test
  void aNameThatWasFoundPassedAsLongAsItsBlockLasts() {
    Found justFound = new Found(threshold(2) + 9, 2, threshold(2) + 9, 0);
    Found found = new Found(threshold(2) + 30, 2, threshold(2) + 9, 1);
    Known known = new Known(150, 5);
    NamesRelease first = list("east", 1, new Known(20, 1), false);
    NamesRelease at = list("west", 4, justFound, true);
    NamesTogether.Sum sum =
        sum(List.of(first, at), list("west", 5, found, false), list("east", 5, known, false));
    assertThat(sum).isEqualTo(expected(found, known));
    NamesTogether.Sum asIfKnown = expected(new Known(found.told(), 5), known);
    assertThat(sum.low()).isPositive().isLessThan(asIfKnown.low() - 10);
    assertThat(sum(List.of(first), at, list("east", 4, new Known(140, 4), false)))
        .as("when it is found")
        .isEqualTo(expected(justFound, new Known(140, 4)));
  }

  /** The first lists were deleted, or windows were left out, or another plan made the lists. */
  @Test
  void withoutTheListsOfItsBlockNothingIsTakenBelow() {
    Found found = new Found(threshold(2) + 30, 2, threshold(2) + 9, 1);
    Known known = new Known(150, 5);
    NamesRelease west = list("west", 5, found, false);
    NamesRelease east = list("east", 5, known, false);
    Unknown of = new Unknown(found.told(), west.getNames().get(0).getHigh() - found.told() + 1.5);
    Unknown too = new Unknown(150, east.getNames().get(0).getHigh() - 150 + 1.5);
    assertThat(sum(List.of(), west, east)).isEqualTo(expected(of, too));
    assertThat(expected(of, too).low()).isZero();
    NamesRelease first = list("east", 1, new Known(20, 1), false);
    assertThat(sum(List.of(first), west, east)).isEqualTo(expected(of, known));
    NamesRelease wider = list("east", 5, known, false);
    CountedName published = wider.getNames().get(0);
    published.setHigh(published.getHigh() + 9);
    assertThat(sum(List.of(first), west, wider))
        .isEqualTo(expected(of, new Unknown(150, published.getHigh() - 150 + 1.5)));
  }

  /** A name that passed while its list was full is told later: no test was at that window's end. */
  @Test
  void whatIsToldBetweenTestsWasNotFoundThere() {
    Found found = new Found(threshold(2) + 30, 2, threshold(2) + 30, 1);
    NamesRelease late = list("west", 5, found, true);
    Unknown of = new Unknown(found.told(), late.getNames().get(0).getHigh() - found.told() + 1.5);
    assertThat(sum(List.of(), late, list("east", 5, found, true))).isEqualTo(expected(of, of));
  }

  /** Blocks know nothing of each other. */
  @Test
  void aNewBlockBeginsAnew() {
    Found found = new Found(threshold(3) + 9, 3, threshold(3) + 9, 0);
    NamesRelease before = list("west", 6, found, true);
    Instant next = BEGIN.plus(DAY.multipliedBy(6));
    List<NamesRelease> lists =
        Stream.of("west", "east")
            .map(subject -> list(subject, 1, new Known(30, 1), false))
            .peek(
                list -> {
                  list.setSince(next);
                  list.setWindowStart(next);
                  list.setWindowEnd(next.plus(DAY));
                })
            .toList();
    assertThat(sum(List.of(before), lists.get(0), lists.get(1)))
        .isEqualTo(expected(new Known(30, 1), new Known(30, 1)));
  }
}
