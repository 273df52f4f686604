// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.release.Plan;
import io.sfumato.topology.context.Names;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Live ledgers hang on bytes: digests, layouts, charges, journal entries, rows, release ids, noise.
 * What is written for one file of each kind lies in the resources: every later program writes the
 * same, and goes on with it.
 */
class LiveStateTest {
  private static final Path FOLDER = Path.of("src/engine/src/test/resources/io/sfumato/live");

  @TempDir Path folder;

  static List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".yaml"))
          .map(name -> name.replace(".yaml", ""))
          .sorted()
          .toList();
    }
  }

  private static Plan plan(String name) throws IOException {
    return Fixture.plan(Files.readString(FOLDER.resolve(name + ".yaml")));
  }

  private static List<String> lines(String name) throws IOException {
    return new ArrayList<>(Files.readAllLines(FOLDER.resolve(name + ".txt")));
  }

  @ParameterizedTest
  @MethodSource("names")
  void shouldWriteTheSameBytes(String name) throws IOException {
    List<String> lines = lines(name);
    List<LiveState.Sent> log =
        LiveState.only(lines, "in").stream().map(LiveState.Sent::of).toList();
    assertThat(log).hasSizeGreaterThan(10);
    assertThat(LiveState.only(lines, "2")).isNotEmpty();
    List<String> written = LiveState.of(plan(name), log, folder);
    assertThat(written).isEqualTo(lines);
  }

  @ParameterizedTest
  @MethodSource("names")
  void shouldGoOnWithTheState(String name) throws IOException {
    goesOn(name, lines(name));
  }

  private static void goesOn(String name, List<String> lines) throws IOException {
    Plan plan = plan(name);
    LiveState.Continued subjects = LiveState.subjects(plan, lines);
    for (PlannedRelease release : plan.releases()) {
      assertThat(of(subjects.written(), release.spec().name()))
          .as(release.spec().name())
          .isEqualTo(values(lines, release.spec().topic()));
    }
    assertThat(of(subjects.written(), Names.REFUSALS))
        .isEqualTo(values(lines, plan.pipeline().refusalsTopic()));
    List<String> rows = new ArrayList<>();
    if (plan.pipeline().population().isPresent()) {
      LiveState.Continued users = LiveState.users(plan, lines);
      assertThat(of(users.written(), Names.COUNTED))
          .isEqualTo(values(lines, "live-journal-repartition"));
      rows.addAll(stores(users.rows(), true));
      rows.addAll(stores(subjects.rows(), false));
    } else {
      rows.addAll(subjects.rows());
    }
    assertThat(rows)
        .containsExactlyInAnyOrderElementsOf(
            LiveState.only(lines, "end").stream()
                .filter(row -> !row.startsWith("end " + Names.SOURCE_STORE))
                .toList());
  }

  /** Rows of the users' keeper, or of the subjects'. */
  private static List<String> stores(List<String> rows, boolean users) {
    List<String> mine =
        List.of(Names.META_STORE, Names.LEDGER_STORE, Names.CONTRIBUTION_STORE, Names.PERIOD_STORE);
    return rows.stream().filter(row -> users == mine.contains(row.split(" ")[1])).toList();
  }

  private static List<String> of(List<String> written, String child) {
    return written.stream()
        .filter(line -> line.startsWith(child + " "))
        .map(line -> line.substring(child.length() + 1))
        .toList();
  }

  /** "timestamp value" of what was written to a topic after the middle. */
  private static List<String> values(List<String> lines, String topic) {
    return LiveState.only(lines, "2").stream()
        .map(LiveState.Sent::of)
        .filter(sent -> sent.topic().equals(topic))
        .map(sent -> sent.timestamp() + " " + LiveState.hex(sent.value()))
        .toList();
  }
}
