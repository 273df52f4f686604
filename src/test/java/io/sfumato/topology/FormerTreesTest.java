// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.noise.Incarnation;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.release.FormerShares;
import io.sfumato.release.Plan;
import io.sfumato.release.Plans;
import io.sfumato.release.count.PlannedCount;
import io.sfumato.release.count.PlannedRunningCount;
import io.sfumato.schema.CountRelease;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Boundary;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.topology.lineage.GrantedShare;
import io.sfumato.topology.lineage.Identity;
import io.sfumato.topology.lineage.MetaStore;
import io.sfumato.topology.setting.Names;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Budgets of running counts with Laplace noise that were granted when a window of a user was
 * charged too little. The resources were written by a program of that time: {@code plans.csv} what
 * it planned, {@code state.txt} its stores after 60 windows, in which ann counts in all, eve in the
 * last 20, bob in the first 3; {@code after.txt} what it released of six windows more, with records
 * of bob alone.
 */
@Tag("deep")
class FormerTreesTest {
  private static final String FILE =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b, c] }
      contributions: { per-window: %d, subjects: 1 }
      subjects: [north, south, west]
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: %s, delta: %s, period: lifetime }
      releases:
        - count: { name: n, by: total, method: %s, running: %d, share: { epsilon: %s, delta: %s }, windows: %d }
      """;

  /** The file of {@code state.txt}. */
  private static final String LIVE = FILE.formatted(1, "1", "1e-6", "laplace", 64, "1", "1e-6", 64);

  private static final int WINDOWS = 64;

  private static List<String> resource(String name) {
    try (InputStream in =
        FormerTreesTest.class.getResourceAsStream("/io/sfumato/formerly/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  static List<String> plans() {
    return resource("plans.csv").stream().skip(1).toList();
  }

  /** Digests and charges name the state of a live pipeline: not a bit of them may change. */
  @ParameterizedTest
  @MethodSource("plans")
  void whatWasPlannedFormerlyIsKnownToTheBit(String row) throws PipelineFileException {
    String[] cells = row.split(";");
    String yaml =
        FILE.formatted(
            Integer.valueOf(cells[3]),
            cells[4],
            cells[5],
            cells[0],
            Integer.valueOf(cells[1]),
            cells[4],
            cells[5],
            Integer.valueOf(cells[2]));
    Plan now = Plans.plan(yaml);
    Plan then =
        now.with(
            release ->
                release.formerly().stream()
                    .filter(former -> former.charge().mechanism().equals(cells[7]))
                    .filter(former -> former.share().counting().toString().equals(cells[8]))
                    .findFirst()
                    .orElse(release));
    PlannedRelease release = then.releases().get(0);
    assertThat(release.charge().mechanism()).isEqualTo(cells[7]);
    assertThat(release.share().counting()).hasToString(cells[8]);
    assertThat(then.digestText()).isEqualTo(cells[6]);
    assertThat(release.share().cost(release.charge()))
        .as("never less than it was")
        .isGreaterThanOrEqualTo(release.share().counting().cap() / Integer.parseInt(cells[2]));
  }

  private final PopulationRun live = PopulationRun.of(resource("state.txt"));

  private static StateReader reader(PopulationRun state) {
    StateReader reader = new StateReader();
    try (var meta = state.store(Names.META_STORE).all()) {
      meta.forEachRemaining(e -> reader.meta(0, e.key.get(), e.value));
    }
    return reader;
  }

  /** As {@code run} does it at every start. */
  private static List<CountRelease> run(
      PopulationRun state, String yaml, List<? extends JournalEntry> journal) {
    return state.run(reader(state).planFor(Fixture.plan(yaml)), journal);
  }

  private static List<JournalEntry> windows(int from, int to, String... users) {
    List<JournalEntry> journal = new ArrayList<>();
    for (int window = from; window < to; window++) {
      journal.addAll(PopulationRun.window(window, users));
    }
    return journal;
  }

  private static List<String> shown(List<CountRelease> releases) {
    return releases.stream()
        .map(
            r ->
                "%s %s %s %s"
                    .formatted(r.getSubject(), r.getWindowStart(), r.getCounts(), r.getReleaseId()))
        .toList();
  }

  private static List<LedgerImage.Line> lines(PopulationRun state) {
    return LedgerLines.of(state.store(Names.LEDGER_STORE));
  }

  /** "name windows" of each user. */
  private static List<String> charged(PopulationRun state) {
    return lines(state).stream().map(line -> line.subject() + " " + line.charges()).toList();
  }

  private static GrantedShare granted(PopulationRun state, String meta) {
    return Identity.decode(state.store(meta).get(MetaStore.IDENTITY)).terms().share("n");
  }

  private static long affordable() {
    return reader(PopulationRun.of(resource("state.txt")))
        .planFor(Fixture.plan(LIVE))
        .all(PlannedCount.class)
        .get(0)
        .plan()
        .releases();
  }

  @Test
  void aLivePipelineGoesOnWithItsNoise() {
    assertThat(shown(run(live, LIVE, windows(60, 66, "bob")))).isEqualTo(resource("after.txt"));
  }

  @Test
  void whatIsMissingIsChargedToEverybodyBeforeAnythingIsReleased() {
    long before = granted(live, Names.META_STORE).costs().get(0);
    assertThat(run(live, LIVE, List.of())).isEmpty();
    long cap = 614406726720L; // of the old share, in 2^-40 nats
    assertThat(before).isEqualTo(cap / WINDOWS);
    assertThat(granted(live, Names.META_STORE).costs())
        .containsOnlyKeys(0)
        .containsValue(cap / affordable());
    assertThat(run(live, LIVE, List.of(new Boundary(0, Fixture.NOW + 600_001)))).isEmpty();
    assertThat(granted(live, Names.SUBJECTS_META_STORE)).isEqualTo(granted(live, Names.META_STORE));
    assertThat(charged(live)).containsExactly("ann {0=60}", "bob {0=3}", "eve {0=20}");
  }

  @Test
  void whoHasSpentTheTrueCostCountsNoMore() {
    assertThat(affordable()).isBetween(21L, 59L);
    run(live, LIVE, windows(60, 140, "ann", "bob", "eve", "new"));
    assertThat(charged(live))
        .containsExactly(
            "ann {0=60}",
            "bob {0=%d}".formatted(affordable()),
            "eve {0=%d}".formatted(affordable()),
            "new {0=%d}".formatted(affordable()));
  }

  @Test
  void startsRestateOnlyOnceAndAllDecideAlike() {
    run(live, LIVE, windows(60, 61, "bob"));
    byte[] once = live.store(Names.META_STORE).get(MetaStore.IDENTITY);
    Plan again = reader(live).planFor(Fixture.plan(LIVE));
    live.run(again, windows(61, 63, "bob"));
    assertThat(live.store(Names.META_STORE).get(MetaStore.IDENTITY)).isEqualTo(once);
    assertThat(again.digest())
        .isEqualTo(
            reader(PopulationRun.of(resource("state.txt"))).planFor(Fixture.plan(LIVE)).digest());
    assertThat(charged(live)).contains("bob {0=6}");
  }

  @Test
  void aStartSaysWhatIsAffected() {
    Plan plan = reader(live).planFor(Fixture.plan(LIVE));
    assertThat(FormerShares.restated(plan)).hasSize(1);
    assertThat(FormerShares.restated(plan).get(0))
        .contains("share 'n' (running count 'n')")
        .contains("a window cost a user 0.008731 nats at Renyi order 23")
        .contains("it costs %.4g.".formatted(614406726720L / affordable() * 0x1.0p-40))
        .contains("of a user %d windows count, not 64".formatted(affordable()));
  }

  @Test
  void aNewPipelinePlansByTheTrueCost() {
    Plan plan = reader(new PopulationRun()).planFor(Fixture.plan(LIVE));
    assertThat(plan.all(PlannedRunningCount.class).get(0).plan().releases()).isEqualTo(WINDOWS);
    assertThat(reader(live).planFor(plan).all(PlannedRunningCount.class)).isEmpty();
    assertThat(FormerShares.restated(plan)).isEmpty();
    PopulationRun fresh = new PopulationRun();
    fresh.run(plan, PopulationRun.beginning());
    fresh.run(plan, windows(0, 2, "ann"));
    assertThat(reader(fresh).planFor(Fixture.plan(LIVE))).isEqualTo(plan);
    assertThat(charged(fresh)).containsExactly("ann {0=2}");
  }

  @Test
  void neitherProgramWorksOnTheOthersState() {
    assertThatThrownBy(() -> live.run(Fixture.plan(LIVE), List.of()))
        .hasMessageContaining("changed under the same version");
    PopulationRun fresh = new PopulationRun();
    fresh.run(Fixture.plan(LIVE), PopulationRun.beginning());
    Plan formerly = reader(live).planFor(Fixture.plan(LIVE));
    assertThatThrownBy(() -> fresh.run(formerly, List.of()))
        .hasMessageContaining("changed under the same version");
  }

  /** A state that begins with a ledger. */
  private static PopulationRun imported(LedgerImage image, List<LedgerImage.Line> lines) {
    PopulationRun state = new PopulationRun();
    for (LedgerImage.Change change : image.origins(1, "00", "test")) {
      state.store(Names.META_STORE).put(Bytes.wrap(change.key()), change.value());
    }
    lines.forEach(line -> LedgerLines.put(state.store(Names.LEDGER_STORE), line));
    return state;
  }

  private static List<JournalEntry> beginningAt(int window) {
    return List.of(
        new Genesis(0, new Incarnation(8, 8)), new Boundary(0, Fixture.NOW + window * 10_000L));
  }

  /** Sealed by the old program, or by this one, before or after it has charged what is missing. */
  @Test
  void anImportedLedgerIsChargedWhatIsMissing() {
    LedgerImage old = reader(live).image().orElseThrow();
    List<LedgerImage.Line> oldLines = lines(live);
    run(live, LIVE, windows(60, 66, "bob"));
    LedgerImage restated = reader(live).image().orElseThrow();
    List<LedgerImage.Line> restatedLines = lines(live);
    String continued = LIVE.replace("budget: { name: test", "budget: { name: test-2");
    for (LedgerImage image : List.of(old, restated)) {
      image.requireFor(Fixture.plan(continued));
      assertThat(FormerShares.restated(image.planFor(Fixture.plan(continued)))).hasSize(1);
      PopulationRun state = imported(image, image == old ? oldLines : restatedLines);
      run(state, continued, beginningAt(66));
      assertThat(granted(state, Names.META_STORE).costs())
          .containsValue(614406726720L / affordable());
      run(state, continued, windows(66, 130, "ann", "eve"));
      assertThat(charged(state)).contains("ann {0=60}", "eve {0=%d}".formatted(affordable()));
      assertThat(charged(imported(reader(state).image().orElseThrow(), lines(state))))
          .isEqualTo(charged(state));
    }
  }

  /** The way over to the new plan: a share of its own beside the old one, or a new period. */
  @Test
  void aShareOfItsOwnIsPlannedByTheTrueCost() {
    LedgerImage image = reader(live).image().orElseThrow();
    String own =
        LIVE.replace("budget: { name: test", "budget: { name: test-2")
            .replace("share: {", "share: { ledger: m,");
    assertThatThrownBy(() -> image.requireFor(Fixture.plan(own)))
        .as("the old share stays as if spent")
        .hasMessageContaining("add up to epsilon 2");
    assertThat(image.planFor(Fixture.plan(own))).isEqualTo(Fixture.plan(own));

    String periods = LIVE.replace("period: lifetime", "period: 640s");
    Plan formerly =
        Fixture.plan(periods)
            .with(r -> r.formerly().stream().reduce((newer, older) -> older).orElse(r));
    PopulationRun state = new PopulationRun();
    state.run(formerly, PopulationRun.beginning());
    state.run(formerly, windows(0, 5, "ann"));
    String next = periods.replace("budget: { name: test", "budget: { name: test-2");
    LedgerImage within = reader(state).image().orElseThrow();
    assertThat(within.planFor(Fixture.plan(next)).digest())
        .isNotEqualTo(Fixture.plan(next).digest());
    state.run(formerly, windows(5, 64, "ann"));
    LedgerImage between = reader(state).image().orElseThrow();
    assertThat(between.planFor(Fixture.plan(next))).isEqualTo(Fixture.plan(next));
    between.requireFor(Fixture.plan(next));
  }
}
