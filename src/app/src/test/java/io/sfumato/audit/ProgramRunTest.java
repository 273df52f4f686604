// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import static io.sfumato.audit.AuditedFiles.A_OR_B;
import static io.sfumato.audit.AuditedFiles.WARD;
import static io.sfumato.audit.AuditedFiles.ofRecords;
import static io.sfumato.audit.AuditedFiles.ofUsers;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.audit.AuditLog.Takeover;
import io.sfumato.release.Plan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A program that ends in the middle of a log, and another one that begins with its state. */
class ProgramRunTest {
  private static final Path FOLDER = Path.of("target", "audited");
  private static final int WINDOWS = 6;

  static List<String> files() {
    return List.of(
        ofUsers(
            WARD + ", " + A_OR_B,
            "per-window: 2, subjects: 2",
            "[north, south]",
            "epsilon: 4, delta: 4e-6, period: 40s",
            "count: { name: n, windows: 2, share: { epsilon: 2, delta: 1e-6 } }",
            "count: { name: run, by: total, running: 4, share: { epsilon: 2, delta: 1e-6 } }"),
        ofUsers(
            WARD + ", " + A_OR_B,
            "per-window: 1",
            "roster",
            "epsilon: 4, delta: 4e-6, period: window",
            "count: { name: day, of: users, over: 3, by: total, share: { epsilon: 2, delta: 1e-6 } }"),
        ofRecords(
            "subject: who, category: what, categories: [a, b, c]",
            "epsilon: 4, delta: 1e-5, period: lifetime",
            "histogram: { name: mix, share: { epsilon: 2, delta: 1e-6 }, windows: 3 }",
            "abc: { name: ask, method: soft, threshold: 0.4, share: { epsilon: 2, delta: 1e-6 }, queries: 2, candidates: 4 }"));
  }

  /** Wherever the log is cut in two, what leaves is the same, byte by byte and in its order. */
  @ParameterizedTest
  @MethodSource("files")
  void shouldGoOnAsIfNobodyHadStopped(String yaml) {
    Plan plan = Versions.of(Audited.plan(yaml)).staged(WINDOWS).last();
    for (AuditScenario scenario : new Scenes(plan, WINDOWS).all(3, 2)) {
      AuditLog log = scenario.log();
      Run whole = new Replay(plan, FOLDER).run(log, SliceSchedule.whole());
      assertThat(whole.stopped()).isEmpty();
      int entries = log.entries().size();
      for (int cut : new int[] {0, 1, entries / 3, entries / 2, entries - 1, entries}) {
        AuditLog twice = new AuditLog(log.entries(), Optional.of(new Takeover(cut, 0)));
        List<Run> both =
            new Replay(new Versions(List.of(plan, plan)), FOLDER)
                .programs(twice, SliceSchedule.whole());
        assertThat(both).as(scenario.name()).hasSize(2);
        assertThat(shown(both))
            .as("%s, cut at %d", scenario.name(), cut)
            .isEqualTo(shown(List.of(whole)));
        assertThat(both.get(1).drawnTwice()).isEmpty();
        assertThat(both.get(1).ledgers()).isEqualTo(whole.ledgers());
        List<String> ids = new ArrayList<>(both.get(0).draws().keySet());
        ids.addAll(both.get(1).draws().keySet());
        assertThat(ids).isEqualTo(List.copyOf(whole.draws().keySet()));
      }
    }
  }

  /** All that leaves, by topic. */
  private static Map<String, List<String>> shown(List<Run> runs) {
    Map<String, List<String>> all = new TreeMap<>();
    for (Run run : runs) {
      run.outputs()
          .forEach(
              (topic, records) ->
                  records.forEach(
                      record ->
                          all.computeIfAbsent(topic, none -> new ArrayList<>())
                              .add(
                                  "%s %s %d %s"
                                      .formatted(
                                          hex(record.key()),
                                          hex(record.value()),
                                          record.timestamp(),
                                          record.headers()))));
    }
    return all;
  }

  private static String hex(byte[] bytes) {
    return bytes == null ? "-" : HexFormat.of().formatHex(bytes);
  }
}
