// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Entries.start;
import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.gate.StateEpoch;
import io.sfumato.schema.CountRelease;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineStopException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Guarantees of any span under {@code user}: nobody has a ledger, and the calendar alone says what
 * counts. There is so much budget that noise is 0 but for a chance of e^-200000. Windows of ten
 * seconds, spans of thirty.
 */
class SpansOfUsersTest {
  private static final String EVERY =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 1, subjects: 1 }
      subjects: [west]
      window: { size: 10s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 900000, delta: 1e-6, period: { any: 30s } }
      releases:
        - count: { name: visits, by: total, share: { epsilon: 900000, delta: 1e-6 } }
      """;

  private static final String PACED = EVERY.replace("any: 30s", "any: 30s, pace: 2");

  private static String next(String yaml) {
    return yaml.replace("budget: { name: test", "budget: { name: test-2");
  }

  /** In window w there are w + 1 users, the first w + 1 of all. */
  private static List<JournalEntry> windows(int from, int to) {
    List<JournalEntry> journal = new ArrayList<>();
    for (int window = from; window < to; window++) {
      String[] users = new String[window + 1];
      for (int i = 0; i <= window; i++) {
        users[i] = "user" + i;
      }
      journal.addAll(PopulationRun.window(window, users));
    }
    return journal;
  }

  /** Window and count of each release. */
  private static List<String> counts(List<CountRelease> releases) {
    return releases.stream()
        .map(
            release ->
                (release.getWindowStart().toEpochMilli() - NOW) / 10_000
                    + ":"
                    + release.getCounts().get(0))
        .toList();
  }

  private static void assertNothingKept(PopulationRun run) {
    assertThat(LedgerLines.of(run.store(Names.LEDGER_STORE))).as("ledgers").isEmpty();
    try (var open = run.store(Names.CONTRIBUTION_STORE).all()) {
      assertThat(open.hasNext()).as("what users did in closed windows").isFalse();
    }
  }

  @Test
  void shouldCountEveryWindowOfEverybodyWithoutLedgers() {
    PopulationRun run = new PopulationRun();
    run.run(Fixture.plan(EVERY), PopulationRun.beginning());
    List<CountRelease> releases = run.run(Fixture.plan(EVERY), windows(0, 8));
    assertThat(counts(releases))
        .containsExactly("0:1", "1:2", "2:3", "3:4", "4:5", "5:6", "6:7", "7:8");
    assertThat(releases.get(0).getGuarantee().getAdjacency())
        .isEqualTo(
            "whatever 30 seconds you take, all records of one user in the windows that these touch"
                + " are added or removed, of which at most 1 count in each window; the subjects are"
                + " public");
    assertNothingKept(run);
  }

  /** Two windows of every three, from the beginning on; what lies between counts for nobody. */
  @Test
  void shouldCountTheWindowsOfTheCalendarAlone() {
    PopulationRun run = new PopulationRun();
    run.run(Fixture.plan(PACED), PopulationRun.beginning());
    assertThat(counts(run.run(Fixture.plan(PACED), windows(0, 9))))
        .containsExactly("0:1", "2:3", "3:4", "5:6", "6:7", "8:9");
    assertNothingKept(run);
  }

  @ParameterizedTest
  @ValueSource(strings = {"any: 30s", "any: 30s, pace: 2"})
  void shouldGoOnAfterRestartsByteForByte(String span) {
    String yaml = EVERY.replace("any: 30s", span);
    List<JournalEntry> journal = new ArrayList<>(PopulationRun.beginning());
    journal.addAll(windows(0, 9));
    List<String> once = hex(new PopulationRun().outputs(Fixture.plan(yaml), journal));
    PopulationRun run = new PopulationRun();
    List<String> often = new ArrayList<>();
    Random random = new Random(7);
    for (int from = 0; from < journal.size(); ) {
      int to = Math.min(journal.size(), from + 1 + random.nextInt(3));
      often.addAll(hex(run.outputs(Fixture.plan(yaml), journal.subList(from, to))));
      from = to;
    }
    assertThat(often).isEqualTo(once).isNotEmpty();
  }

  private static List<String> hex(List<byte[]> outputs) {
    return outputs.stream().map(HexFormat.of()::formatHex).toList();
  }

  private static LedgerImage image(PopulationRun run) {
    StateReader reader = new StateReader();
    try (var meta = run.store(Names.META_STORE).all()) {
      meta.forEachRemaining(e -> reader.meta(0, e.key.get(), e.value));
    }
    return reader.image().orElseThrow();
  }

  private static PopulationRun carriedOver(LedgerImage image, String yaml) {
    image.requireFor(Fixture.plan(yaml));
    PopulationRun carried = new PopulationRun();
    for (LedgerImage.Change change : image.origins(1, "00", "test")) {
      carried.store(Names.META_STORE).put(Bytes.wrap(change.key()), change.value());
    }
    return carried;
  }

  private static List<JournalEntry> beginningAt(int window) {
    return List.of(new Genesis(0, new StateEpoch(8, 8)), new Watermark(0, start(window)));
  }

  /** The calendar goes on where it was, so that no span across the change holds more. */
  @Test
  void shouldGoOnByTheSameCalendarWhereALedgerIsCarriedOver() {
    for (int cut = 1; cut < 8; cut++) {
      PopulationRun run = new PopulationRun();
      run.run(Fixture.plan(PACED), PopulationRun.beginning());
      List<String> counts = new ArrayList<>(counts(run.run(Fixture.plan(PACED), windows(0, cut))));
      PopulationRun carried = carriedOver(image(run), next(PACED));
      carried.run(Fixture.plan(next(PACED)), beginningAt(cut));
      counts.addAll(counts(carried.run(Fixture.plan(next(PACED)), windows(cut, 9))));
      assertThat(counts).containsExactly("0:1", "2:3", "3:4", "5:6", "6:7", "8:9");
      assertNothingKept(carried);
    }
  }

  /** Windows up to the floor were released: nobody releases them again, whoever has no ledger. */
  @Test
  void shouldStopWhoeverCountsWindowsBelowTheFloor() {
    PopulationRun run = new PopulationRun();
    run.run(Fixture.plan(EVERY), PopulationRun.beginning());
    run.run(Fixture.plan(EVERY), windows(0, 5));
    PopulationRun carried = carriedOver(image(run), next(EVERY));
    List<JournalEntry> journal = new ArrayList<>(PopulationRun.beginning());
    journal.addAll(windows(0, 5));
    assertThatThrownBy(() -> carried.run(Fixture.plan(next(EVERY)), journal))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("was already decided")
        .hasMessageNotContaining("user0");
  }

  /** Another calendar may begin when no span holds windows of both. */
  @Test
  void shouldBeginAnotherCalendarOnlyWhenTheLastWindowHasLeftEverySpan() {
    PopulationRun run = new PopulationRun();
    run.run(Fixture.plan(EVERY), PopulationRun.beginning());
    run.run(Fixture.plan(EVERY), windows(0, 5));
    LedgerImage image = image(run);
    for (String other : List.of(next(PACED), next(EVERY).replace("size: 10s", "size: 5s"))) {
      for (int begin = 5; begin < 12; begin++) {
        String yaml =
            other.replace("begin: 2026-06-01", "begin: " + Instant.ofEpochMilli(start(begin)));
        if (begin - 4 < 4) {
          assertThatThrownBy(() -> image.requireFor(Fixture.plan(yaml)))
              .isInstanceOf(PipelineStopException.class)
              .hasMessageContaining(
                  "Windows that start before %s share 30 seconds"
                      .formatted(Instant.ofEpochMilli(start(8))));
        } else {
          assertThatCode(() -> image.requireFor(Fixture.plan(yaml))).doesNotThrowAnyException();
        }
      }
    }
    String later =
        next(PACED).replace("begin: 2026-06-01", "begin: " + Instant.ofEpochMilli(start(8)));
    PopulationRun carried = carriedOver(image, later);
    carried.run(Fixture.plan(later), beginningAt(5));
    assertThat(counts(carried.run(Fixture.plan(later), windows(5, 12))))
        .as("windows before the new beginning are nobody's")
        .containsExactly("8:9", "10:11", "11:12");
  }

  /**
   * A ledger that is carried on once more, from a pipeline that began and released nothing, still
   * tells of what the first one spent, whose share's name another one has.
   */
  @Test
  void shouldNotForgetAShareWhoseNameAnotherTookBeforeItReleasedAnything() {
    PopulationRun first = new PopulationRun();
    first.run(Fixture.plan(PACED), PopulationRun.beginning());
    List<String> released = new ArrayList<>(counts(first.run(Fixture.plan(PACED), windows(0, 4))));
    String early =
        next(EVERY).replace("begin: 2026-06-01", "begin: " + Instant.ofEpochMilli(start(4)));
    String late =
        next(EVERY).replace("begin: 2026-06-01", "begin: " + Instant.ofEpochMilli(start(7)));
    LedgerImage image = image(first);
    assertThatThrownBy(() -> image.requireFor(Fixture.plan(early)))
        .as("windows 2 to 5 lie in one span")
        .isInstanceOf(PipelineStopException.class);
    PopulationRun second = carriedOver(image, late);
    // As long as not all partitions of its records have had something, nothing has closed.
    second.run(Fixture.plan(late), beginningAt(7).subList(0, 1));
    String third = early.replace("name: test-2", "name: test-3");
    assertThatThrownBy(
            () -> {
              PopulationRun carried = carriedOver(image(second), third);
              carried.run(Fixture.plan(third), beginningAt(4));
              released.addAll(counts(carried.run(Fixture.plan(third), windows(4, 7))));
            })
        .as("the same windows, by way of a pipeline that released nothing: %s", released)
        .isInstanceOf(PipelineStopException.class);
  }

  /** What is drawn once in a span costs its share in one window: nearly twice the budget then. */
  @Test
  void shouldNotForgetWhatWasDrawnOnceInASpan() {
    String bounds =
        EVERY
            .replace("categories: [a, b] }", "categories: [a, b], values: [x] }")
            .replace(
                "- count: { name: visits, by: total, share: { epsilon: 900000, delta: 1e-6 } }",
                "- bounds: { name: range, value: x, share: { epsilon: 900000, delta: 1e-6, ledger:"
                    + " visits } }");
    String late =
        next(EVERY).replace("begin: 2026-06-01", "begin: " + Instant.ofEpochMilli(start(8)));
    // Window 4, the last one before the floor, is that of the bounds: number 4 of a span of 3 + 1.
    PopulationRun second = carriedOver(LedgerImage.of(Fixture.plan(bounds), start(5)), late);
    second.run(Fixture.plan(late), beginningAt(8).subList(0, 1));
    String third =
        next(EVERY)
            .replace("begin: 2026-06-01", "begin: " + Instant.ofEpochMilli(start(5)))
            .replace("name: test-2", "name: test-3");
    assertThatThrownBy(() -> image(second).requireFor(Fixture.plan(third)))
        .as("bounds in window 4, and counts in windows 5, 6 and 7 at a quarter each")
        .isInstanceOf(PipelineStopException.class);
  }
}
