// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Selections;
import io.sfumato.release.Plan;
import io.sfumato.schema.CountRelease;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.serde.JournalEntry.Contributions;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.PipelineStopException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Outputs that are about records, categories or windows of their own come, go and change places
 * while the state lives. There is so much budget that noise is next to nothing.
 */
class QuestionsAcrossVersionsTest {
  private static final String HEAD =
      """
      pipeline: test
      version: %d
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 4, subjects: 1 }
      subjects: [north]
      window: { size: 10s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 900000, delta: 9e-6, period: { any: 60s } }
      releases:
      """;

  private static final Deployment DEPLOYMENT = Fixture.deployment(1, PipelineMeters.none());
  private static final String ALL = count("all", "by: total");
  private static final String ORDERS = count("orders", "by: total, where: { kind: order }");
  private static final String VIEWS = count("views", "by: total, where: { kind: view }");
  private static final String ITEMS = count("items", "category: item, categories: [x, y]");
  private static final String WEEKLY =
      count("weekly", "of: users, by: total, over: 3, where: { kind: view }");

  private static String count(String name, String more) {
    return "  - count: { name: %s, %s, share: { epsilon: 200000, delta: 2e-6 } }%n"
        .formatted(name, more);
  }

  private static String file(int version, String... outputs) {
    return HEAD.formatted(version) + String.join("", outputs);
  }

  private static long start(int window) {
    return NOW + window * 10_000L;
  }

  private static JournalEntry activation(String yaml) {
    Plan plan = Fixture.plan(yaml);
    return new Activation(
        plan.pipeline().version(), start(1), plan.digestText(), DEPLOYMENT.noiseKey().tag());
  }

  /** As intake of a version says it: a record of ann in each selection, of the last two more. */
  private static List<JournalEntry> records(String yaml, int window) {
    Pipeline pipeline = Fixture.plan(yaml).pipeline();
    List<Contribution> records = new ArrayList<>();
    List<Integer> ids = Selections.of(pipeline).ids();
    for (int place = 0; place < ids.size(); place++) {
      int each =
          Selections.of(pipeline).all().get(place).input().where().conditions().isEmpty() ? 3 : 2;
      for (int rank = 0; rank < each; rank++) {
        records.add(
            new Contribution(
                "ann",
                start(window),
                "north",
                rank % 2,
                rank,
                List.of(),
                "",
                0,
                ids.size() == 1 ? 0 : ids.get(place)));
      }
    }
    return List.of(new Contributions(records));
  }

  private static JournalEntry end(int window) {
    return new Watermark(0, start(window + 1));
  }

  private static List<JournalEntry> of(List<JournalEntry> first, JournalEntry... more) {
    List<JournalEntry> all = new ArrayList<>(first);
    all.addAll(List.of(more));
    return all;
  }

  private static List<String> shown(List<CountRelease> releases) {
    return releases.stream()
        .map(
            release ->
                "%d %s %s"
                    .formatted(
                        (release.getWindowStart().toEpochMilli() - NOW) / 10_000,
                        release.getOutput(),
                        release.getLastCounts() == null
                            ? release.getCounts()
                            : release.getLastCounts()))
        .sorted()
        .toList();
  }

  /** Window 0 of one version; of window 1 it takes in the records, of window 2 the other does. */
  private static List<String> taken(String one, String two) {
    PopulationRun run = new PopulationRun();
    run.run(Fixture.plan(one), PopulationRun.beginning());
    run.run(Fixture.plan(one), of(records(one, 0), activation(two)));
    run.run(Fixture.plan(one), of(records(one, 1), end(0)));
    List<String> all = new ArrayList<>(shown(run.run(Fixture.plan(two), of(List.of(), end(1)))));
    all.addAll(shown(run.run(Fixture.plan(two), of(records(two, 2), end(2)))));
    return all;
  }

  @Test
  void shouldDropReorderAndAddOutputs() {
    String one = file(1, ALL, ORDERS, ITEMS);
    assertThat(taken(one, file(2, ITEMS, ALL)))
        .containsExactly("1 all [3]", "1 items [2, 1]", "2 all [3]", "2 items [2, 1]");
    // What another 'where' would have selected is not there in the window that is open.
    assertThat(taken(one, file(2, VIEWS, ORDERS)))
        .containsExactly("1 orders [2]", "1 views [0]", "2 orders [2]", "2 views [2]");
  }

  @Test
  void shouldComeToSeveralSelectionsFromOneAndBack() {
    assertThat(taken(file(1, ALL), file(2, ORDERS, ALL)))
        .containsExactly("1 all [3]", "1 orders [0]", "2 all [3]", "2 orders [2]");
    assertThat(taken(file(1, ORDERS, ALL), file(2, ALL))).containsExactly("1 all [3]", "2 all [3]");
  }

  @Test
  void shouldAppendCategoriesOfAnOutputAndOfTheFile() {
    String appended = ITEMS.replace("[x, y]", "[x, y, z]");
    assertThat(taken(file(1, ALL, ITEMS), file(2, ALL, appended)))
        .containsExactly("1 all [3]", "1 items [2, 1, 0]", "2 all [3]", "2 items [2, 1, 0]");
    String one = file(1, ALL, count("orders", "where: { kind: order }"));
    assertThat(taken(one, one.replace("version: 1", "version: 2").replace("[a, b]", "[a, b, c]")))
        .containsExactly("1 all [3]", "1 orders [1, 1, 0]", "2 all [3]", "2 orders [1, 1, 0]");
  }

