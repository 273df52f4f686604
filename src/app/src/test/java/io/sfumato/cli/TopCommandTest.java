// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.client.ReleaseTable;
import io.sfumato.client.WholeLists;
import io.sfumato.estimate.partitionselection.RunningNameBars;
import io.sfumato.release.Plan;
import io.sfumato.release.Plans;
import io.sfumato.release.Shown;
import io.sfumato.release.names.PlannedRunningNames;
import io.sfumato.schema.CountedName;
import io.sfumato.schema.Guarantees;
import io.sfumato.schema.NamesRelease;
import io.sfumato.schema.TopName;
import io.sfumato.schema.TopRelease;
import io.sfumato.serde.JsonRecords;
import io.sfumato.text.TerminalColumns;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The largest counts over all subjects, from a file of published lists. */
class TopCommandTest {
  private static final Instant FIRST = Instant.parse("2026-11-02T00:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);

  private static final String FILE =
      """
      pipeline: test
      input: { topic: in, subject: land, user: who, time: at, category: what, categories: { discover: { name: terms, share: { epsilon: 1, delta: 1e-6 } } } }
      contributions: { per-window: 4 }
      subjects: [west, east]
      window: { size: 1d, grace: 2h, clock: ticks, begin: 2026-11-02 }
      budget: { name: test, unit: user, epsilon: 1, delta: 1e-6, period: window }
      releases:
        - top: { name: best, k: 2, of: terms }
      """;

  static final String RUNNING =
      FILE.replace("delta: 1e-6 } } }", "delta: 1e-6 }, running: 6, test-every: 2 } }")
          .replace("per-window: 4", "per-window: 4, per-period: 8")
          .replace("period: window", "period: 30d");

  @TempDir Path folder;

  private CommandResult result;
  private Path file;
  private Path lists;

  @BeforeEach
  void begin() throws Exception {
    file = Files.writeString(folder.resolve("file.yaml"), FILE);
    lists = folder.resolve("lists.jsonl");
  }

  private int run(String... more) {
    String[] arguments =
        Stream.concat(
                Stream.of("top", file.toString(), "--release-file", lists.toString()),
                Stream.of(more))
            .toArray(String[]::new);
    result = CommandResult.of(arguments);
    return result.code();
  }

  static NamesRelease list(String subject, int day, int part, int parts, CountedName... names) {
    return NamesRelease.newBuilder()
        .setReleaseId(subject + day + "/" + part)
        .setPipeline("test")
        .setOutput("terms")
        .setSubject(subject)
        .setWindowStart(FIRST.plus(DAY.multipliedBy(day)))
        .setSince(FIRST.plus(DAY.multipliedBy(day)))
        .setWindowEnd(FIRST.plus(DAY.multipliedBy(day + 1)))
        .setSince(FIRST.plus(DAY.multipliedBy(day)))
        .setPart(part)
        .setParts(parts)
        .setNames(List.of(names))
        .setThreshold(20)
        .setListed(3)
        .setMost(100)
        .setGuarantee(Guarantees.any().build())
        .build();
  }

  static CountedName name(String name, long count) {
    return new CountedName(name, count, count - 5, count + 5, false);
  }

  private void write(NamesRelease... records) throws Exception {
    Files.writeString(
        lists, String.join("\n", Stream.of(records).map(JsonRecords::line).toList()) + "\n");
  }

  @Test
  void sumsOverAllSubjectsWindowByWindow() throws Exception {
    write(
        list("west", 0, 1, 2, name("c", 30)),
        list("east", 0, 0, 1, name("a", 20), name("c", 25)),
        list("west", 1, 0, 1),
        list("west", 0, 0, 2, name("a", 50), name("b", 10)),
        list("east", 1, 0, 1, name("a", 21)));
    assertThat(run()).as(result.err()).isZero();
    assertThat(result.out().replaceAll(" +", " ").lines())
        .containsExactly(
            "2026-11-02 00:00 all 2 subjects",
            " 1. a 70 (60 to 80) in 2 of 2 lists",
            " 2. c 55 (45 to 65) in 2 of 2 lists",
            "2026-11-03 00:00 all 2 subjects",
            " 1. a 21 (16 to 26) in 1 of 2 lists");
  }

  /** A list that lacks a part is none. */
  @Test
  void saysWhoseListsAreMissing() throws Exception {
    write(list("west", 0, 1, 2, name("c", 30)), list("east", 0, 0, 1, name("a", 20)));
    assertThat(run("-o", "json", "-k", "7")).as(result.err()).isZero();
    assertThat(result.out().strip())
        .isEqualTo(
            "{\"window_start\":\"2026-11-02T00:00:00Z\",\"window_end\":\"2026-11-03T00:00:00Z\","
                + "\"since\":\"2026-11-02T00:00:00Z\",\"subjects\":[\"east\"],\"missing\":[\"west\"],\"rows\":[{\"rank\":1,\"name\":\"a\","
                + "\"count\":20,\"low\":15,\"high\":25,\"lists\":1}]}");
    assertThat(run()).isZero();
    assertThat(result.out()).contains("1 subject; missing: west");
  }

  /** Whoever had a list in the window before is waited for, where the file lists nobody. */
  @Test
  void whoIsNotListedIsKnownFromTheWindowBefore() throws Exception {
    Files.writeString(file, FILE.replace("subjects: [west, east]", "subjects: roster"));
    write(
        list("north", 0, 0, 1, name("a", 20)),
        list("west", 0, 0, 1, name("a", 20)),
        list("north", 1, 0, 1, name("a", 30)));
    assertThat(run()).as(result.err()).isZero();
    assertThat(result.out())
        .contains("00:00  all 2 subjects with a list", "00:00  1 subject; missing: west");
  }

  /**
   * A run of six windows, tested every second one: what was found in it stays conditioned. Of names
   * whose first lists are not in the file nothing is taken below.
   */
  @Test
  void sumsOfRunningCountsGoByHowTheirNamesWereFound() throws Exception {
    Files.writeString(file, RUNNING);
    NamesRelease[] all = running();
    write(all);
    assertThat(run()).as(result.err()).isZero();
    List<String> told = result.out().replaceAll(" +", " ").lines().toList();
    assertThat(told).hasSize(6).filteredOn(line -> line.contains("in 2 of 2")).hasSize(2);
    assertThat(told.get(5)).matches(" 1\\. a 310 \\(24\\d to 36\\d\\) in 2 of 2 lists");
    write(Arrays.copyOfRange(all, 4, 6));
    assertThat(run()).as(result.err()).isZero();
    assertThat(result.out().replaceAll(" +", " ").lines().toList().get(1))
        .matches(" 1\\. a 310 \\(0 to 36\\d\\) in 2 of 2 lists");
  }

  /** Lists of three windows: 'a' is public in the east, and found in the west by the second. */
  static NamesRelease[] running() throws Exception {
    Plan plan = Plans.plan(RUNNING);
    RunningNameBars bars =
        new RunningNameBars(
            ((PlannedRunningNames) plan.release("terms")).plan().mechanism().plan());
    List<NamesRelease> lists =
        List.of(
            list("east", 0, 0, 1, published(50, bars.halfWidth(0, 1), false)),
            list("west", 0, 0, 1),
            list("east", 1, 0, 1, published(100, bars.halfWidth(0, 2), false)),
            list("west", 1, 0, 1, published(120, bars.halfWidth(1, 0), true)),
            list("east", 2, 0, 1, published(150, bars.halfWidth(0, 3), false)),
            list("west", 2, 0, 1, published(160, bars.halfWidth(1, 1), false)));
    lists.forEach(each -> each.setSince(FIRST));
    return lists.toArray(NamesRelease[]::new);
  }

  private static CountedName published(long count, double halfWidth, boolean found) {
    return new CountedName("a", count, 0L, (long) Math.floor(count + halfWidth), found);
  }

  @Test
  void recordsOfOthersAreNoLists() throws Exception {
    NamesRelease other = list("west", 0, 0, 1, name("a", 20));
    other.setPipeline("another");
    write(other);
    assertThat(run()).isEqualTo(1);
    assertThat(result.err()).contains("holds no list of 'terms' yet");
  }

  @Test
  void twoListsOfOneWindowAreRefused() throws Exception {
    NamesRelease again = list("west", 0, 0, 1, name("a", 20));
    again.setReleaseId("another");
    write(list("west", 0, 0, 1, name("a", 50)), again);
    assertThat(run()).isEqualTo(3);
    assertThat(result.err()).contains("two different lists of west", "west0/0", "another");
  }

  /** Retention left the end of one of them alone. */
  @Test
  void partsOfTwoListsOfOneWindowAreRefused() throws Exception {
    NamesRelease rest = list("west", 0, 2, 3, name("a", 50));
    rest.setReleaseId("earlier/2");
    write(rest, list("west", 0, 0, 3, name("b", 40)), list("west", 0, 1, 3, name("c", 30)));
    assertThat(run()).isEqualTo(3);
    assertThat(result.err()).contains("two different lists of west", "earlier/2", "west0/0");
  }

  @Test
  void whatIsNoListIsRefusedWithItsLine() throws Exception {
    write(list("west", 0, 0, 1));
    Files.writeString(lists, Files.readString(lists) + "\n{\"type\":\"NamesRelease\"}\n");
    assertThat(run()).isEqualTo(3);
    assertThat(result.err()).contains("line 3: not a list of names");
  }

  @Test
  void onlyFilesWithNamesHaveATop() throws Exception {
    Files.copy(Path.of("topology/orders.yaml"), file, StandardCopyOption.REPLACE_EXISTING);
    assertThat(run()).isEqualTo(3);
    assertThat(result.err()).contains("has no output of names");
  }

  /** As consume shows lists: in 80 columns, whatever names there are. */
  @Test
  void linesFitIntoATerminal() {
    CountedName[] names = new CountedName[500];
    Arrays.setAll(
        names, i -> name("図書館 \u05e9\u05dc\u05d5\u05dd a long name of many words " + i, 1_000 - i));
    String names500 = ReleaseTable.line(list("west", 0, 0, 1, names));
    assertThat(names500.lines()).allMatch(line -> TerminalColumns.of(line) <= 80);
    assertThat(names500).contains("…y words 0 1,000").containsPattern("and 492 more  \\+-\\d+$");
    TopRelease top = new TopRelease();
    top.setSubject("west");
    top.setWindowStart(FIRST);
    top.setWindowEnd(FIRST.plusSeconds(60));
    top.setSince(FIRST);
    top.setRows(
        IntStream.rangeClosed(1, 40)
            .mapToObj(rank -> new TopName(rank, " word " + rank, 99L - rank, 0L, 99L, rank < 3))
            .toList());
    String text = ReleaseTable.line(Shown.headed(top));
    assertThat(text).contains("1. \\u0020word 1 98 (found)").endsWith("and 20 more  +-98");
    assertThat(text.lines()).allMatch(line -> TerminalColumns.of(line) <= 80);
    assertThat(ReleaseTable.wholeLine(top)).contains("40. \\u0020word 40 59").doesNotContain("\n");
  }

  /** As consume shows a long list: one line, in which the largest counts come first. */
  @Test
  void partsAreOneTable() {
    WholeLists whole = new WholeLists();
    NamesRelease first = list("west", 0, 0, 2, name("a", 5), name("b", 9));
    NamesRelease other = list("east", 0, 0, 2, name("e", 1));
    NamesRelease second = list("west", 0, 1, 2, name("c", 7));
    assertThat(whole.add(first)).isEmpty();
    assertThat(whole.add(other)).isEmpty();
    assertThat(whole.add(second))
        .hasValueSatisfying(
            joined ->
                assertThat(ReleaseTable.line(joined))
                    .matches("2026-11-02 00:00 +west +b 9  c 7  a 5  \\+-\\d+"));
    assertThat(whole.rest()).containsExactly(other);
    NamesRelease one = list("west", 1, 0, 1, name("a", 5));
    assertThat(whole.add(one)).containsSame(one);
  }
}
