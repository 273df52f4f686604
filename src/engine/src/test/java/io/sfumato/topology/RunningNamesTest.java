// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.release.Plan;
import io.sfumato.schema.NamesRelease;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.serde.JournalEntry.Contributions;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.topology.context.Names;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names that are counted over windows, through the whole topology. */
class RunningNamesTest {
  private static final String FILE =
      """
      pipeline: test
      input:
        topic: in
        subject: land
        user: who
        time: at
        category: what
        categories: { discover: { name: terms, share: { epsilon: 900000, delta: 1e-6 }%s } }
      contributions: { per-window: 4%s }
      subjects: [west]
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 900000, delta: 1e-6, period: 60s }
      """;

  @TempDir Path state;

  private static String file(String discover, String contributions) {
    return FILE.formatted(discover, contributions);
  }

  private static void event(Fixture pipeline, String who, long window, String what) {
    pipeline.sendJson(window * 10 + 1, "'who':'%s','land':'west','what':'%s'", who, what);
  }

  private static void users(Fixture pipeline, int users, long window, String what) {
    for (int i = 0; i < users; i++) {
      event(pipeline, "u" + i, window, what);
    }
  }

  private static List<NamesRelease> released(Fixture pipeline) {
    return pipeline.releases("terms", NamesRelease.class);
  }

  private static String shown(NamesRelease release) {
    return "since %d: ".formatted((release.getSince().toEpochMilli() - NOW) / 10_000)
        + release.getNames().stream()
            .map(name -> name.getName() + " " + name.getCount() + (name.getFound() ? " found" : ""))
            .collect(Collectors.joining(", "));
  }

  /** The window in which Fixture's time lies begins a block: 2026-06-01 is one of those before. */
  @Test
  void countsRunFromTheBlocksBeginningAlsoOfWhatIsFoundLater() {
    String six = file(", running: 6, test-every: 2", ", per-period: 40, per-name: 4");
    try (Fixture pipeline = new Fixture(six, state)) {
      for (int window = 0; window < 8; window++) {
        users(pipeline, 9, window, "always");
        if (window == 2) {
          users(pipeline, 9, window, "once");
        }
        if (window < 4) {
          event(pipeline, "loner", window, "mine");
        }
        pipeline.tick(window * 10L + 12);
      }
      List<NamesRelease> told = released(pipeline);
      assertThat(told)
          .extracting(RunningNamesTest::shown)
          .containsExactly(
              "since 0: ",
              "since 0: always 18 found",
              "since 0: always 27",
              "since 0: always 36, once 9 found",
              "since 0: always 36, once 9",
              "since 0: always 36, once 9",
              "since 6: always 9, once 0",
              "since 6: always 18, once 0");
    }
  }

  /** One record a name in the whole period, and so many in all. */
  @Test
  void aUserCountsOnceANameInAPeriod() {
    String six = file(", running: 6, test-every: 1", ", per-period: 3");
    try (Fixture pipeline = new Fixture(six, state)) {
      for (int window = 0; window < 6; window++) {
        users(pipeline, 9, window, "always");
        users(pipeline, 9, window, "w" + window);
        pipeline.tick(window * 10L + 12);
      }
      List<NamesRelease> told = released(pipeline);
      NamesRelease last = told.get(5);
      long all = last.getNames().stream().mapToLong(name -> name.getCount()).sum();
      assertThat(all).as("three names of each of nine users").isEqualTo(27);
      assertThat(shown(last)).isEqualTo("since 0: always 9, w0 9, w1 9");
      users(pipeline, 9, 6, "always");
      pipeline.tick(72);
      assertThat(released(pipeline))
          .extracting(RunningNamesTest::shown)
          .containsExactly("since 6: always 9, w0 0, w1 0");
    }
  }

  @Test
  void aPeriodsBoundNeedsRunningCountsAndAPeriodWithABeginning() {
    assertThatThrownBy(() -> Fixture.plan(file("", ", per-period: 3")))
        .hasMessageContaining("found without 'running'");
    assertThatThrownBy(
            () ->
                Fixture.plan(
                    file(", running: 6", ", per-period: 3")
                        .replace("period: 60s", "period: { any: 60s }")))
        .hasMessageContaining("budget.period: {any");
    assertThatThrownBy(() -> Fixture.plan(file(", test-every: 2", "")))
        .hasMessageContaining("test-every");
  }

