// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.ledger.CarryOver.Requirement;
import io.sfumato.ledger.LedgerExport.Successor;
import io.sfumato.ledger.LedgerExport.Unreleased;
import io.sfumato.ledger.LedgerFacts.Destination;
import io.sfumato.release.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.HistogramFile;
import io.sfumato.runtime.Instances;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.PipelineRun;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import io.sfumato.schema.CountRelease;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.StateReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an import would refuse is refused before the ledger is sealed. */
// Its tests mostly wait, so they run side by side.
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(SharedBroker.class)
class CarryOverIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();

  @TempDir static Path folder;
  private static TestCluster cluster;

  @BeforeAll
  static void start(TestCluster shared) throws Exception {
    cluster = shared;
  }

  private static Instances instances() {
    return new Instances(cluster, folder);
  }

  private static KafkaSettings settings() throws RefusedException {
    return instances().settings();
  }

  /** Users and wards, windows of ten seconds that ticks close. */
  private static String crowd(String name, String budget) {
    return """
        pipeline: %1$s
        input: { topic: %1$s-in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
        contributions: { per-window: 2, subjects: 1 }
        subjects: [north, south]
        window: { size: 10s, clock: ticks, begin: 2026-01-05 }
        budget: { name: %1$s, unit: user, delta: 1e-6, %2$s }
        releases:
          - count: { name: %1$s-counts, method: best, share: { epsilon: 1, delta: 1e-6, ledger: all } }
        """
        .formatted(name, budget)
        .replace(
            "ledger: all }",
            budget.contains("window") ? "ledger: all }" : "ledger: all }, windows: 2");
  }

  private static Plan plan(String yaml) {
    try {
      return TestCluster.plan(yaml);
    } catch (Exception e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static String name(Requirement requirement) {
    return "carry-" + requirement.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  }

  /** Facts of a ledger and the file of a pipeline that cannot go on with it. */
  private record Case(LedgerFacts facts, Plan next, String why) {}

  private static LedgerFacts facts(String budget, String period, String account) {
    LedgerImage image =
        LedgerImage.of(plan(crowd(budget, "epsilon: 1, period: " + period)), BASE + 10_000);
    return new LedgerFacts(budget, image, account, "", Optional.empty());
  }

  private static Case refused(Requirement requirement) throws Exception {
    String name = name(requirement);
    String old = name + "-old";
    String yaml = crowd(name, "epsilon: 1, period: window");
    Plan next = plan(yaml);
    LedgerFacts facts = facts(old, "window", "");
    cluster.createTopic(name + "-in", 1);
    switch (requirement) {
      case OTHER_BUDGET:
        return new Case(facts(name, "window", ""), next, "never used");
      case DESTINATION:
        Destination other = new Destination(name, "somebody-else", next.digestText());
        return new Case(
            new LedgerFacts(old, facts.image(), facts.account(), "", Optional.of(other)),
            next,
            "exported only for pipeline '" + name + "' with budget 'somebody-else'");
      case NO_OTHER_HEIR:
        Registry sealed = registry(old);
        sealed.seal("today", Optional.of("first-come"));
        return new Case(
            facts, next, "the ledger of '" + old + "' already continues as 'first-come'");
      case NOT_SEALED:
        registry(name).seal("today");
        return new Case(facts, next, "is sealed");
      case NO_LEDGER:
        registry(name).await("another", InheritedShare.NONE);
        return new Case(facts, next, "is reserved for the ledger of 'another'");
      case NO_OTHER_FILE:
        registry(name);
        try (Cluster admin = new Cluster(settings())) {
          Plan before = plan(yaml.replace("[a, b]", "[b, a]"));
          Continuity.enter(
              new Continuity.Ready(before, new StateReader(), TestCluster.sources(before, 1)),
              settings(),
              admin,
              TestCluster.key());
        }
        return new Case(facts, next, "was started with another file");
      case PIPELINE_NAME:
        instances()
            .requireAllowed(
                plan(yaml.replace("budget: { name: " + name, "budget: { name: own-budget")));
        return new Case(facts, next, "uses budget 'own-budget'; budget '" + name + "' would start");
      case TERMS:
        return new Case(
            facts(old, "lifetime", ""),
            plan(crowd(name, "epsilon: 2, period: lifetime")),
            "a lifetime never ends");
      case ACCOUNT_SHARE:
        return new Case(
            facts(old, "window", "people"),
            plan(crowd(name, "epsilon: 2, period: window")),
            "account 'people' granted the old budget its epsilon and delta");
      case ACCOUNT_ROOM:
        String account = ", account: { name: carry-people, epsilon: 1, delta: 1e-5 }";
        cluster.createTopic("carry-greedy-in", 1);
        instances()
            .requireAllowed(plan(crowd("carry-greedy", "epsilon: 1, period: window" + account)));
        return new Case(
            facts, plan(crowd(name, "epsilon: 1, period: window" + account)), "does not fit");
      case BEGINNING:
        return new Case(
            facts, plan(yaml.replace("begin: 2026-01-05", "begin: 2066-01-07")), "a year ahead");
      case TOPICS:
        return new Case(
            facts,
            plan(yaml.replace("topic: " + name + "-in", "topic: nowhere")),
            "does not exist");
      case STOPPED:
        return new Case(facts, next, "stop them");
      default:
        throw new IllegalArgumentException(requirement + " has no case");
    }
  }

  private static Registry registry(String budget) throws RefusedException {
    Registry registry = new Registry(settings(), budget, Optional.of(TestCluster.key()));
    try (Cluster admin = new Cluster(settings())) {
      registry.create(admin);
    }
    return registry;
  }

  /** Whoever adds a requirement adds a case: export and import check one list. */
  @ParameterizedTest
  @EnumSource
  void shouldRefuseTheSameBeforeTheSealAndAtTheImportWhenARequirementDoesNotHold(
      Requirement requirement) throws Exception {
    Case refused = refused(requirement);
    LedgerFile file =
        LedgerFile.write(
            folder.resolve(name(requirement) + ".ledger"),
            refused.facts(),
            reader ->
                reader.accept(
                    new LedgerImage.Line(0, "all", "ann", new TreeMap<>(Map.of(0, 1L)), false)));
    PipelineRun running =
        requirement == Requirement.STOPPED
            ? instances().startIfAllowed(refused.next(), "running")
            : null;
    try (Cluster admin = new Cluster(settings())) {
      if (running != null) {
        assertThat(running.awaitRunning(TestCluster.PATIENCE)).isTrue();
      }
      CarryOver next =
          new CarryOver(
              refused.next(), settings(), admin, TestCluster.key(), Cluster.Safety.WAIVED);
      assertThatThrownBy(
              () ->
                  next.require(
                      new CarryOver.Source(
                          refused.facts(),
                          Optional.empty(),
                          Optional.of(refused.next().pipeline().window()))))
          .as("before the seal")
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining(refused.why());
      assertThatThrownBy(
              () ->
                  new LedgerImport(
                          refused.next(), settings(), TestCluster.key(), Cluster.Safety.WAIVED)
                      .importFrom(file))
          .as("at the import")
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining(refused.why());
    } finally {
      if (running != null) {
        running.close();
      }
    }
  }

  /** The ledger is sealed for one pipeline, which must import it and nobody else can. */
  @Test
  void shouldSealForOnePipelineAloneWhenTheExportNamesIt() throws Exception {
    cluster.createTopic("one-heir-in", 1);
    Plan old = plan(HistogramFile.lifetime("one-heir", 4));
    Plan next = plan(heir("one-heir-2", "2"));
    Plan richer = plan(heir("one-heir-2", "3"));
    Plan other = plan(heir("one-heir-3", "2"));
    Path to = folder.resolve("one-heir.ledger");
    try (PipelineRun run = instances().startIfAllowed(old, "one-heir")) {
      try (var producer = cluster.producer()) {
        for (int window = 0; window < 3; window++) {
          long time = BASE + window * 10_000L;
          producer.send(TestCluster.event("one-heir-in", 0, BASE, "ann", time, "a"));
        }
      }
      cluster.awaitCount("one-heir-mix", 2, run);
      assertThatThrownBy(() -> export(old, richer).export(to, Unreleased.RELEASE, PATIENCE))
          .hasMessageContaining("a lifetime never ends");
      assertThat(export(old, next).check(Optional.of(to), Unreleased.RELEASE))
          .hasValue(BASE + 20_000);
      assertThat(cluster.count("one-heir-control")).as("nothing was sealed").isZero();
      assertThat(registry("one-heir").read().all().ended()).isEmpty();
      assertThat(run.failure()).isEmpty();
      CompletableFuture<LedgerFile> exported = exporting(export(old, next), to);
      assertThat(run.awaitEnd(TestCluster.PATIENCE)).isTrue();
      run.close();
      assertThat(exported.get().facts().destination()).contains(Destination.of(next));
    }
    Path again = folder.resolve("again.ledger");
    assertThatThrownBy(() -> export(old, other).export(again, Unreleased.RELEASE, PATIENCE))
        .hasMessageContaining("the ledger of 'one-heir' already continues as 'one-heir-2'");
    LedgerExport forAnybody =
        new LedgerExport(old.pipeline(), settings(), TestCluster.key(), line -> {});
    assertThatThrownBy(() -> forAnybody.export(again, Unreleased.RELEASE, PATIENCE))
        .hasMessageContaining("the ledger of 'one-heir' already continues as 'one-heir-2'");
    assertThat(export(old, next).export(again, Unreleased.RELEASE, PATIENCE).digest())
        .as("an export that was interrupted is repeated for the same pipeline")
        .isEqualTo(LedgerFile.read(to).digest());
    assertThatThrownBy(() -> instances().requireAllowed(next))
        .hasMessageContaining("continues the ledger of 'one-heir', which is not imported yet");
    assertThatThrownBy(() -> importing(other).importFrom(LedgerFile.read(to)))
        .hasMessageContaining("exported only for pipeline 'one-heir' with budget 'one-heir-2'");
    assertThat(importing(next).importFrom(LedgerFile.read(to)))
        .isEqualTo(LedgerImport.Outcome.IMPORTED);
    assertThat(importing(next).importFrom(LedgerFile.read(to)))
        .isEqualTo(LedgerImport.Outcome.ALREADY_IMPORTED);
    instances().requireAllowed(next);
  }

  private static final Duration PATIENCE = TestCluster.PATIENCE;

  /** The same pipeline on a budget of another name. */
  private static String heir(String budget, String epsilon) {
    return HistogramFile.lifetime("one-heir", 4)
        .replace(
            "budget: { name: one-heir, unit: record, epsilon: 2",
            "budget: { name: %s, unit: record, epsilon: %s".formatted(budget, epsilon));
  }

  private static LedgerExport export(Plan old, Plan next) throws RefusedException {
    return new LedgerExport(
        old.pipeline(),
        settings(),
        TestCluster.key(),
        line -> {},
        ProgressListener.silent(),
        Optional.of(new Successor(next, settings())));
  }

  private static LedgerImport importing(Plan next) throws RefusedException {
    return new LedgerImport(next, settings(), TestCluster.key(), Cluster.Safety.WAIVED);
  }

  /** A budget for every window: later windows may have more, and say so. */
  @Test
  void shouldCarryAChangedEpsilonOverWhenEveryWindowHasABudget() throws Exception {
    cluster.createTopic("richer-in", 1);
    Plan old = plan(crowd("richer", "epsilon: 1, period: window"));
    Plan next =
        plan(
            crowd("richer-2", "epsilon: 2, period: window")
                .replace("topic: richer-2-in", "topic: richer-in")
                .replace("share: { epsilon: 1", "share: { epsilon: 2"));
    Path to = folder.resolve("richer.ledger");
    LedgerFile ledger;
    try (PipelineRun run = instances().startIfAllowed(old, "richer")) {
      send("richer-in", "richer", 0);
      cluster.awaitCount("richer-counts", 2, run);
      CompletableFuture<LedgerFile> exported = exporting(export(old, next), to);
      assertThat(run.awaitEnd(TestCluster.PATIENCE)).isTrue();
      run.close();
      ledger = exported.get();
    }
    assertThat(importing(next).importFrom(ledger)).isEqualTo(LedgerImport.Outcome.IMPORTED);
    try (PipelineRun run = instances().startIfAllowed(next, "richer-2")) {
      send("richer-in", "richer-2", 1);
      cluster.awaitCount("richer-2-counts", 2, run);
      assertThat(run.failure()).isEmpty();
    }
    for (String name : new String[] {"richer", "richer-2"}) {
      CountRelease release =
          (CountRelease) Outputs.decodeAny(cluster.committed(name + "-counts").get(0).value());
      assertThat(release.getWindowStart())
          .as(name)
          .isEqualTo(Instant.ofEpochMilli(name.equals("richer") ? BASE : BASE + 10_000));
      assertThat(release.getGuarantee().getEpsilon()).isEqualTo(name.equals("richer") ? 1.0 : 2.0);
    }
  }

  /** Two budgets fill it: each goes on twice, and nobody else gets in, or out. */
  @Test
  void shouldKeepItsShareOfAFullAccountHoweverOftenALedgerIsCarriedOver() throws Exception {
    for (String name : List.of("full-a", "full-b")) {
      cluster.createTopic(name + "-in", 1);
      try (PipelineRun run = instances().startIfAllowed(sharing(name, name), name)) {
        send(name + "-in", name, 0);
        cluster.awaitCount(name + "-counts", 2, run);
        assertThat(run.failure()).isEmpty();
      }
    }
    for (String heir : List.of("2", "3")) {
      for (String name : List.of("full-a", "full-b")) {
        Plan old = sharing(name, heir.equals("2") ? name : name + "2");
        Plan next = sharing(name, name + heir);
        LedgerFile ledger =
            export(old, next)
                .export(folder.resolve(name + heir + ".ledger"), Unreleased.ABANDON, PATIENCE);
        importing(next).importFrom(ledger);
        instances().requireAllowed(next);
      }
    }
    assertThatThrownBy(() -> instances().requireAllowed(sharing("full-a", "full-c")))
        .hasMessageContaining("does not fit account 'full-people'")
        .hasMessageContaining("full-a3 1 x (1, 0.000001), full-b3 1 x (1, 0.000001), full-c 1 x");
    Plan leaving =
        plan(
            crowd("full-a4", "epsilon: 1, period: window")
                .replace("topic: full-a4-in", "topic: full-a-in"));
    assertThatThrownBy(
            () ->
                export(sharing("full-a", "full-a3"), leaving)
                    .check(Optional.empty(), Unreleased.ABANDON))
        .hasMessageContaining("name that account in the new file");
  }

  private static Plan sharing(String source, String name) {
    String account = ", account: { name: full-people, epsilon: 2, delta: 2e-6 }";
    return plan(
        crowd(name, "epsilon: 1, period: window" + account)
            .replace("topic: " + name + "-in", "topic: " + source + "-in"));
  }

  /** A user's record in a window, and the tick that closes it. */
  private static void send(String topic, String budget, int window) throws Exception {
    long start = BASE + window * 10_000L;
    byte[] value =
        "{\"who\":\"ann\",\"ward\":\"north\",\"at\":%d,\"what\":\"a\"}"
            .formatted(start)
            .getBytes(StandardCharsets.UTF_8);
    try (var producer = cluster.producer()) {
      producer.send(new ProducerRecord<>(topic, 0, BASE, null, value));
      producer.send(TestCluster.tick(budget, topic, 0, BASE, start + 10_000));
    }
  }

  /** Sealing closed a window of the period that the checked file was to begin with. */
  @Test
  void shouldBeginWithTheNextPeriodWhenTheSealWentBeyondTheCheckedBegin() throws Exception {
    cluster.createTopic("overtaken-in", 1);
    String period = "period: PT20S";
    Plan old = plan(crowd("overtaken-old", "epsilon: 1, " + period));
    Plan next =
        plan(
            crowd("overtaken", "epsilon: 2, " + period)
                .replace("begin: 2026-01-05", "begin: 2026-01-05T00:00:20Z"));
    LedgerFacts facts =
        new LedgerFacts(
            "overtaken-old",
            LedgerImage.of(old, BASE + 30_000),
            "",
            "",
            Optional.of(Destination.of(next)));
    LedgerFile file = LedgerFile.write(folder.resolve("overtaken.ledger"), facts, reader -> {});
    assertThat(importing(next).importFrom(file)).isEqualTo(LedgerImport.Outcome.IMPORTED);
    StateReader state = new StateTopics(next.pipeline()).readMeta(settings());
    assertThat(state.sealedAt()).hasValue(BASE + 40_000);
    instances().requireAllowed(next);
  }

  /** The remedy that the message of the stop offers, word for word. */
  @Test
  void shouldCarryALedgerOnToALaterBeginWhenTheFirstTickAfterAnImportJumps() throws Exception {
    cluster.createTopic("long-ago-in", 1);
    String period = "epsilon: 1, period: window";
    Plan next =
        plan(
            crowd("long-ago", period)
                .replace("begin: 2026-01-05", "begin: 2026-01-05, max-jump: 5"));
    LedgerFacts facts =
        new LedgerFacts(
            "long-ago-old",
            LedgerImage.of(plan(crowd("long-ago-old", period)), BASE + 30_000),
            "",
            "",
            Optional.empty());
    LedgerFile file = LedgerFile.write(folder.resolve("long-ago.ledger"), facts, reader -> {});
    importing(next).importFrom(file);
    try (PipelineRun run = instances().startIfAllowed(next, "long-ago")) {
      try (var producer = cluster.producer()) {
        producer.send(TestCluster.tick("long-ago", "long-ago-in", 0, BASE, BASE + 500_000));
      }
      assertThat(run.awaitEnd(TestCluster.PATIENCE)).isTrue();
      assertThat(run.failure().orElseThrow())
          .hasMessageContaining("where the imported ledger was sealed")
          .hasMessageContaining("begin: 2026-01-05T00:08:20Z")
          .hasMessageContaining("sfumato ledger export FILE --stopped --for NEW");
    }
    Plan later =
        plan(
            crowd("long-ago-2", period)
                .replace("begin: 2026-01-05", "begin: 2026-01-05T00:08:20Z, max-jump: 5")
                .replace("topic: long-ago-2-in", "topic: long-ago-in"));
    LedgerFile again =
        export(next, later).export(folder.resolve("later.ledger"), Unreleased.ABANDON, PATIENCE);
    importing(later).importFrom(again);
    try (PipelineRun run = instances().startIfAllowed(later, "long-ago-2")) {
      try (var producer = cluster.producer()) {
        producer.send(TestCluster.tick("long-ago-2", "long-ago-in", 0, BASE, BASE + 510_000));
      }
      cluster.awaitCount("long-ago-2-counts", 2, run);
      assertThat(run.failure()).isEmpty();
    }
  }

  /** An export that waits for the running pipeline to release what is closed. */
  private static CompletableFuture<LedgerFile> exporting(LedgerExport export, Path to) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return export.export(to, Unreleased.RELEASE, TestCluster.PATIENCE);
          } catch (RefusedException e) {
            throw new IllegalStateException(e.getMessage());
          }
        });
  }
}
