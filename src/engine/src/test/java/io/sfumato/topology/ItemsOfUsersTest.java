// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.MessageLimit;
import io.sfumato.pipeline.SizeBound;
import io.sfumato.release.WorstCase;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.CountRelease;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.serde.JournalEntry.Contributions;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.OperatorOrders;
import io.sfumato.topology.context.RecordSpan;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each item of an array counts as a record would. There is so much budget that the noise is 0 but
 * for a chance below 1e-200.
 */
class ItemsOfUsersTest {
  private static final String FILE =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: "tags[]", categories: [a, b, c] }
      contributions: { per-window: 5, subjects: 2, left-out: 8, max-items: 20 }
      subjects: [north, south]
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 900000, delta: 1e-6, period: lifetime }
      releases:
        - count: { name: n, share: { epsilon: 450000, delta: 4e-7 }, windows: 2 }
        - count: { name: lost, by: left-out, share: { epsilon: 450000, delta: 4e-7 }, windows: 2 }
      """;

  @TempDir Path state;

  private static byte[] record(String who, String ward, long second, String tags) {
    return "{\"who\":\"%s\",\"ward\":\"%s\",\"at\":%d,%s}"
        .formatted(who, ward, NOW + second * 1000, tags.replace('\'', '"'))
        .getBytes(StandardCharsets.UTF_8);
  }

  private static void send(Fixture pipeline, String who, String ward, String... tags) {
    String items = tags.length == 0 ? "" : "'" + String.join("','", tags) + "'";
    pipeline.send(null, record(who, ward, 1, "'tags':[" + items + "]"));
  }

  private static String[] times(int number, String tag) {
    return Collections.nCopies(number, tag).toArray(String[]::new);
  }

  @Test
  void shouldCountEachItemAndTheSameOneAgain() {
    try (Fixture pipeline = new Fixture(FILE, state)) {
      send(pipeline, "ann", "north", "a", "zebra", "b", "a");
      send(pipeline, "ann", "south", "c");
      send(pipeline, "bob", "north", "c", "c");
      pipeline.tick(12);
      assertThat(pipeline.counts("n")).containsExactly("north [2, 1, 2]", "south [0, 0, 1]");
      assertThat(pipeline.counts("lost")).containsExactly("north [0]", "south [0]");
      assertThat(pipeline.deadLetters()).isEmpty();
      assertThat(pipeline.counts.seen).as("records").containsEntry("accepted", 3);
    }
  }

  /** Of one record as of many: what a user may change is the same. */
  @Test
  void shouldCutItemsAndTellOfThoseLeftOut() {
    try (Fixture pipeline = new Fixture(FILE, state)) {
      send(pipeline, "ann", "north", times(9, "a"));
      send(pipeline, "bob", "south", times(4, "b"));
      send(pipeline, "bob", "south", times(4, "b"));
      send(pipeline, "eve", "south", times(20, "c"));
      pipeline.tick(12);
      assertThat(pipeline.counts("n")).containsExactly("north [5, 0, 0]", "south [0, 5, 5]");
      // Of bob's three, of eve's fifteen no more than D.
      assertThat(pipeline.counts("lost")).containsExactly("north [4]", "south [11]");
    }
  }

  /** What lies behind was only there to be chosen: nobody counts less for it. */
  @Test
  void shouldTakeTheFirstItemsOfALongRecord() {
    try (Fixture pipeline = new Fixture(FILE, state)) {
      String[] tags = times(50, "b");
      Arrays.fill(tags, 0, 20, "a");
      send(pipeline, "ann", "north", tags);
      assertThat(pipeline.contributions()).hasSize(20).allMatch(item -> item.category() == 0);
      pipeline.tick(12);
      assertThat(pipeline.counts("n")).containsExactly("north [5, 0, 0]", "south [0, 0, 0]");
      assertThat(pipeline.counts("lost")).containsExactly("north [8]", "south [0]");
      assertThat(pipeline.deadLetters()).isEmpty();
    }
  }

  @Test
  void shouldBuryARecordOfWhichNothingCounts() {
    try (Fixture pipeline = new Fixture(FILE, state)) {
      send(pipeline, "ann", "north");
      send(pipeline, "ann", "north", "zebra");
      pipeline.send(null, record("ann", "north", 1, "'tags':'a'"));
      pipeline.send(null, record("ann", "north", 1, "'tags':null"));
      pipeline.send(null, record("ann", "north", 1, "'tag':['a']"));
      pipeline.tick(12);
      assertThat(pipeline.deadLetters())
          .containsExactly(
              "0:NO_CATEGORY",
              "1:UNKNOWN_CATEGORY",
              "2:NO_CATEGORY",
              "3:NO_CATEGORY",
              "4:NO_CATEGORY");
      assertThat(pipeline.counts("n")).containsExactly("north [0, 0, 0]", "south [0, 0, 0]");
    }
  }

  /** The rank of a first item is that of a record, so that files without arrays do not change. */
  @Test
  void shouldRankEachItemByItsPlaceAndTheFirstAsTheRecord() {
    String plain = FILE.replace("tags[]", "tag").replace(", max-items: 20", "");
    List<Contribution> records;
    try (Fixture pipeline = new Fixture(plain, state.resolve("plain"))) {
      pipeline.send(null, record("ann", "north", 1, "'tag':'b'"));
      pipeline.send(null, record("ann", "north", 1, "'tag':'c'"));
      records = pipeline.contributions();
    }
    for (int run = 0; run < 2; run++) {
      try (Fixture pipeline = new Fixture(FILE, state.resolve("items" + run))) {
        send(pipeline, "ann", "north", "b", "a", "a");
        send(pipeline, "ann", "north", "c", "a", "a");
        List<Contribution> items = pipeline.contributions();
        assertThat(items).hasSize(6).contains(records.get(0), records.get(1));
        assertThat(new HashSet<>(items.stream().map(Contribution::rank).toList())).hasSize(6);
      }
    }
  }

  /** A retry writes what the first attempt wrote. */
  @Test
  void shouldWriteTheSameBytesAgain() {
    List<List<String>> runs = new ArrayList<>();
    for (int run = 0; run < 2; run++) {
      try (Fixture pipeline =
          new Fixture(
              FILE.replace("900000", "9").replace("450000", "4"), state.resolve("run" + run))) {
        for (int i = 0; i < 6; i++) {
          send(pipeline, "ann", i % 2 == 0 ? "north" : "south", "a", "b", "c", "c");
        }
        pipeline.tick(12);
        runs.add(
            pipeline.records("n").stream()
                .map(release -> HexFormat.of().formatHex(release.value()))
                .toList());
      }
    }
    assertThat(runs.get(0)).hasSize(2).isEqualTo(runs.get(1));
  }

  @Test
  void shouldForgetAllItemsOfAUser() {
    try (Fixture pipeline = new Fixture(FILE, state)) {
      send(pipeline, "ann", "north", "a", "b", "c");
      send(pipeline, "bob", "north", "b", "b");
      pipeline.command(ControlCommand.FORGET, "ann");
      pipeline.tick(12);
      assertThat(pipeline.counts("n")).contains("north [0, 2, 0]");
    }
  }

  @Test
  void shouldSkipARecordWithAllItsItems() {
    OperatorOrders second = OperatorOrders.of(List.of(RecordSpan.at(0, 1)));
    try (Fixture pipeline = new Fixture(FILE, state, Deployment.JumpPolicy.STOP, second)) {
      send(pipeline, "ann", "north", "a");
      send(pipeline, "ann", "north", "b", "c", "c");
      send(pipeline, "ann", "north", "c");
      pipeline.tick(12);
      assertThat(pipeline.counts("n")).contains("north [1, 0, 1]");
      assertThat(pipeline.deadLetters()).containsExactly("1:SKIPPED");
    }
  }

  /** However many items a record has, no entry and no row grows beyond what the plan says. */
  @Test
  void shouldKeepEntriesAndRowsWithinTheirBounds() {
    String file = FILE.replace("max-items: 20", "max-items: 10000");
    long row =
        WorstCase.of(Fixture.plan(file))
            .of(SizeBound.Kind.ROW, Names.CONTRIBUTION_STORE)
            .orElseThrow()
            .bytes();
    try (Fixture pipeline = new Fixture(file, state)) {
      String who = "w".repeat(256);
      send(pipeline, who, "north", times(12_000, "a"));
      send(pipeline, who, "south", times(12_000, "b"));
      var entries = pipeline.recordsSoFar("test-users-journal-repartition");
      assertThat(entries)
          .hasSizeGreaterThan(10)
          .allMatch(entry -> entry.value().length <= MessageLimit.ENTRY_BYTES);
      long items =
          entries.stream()
              .map(entry -> JournalCodec.decode(entry.value()))
              .filter(Contributions.class::isInstance)
              .mapToLong(entry -> ((Contributions) entry).records().size())
              .sum();
      assertThat(items).isEqualTo(20_000);
      var rows = pipeline.driver.getKeyValueStore(Names.CONTRIBUTION_STORE).all();
      assertThat(rows).toIterable().hasSize(1);
      var held = pipeline.recordsSoFar("test-" + Names.CONTRIBUTION_STORE + "-changelog");
      assertThat(held)
          .isNotEmpty()
          .allMatch(change -> change.key().length + change.value().length <= row);
      pipeline.tick(12);
      long counted =
          pipeline.releases("n", CountRelease.class).stream()
              .flatMap(release -> release.getCounts().stream())
              .mapToLong(count -> count)
              .sum();
      assertThat(counted).isEqualTo(5);
    }
  }
}