  /** Ann was there before: a user who is known counts once in the windows that are together. */
  @Test
  void shouldKnowUsersOfTheLastWindowsWhereAnotherOutputIsDropped() {
    assertThat(taken(file(1, ORDERS, ALL, WEEKLY), file(2, ALL, WEEKLY)))
        .contains("1 weekly [1]", "2 weekly [1]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "where: { kind: order }|where: { kind: view }|output 'orders'",
        "where: { kind: order }|where: { kind: order }, category: item, categories: [x, y]|output 'orders'",
        "where: { kind: order }|where: { kind: order }, contributions: { per-window: 2 }|''",
        "where: { kind: order }||output 'orders'",
        "categories: [x, y]|categories: [y, x]|categories of 'items'",
        "categories: [x, y]|categories: [x, z]|categories of 'items'",
      })
  void shouldRefuseThatAnOutputIsAboutOtherRecords(String old, String other, String message) {
    String one = file(1, ALL, count("orders", "where: { kind: order }"), ITEMS);
    String two = one.replace("version: 1", "version: 2").replace(old, other == null ? "" : other);
    if (message.isEmpty()) {
      assertThat(taken(one, two)).hasSize(6);
      return;
    }
    assertThatThrownBy(() -> taken(one, two.replace(", ,", ",")))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining(message);
    // Under another name it is another output.
    if (message.contains("orders")) {
      String renamed = two.replace(", ,", ",").replace("name: orders", "name: others");
      assertThat(taken(one, renamed)).hasSize(6);
    }
  }

  /** Three versions take over at the same window, and the second one has no time to forget. */
  private static List<String> back(String one, String two, String three) {
    PopulationRun run = new PopulationRun();
    run.run(Fixture.plan(one), PopulationRun.beginning());
    run.run(Fixture.plan(one), of(records(one, 0), activation(two), end(0)));
    run.run(Fixture.plan(two), List.of(activation(three)));
    return shown(run.run(Fixture.plan(three), of(records(three, 1), end(1))));
  }

  @Test
  void shouldKnowWhatAnOutputWasAboutThatComesBack() {
    String running = count("sums", "by: total, running: 8, where: { kind: view }");
    String one = file(1, ALL, running);
    String two = file(2, ALL);
    assertThat(back(one, two, file(3, ALL, running))).contains("1 sums [4]");
    String other = running.replace(", where: { kind: view }", "");
    assertThatThrownBy(() -> back(one, two, file(3, ALL, other)))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("output 'sums': this version has another 'where'");
  }

  /** Ann was there in both windows: where only one side remembers her, she would be two users. */
  @ParameterizedTest
  @ValueSource(strings = {"", ", where: { kind: view }"})
  void shouldRefuseThatUsersOfTheLastWindowsComeBack(String where) {
    String one = file(1, ALL, WEEKLY.replace(", where: { kind: view }", where));
    String two = file(2, ALL);
    String three = one.replace("version: 1", "version: 3");
    assertThatThrownBy(() -> back(one, two, three))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("output 'weekly': the version before did not have it");
    String renamed = three.replace("name: weekly", "name: again");
    assertThat(back(one, two, renamed)).contains("1 again [1]");
  }

  /**
   * A version that counts over fewer windows forgets users earlier. The one that follows at the
   * same window goes on with what subjects remember, which knows them still.
   */
  @Test
  void shouldForgetNoUserBeforeAVersionHasDecidedAWindow() {
    List<Plan> plans = new ArrayList<>();
    for (int version = 1; version <= 3; version++) {
      String weekly = WEEKLY.replace(", where: { kind: view }", "");
      plans.add(
          Fixture.plan(
              file(version, weekly.replace("over: 3", version == 2 ? "over: 2" : "over: 6"))
                  .replace("{ any: 60s }", "60s")));
    }
    PopulationRun run = new PopulationRun();
    run.run(plans.get(0), PopulationRun.beginning());
    run.run(plans.get(0), of(ann(0), end(2), announced(plans.get(1), 3)));
    run.run(plans.get(1), List.of());
    run.run(plans.get(1), List.of(announced(plans.get(2), 3)));
    assertThat(shown(run.run(plans.get(2), of(ann(3), end(3), end(5)))))
        .containsExactly("3 weekly [1]", "4 weekly [1]", "5 weekly [1]");
  }

  private static List<JournalEntry> ann(int window) {
    return List.of(
        new Contributions(List.of(new Contribution("ann", start(window), "north", 0, 1))));
  }

  private static JournalEntry announced(Plan next, int window) {
    return new Activation(
        next.pipeline().version(), start(window), next.digestText(), DEPLOYMENT.noiseKey().tag());
  }

  /** Names of selections in states follow from what they are about, not from their places. */
  @Test
  void shouldNameSelectionsByWhatTheyAreAbout() {
    List<List<Integer>> ids =
        IntStream.of(1, 2)
            .mapToObj(turn -> turn == 1 ? file(1, ALL, ORDERS, ITEMS) : file(1, ITEMS, ORDERS))
            .map(file -> Selections.of(Fixture.plan(file).pipeline()).ids())
            .toList();
    assertThat(ids.get(0)).doesNotHaveDuplicates().hasSize(3).startsWith(1);
    assertThat(ids.get(1)).containsExactly(1, ids.get(0).get(2), ids.get(0).get(1));
  }
}
