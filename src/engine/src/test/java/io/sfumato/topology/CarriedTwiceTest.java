// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Entries.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.gate.StateEpoch;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.PipelineStopException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;

/**
 * A ledger that is carried on to a pipeline which begins in the next period, and from there, before
 * it has released anything, to one that begins in this one.
 */
class CarriedTwiceTest {
  private static final String HEAD =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b] }
      window: { size: 10s, clock: ticks, begin: %s }
      budget: { name: test-%d, unit: record, epsilon: 100, delta: 1e-6, period: PT60S }
      releases:
      """;

  private static final String ONE =
      "  - histogram: { name: all, method: laplace, windows: 5, share: { epsilon: 100, delta: 1e-6 } }\n";

  private static final String TWO =
      """
        - histogram: { name: all, method: laplace, windows: 1, share: { epsilon: 1, delta: 5e-7 } }
        - histogram: { name: more, method: laplace, windows: 1, share: { epsilon: 99, delta: 5e-7 } }
      """;

  private final Deployment deployment = Fixture.deployment(1, PipelineMeters.none());

  private static String file(int number, int begin, String releases) {
    return HEAD.formatted(Instant.ofEpochMilli(start(begin)), number) + releases;
  }

  private static List<JournalEntry> beginning(int window) {
    return List.of(new Genesis(0, new StateEpoch(7, window)), new Watermark(0, start(window)));
  }

  private static List<JournalEntry> windows(int from, int to) {
    List<JournalEntry> journal = new ArrayList<>();
    for (int window = from; window < to; window++) {
      journal.add(Entries.record("ann", window));
      journal.add(Entries.end(window));
    }
    return journal;
  }

  private List<String> released(KeeperRun run, String yaml, List<JournalEntry> journal) {
    return run.run(Fixture.plan(yaml), deployment, journal).stream()
        .map(KeeperRun.Output::child)
        .toList();
  }

  private static LedgerImage image(KeeperRun run) {
    StateReader reader = new StateReader();
    try (var meta = run.store(Names.META_STORE).all()) {
      meta.forEachRemaining(e -> reader.meta(0, e.key.get(), e.value));
    }
    return reader.image().orElseThrow();
  }

  private static KeeperRun carriedOver(KeeperRun from, String yaml) {
    LedgerImage image = image(from);
    image.requireFor(Fixture.plan(yaml));
    KeeperRun carried = new KeeperRun();
    for (LedgerImage.Change change : image.origins(1, "00", "test")) {
      carried.store(Names.META_STORE).put(Bytes.wrap(change.key()), change.value());
    }
    try (var ledgers = from.store(Names.LEDGER_STORE).all()) {
      ledgers.forEachRemaining(
          row -> {
            if (image.livePeriods().test(LedgerImage.periodOf(row.key.get()))) {
              carried.store(Names.LEDGER_STORE).put(row.key, row.value);
            }
          });
    }
    return carried;
  }

  @Test
  void whatAPeriodSpentIsNotForgotten() {
    KeeperRun first = new KeeperRun();
    List<JournalEntry> journal = new ArrayList<>(beginning(0));
    journal.addAll(windows(0, 5));
    assertThat(released(first, file(1, 0, ONE), journal))
        .as("all of epsilon 100 is spent")
        .containsExactly("all", "all", "all", "all", "all");
    assertThatThrownBy(() -> image(first).requireFor(Fixture.plan(file(2, 5, TWO))))
        .isInstanceOf(PipelineStopException.class);
    KeeperRun second = carriedOver(first, file(2, 6, TWO));
    // One of the two partitions of its records has had something: nothing has closed yet.
    second.run(
        Fixture.plan(file(2, 6, TWO)), Fixture.deployment(2, PipelineMeters.none()), beginning(6));
    List<String> again = new ArrayList<>();
    assertThatThrownBy(
            () -> {
              KeeperRun third = carriedOver(second, file(3, 5, TWO));
              List<JournalEntry> rest = new ArrayList<>(beginning(5));
              rest.addAll(windows(5, 6));
              again.addAll(released(third, file(3, 5, TWO), rest));
            })
        .as(() -> "in the same period: " + again)
        .isInstanceOf(PipelineStopException.class);
  }
}