  private static List<JournalEntry> window(int window) {
    List<Contribution> records = new ArrayList<>();
    long start = NOW + window * 10_000L;
    for (int i = 0; i < 40; i++) {
      String user = "u" + i;
      for (String name : List.of("always", "w" + window / 3, "rare" + i % 20)) {
        records.add(new Contribution(user, start, "west", 0, i, List.of(), name));
      }
    }
    return List.of(new Contributions(records), new Watermark(0, start + 10_000));
  }

  private static List<JournalEntry> all() {
    List<JournalEntry> journal = new ArrayList<>(PopulationRun.beginning());
    IntStream.range(0, 14).forEach(window -> journal.addAll(window(window)));
    return journal;
  }

  /** Another program may go on in front of every entry, and nothing is different. */
  @Test
  void whereTasksChangeHandsChangesNothing() {
    for (String form : List.of(", running: 6, test-every: 2, forget-names: 1", "")) {
      String text = file(form, form.isEmpty() ? "" : ", per-period: 20").replace("900000", "8");
      Plan plan = Fixture.plan(text);
      List<String> once = hex(new PopulationRun().outputs(plan, all()));
      PopulationRun again = new PopulationRun();
      List<String> often = new ArrayList<>();
      all().forEach(entry -> often.addAll(hex(again.outputs(plan, List.of(entry)))));
      assertThat(often).isEqualTo(once).hasSize(14);
    }
  }

  /**
   * Lists of format 1 do not say whether a name waits for room: then all names are looked at in
   * every window. Whether they are changes no output, and no row that a block leaves; also where
   * lists are full.
   */
  @Test
  void whatWaitsBetweenTestsIsDecidedAsIfEveryWindowWereLookedAt() {
    for (String form :
        List.of(
            ", running: 6, test-every: 3, forget-names: 1",
            ", running: 6, test-every: 4, most: 1",
            ", running: 4, test-every: 3, most: 2, forget-names: 2")) {
      Plan plan = Fixture.plan(file(form, ", per-period: 20").replace("900000", "8"));
      List<JournalEntry> journal = new ArrayList<>(PopulationRun.beginning());
      IntStream.range(0, 12).forEach(window -> journal.addAll(window(window)));
      PopulationRun waits = new PopulationRun();
      List<String> waiting = hex(waits.outputs(plan, journal));
      PopulationRun looks = new PopulationRun();
      List<String> looked = new ArrayList<>();
      int lists = 0;
      for (JournalEntry entry : journal) {
        looked.addAll(hex(looks.outputs(plan, List.of(entry))));
        lists += withoutWaiting(looks);
      }
      assertThat(looked).as(form).isEqualTo(waiting).hasSize(12);
      withoutWaiting(waits);
      assertThat(names(looks)).as(form).isEqualTo(names(waits));
      assertThat(lists).as("lists that said how many wait").isGreaterThanOrEqualTo(3);
    }
  }

  private static List<String> names(PopulationRun run) {
    return run.lines().stream().filter(line -> line.startsWith(Names.NAME_STORE)).toList();
  }

  /** Of how many lists it is forgotten how many names wait. */
  private static int withoutWaiting(PopulationRun run) {
    KeyValueStore<Bytes, byte[]> store = run.store(Names.NAME_STORE);
    List<KeyValue<Bytes, byte[]>> lists = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> all = store.all()) {
      all.forEachRemaining(
          entry -> {
            if (entry.key.get()[0] == 'h' && entry.value[0] == 2) {
              lists.add(entry);
            }
          });
    }
    for (KeyValue<Bytes, byte[]> list : lists) {
      // Names that wait are few: their number is the last byte.
      byte[] first = Arrays.copyOf(list.value, list.value.length - 1);
      first[0] = 1;
      store.put(list.key, first);
    }
    return lists.size();
  }

  private static List<String> hex(List<byte[]> outputs) {
    return outputs.stream().map(HexFormat.of()::formatHex).toList();
  }
}
