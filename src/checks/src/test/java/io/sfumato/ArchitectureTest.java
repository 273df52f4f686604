// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures;
import io.sfumato.gate.Draw;
import io.sfumato.gate.LedgerRule;
import io.sfumato.gate.Measured;
import io.sfumato.gate.Memory;
import io.sfumato.gate.Permit;
import io.sfumato.gate.Secret;
import io.sfumato.gate.Witness;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.abc.QueryNoise;
import io.sfumato.random.KeyedRandom;
import io.sfumato.topology.context.Deployment;
import io.sfumato.window.FixedWindows;
import io.sfumato.window.WindowGrid;
import java.nio.file.Files;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.query.StateQueryRequest;

/** Arrows between packages point one way. */
@AnalyzeClasses(packages = "io.sfumato", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String ALL = "*";

  /** Rooms, and who may depend on them: those above. */
  private static final Map<String, String> ARROWS =
      Map.ofEntries(
          entry("lab", ""),
          entry("cli", "lab"),
          entry("demo", "cli lab"),
          entry("bench", "lab"),
          entry("scaffold", "cli"),
          entry("report", "cli"),
          entry("doctor", "cli report"),
          entry("drill", "cli"),
          entry("ledger", "lab cli demo doctor drill"),
          entry("client", "lab cli demo bench scaffold ledger"),
          entry("readers", "cli"),
          entry("ops", "lab cli demo readers"),
          entry("ticker", "lab cli ops"),
          entry(
              "runtime",
              "lab cli demo bench client doctor drill scaffold ledger ops ticker readers"),
          entry("devcluster", "lab cli demo bench"),
          entry(
              "topology", "lab cli demo bench client doctor drill ledger ops runtime audit ticker"),
          entry(
              "serde",
              "lab audit cli demo bench client doctor scaffold ledger ops runtime topology ticker readers"),
          entry("experiment", "lab"),
          entry("attack", "lab"),
          entry("workload", "lab bench experiment"),
          entry("audit", "cli lab"),
          entry(
              "release",
              "lab audit cli demo bench client doctor scaffold ledger ops report runtime topology serde readers"),
          entry(
              "pipeline",
              "lab audit cli demo bench client doctor drill scaffold ledger ops report runtime topology serde release ticker readers"),
          entry(
              "record",
              "lab audit cli demo bench client doctor scaffold ledger ops report runtime topology serde release pipeline"),
          entry("combine", "cli"),
          entry("rows", "cli client combine ops readers release pipeline serde topology"),
          entry("estimate", ALL),
          entry("mechanism", ALL),
          entry("accounting", ALL),
          entry("random", ALL),
          entry("gate", ALL),
          entry("files", "cli doctor ledger runtime gate"),
          entry("console", "lab cli demo bench client ledger ops"),
          entry("text", ALL),
          entry("window", ALL),
          entry("inference", "lab cli client experiment release pipeline"),
          entry("modeller", "lab cli client experiment inference release"),
          entry("plot", "client experiment"));

  @ArchTest static final ArchRule LAYERS = layers();

  private static ArchRule layers() {
    Architectures.LayeredArchitecture layers =
        layeredArchitecture().consideringOnlyDependenciesInLayers();
    for (String room : ARROWS.keySet()) {
      layers = layers.layer(room).definedBy("io.sfumato." + room + "..");
    }
    for (Map.Entry<String, String> arrows : ARROWS.entrySet()) {
      String above = arrows.getValue();
      if (above.isEmpty()) {
        layers = layers.whereLayer(arrows.getKey()).mayNotBeAccessedByAnyLayer();
      } else if (!above.equals(ALL)) {
        layers = layers.whereLayer(arrows.getKey()).mayOnlyBeAccessedByLayers(above.split(" "));
      }
    }
    return layers;
  }

  /** What stands outside may know what a topology is given, and how a clock judges. */
  @ArchTest
  static final ArchRule ONLY_THE_TOPOLOGY_TOUCHES_ITS_ROOMS =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.sfumato.topology..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("io.sfumato.topology.*")
                  .and(
                      not(
                          resideInAnyPackage(
                              "io.sfumato.topology.context", "io.sfumato.topology.clock"))));

  @ArchTest
  static final ArchRule ROOMS_OF_THE_TOPOLOGY_HAVE_NO_CYCLES =
      slices().matching("io.sfumato.topology.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule PACKAGES_HAVE_NO_CYCLES =
      slices().matching("io.sfumato.(*)..").should().beFreeOfCycles();

  /** What draws is trusted; what estimates from it, or plans it, is not. */
  @ArchTest
  static final ArchRule THE_CORE_KNOWS_NO_ESTIMATES =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.sfumato.random..",
              "io.sfumato.accounting..",
              "io.sfumato.mechanism..",
              "io.sfumato.gate..",
              "io.sfumato.files..",
              "io.sfumato.bytes..",
              "io.sfumato.window..")
          .should()
          .dependOnClassesThat()
          .resideOutsideOfPackages(
              "io.sfumato.random..",
              "io.sfumato.accounting..",
              "io.sfumato.mechanism..",
              "io.sfumato.gate..",
              "io.sfumato.files..",
              "io.sfumato.bytes..",
              "io.sfumato.window..",
              "java..",
              "javax.crypto..",
              "com.sun.security.auth..",
              "org.apache.commons.math3..",
              "org.apache.commons.rng..");

  /** A kind of release knows no other, nor the list of them. */
  @ArchTest
  static final ArchRule KINDS_OF_RELEASE_KNOW_NO_OTHERS =
      slices().matching("io.sfumato.release.(*)..").should().notDependOnEachOther();

  @ArchTest
  static final ArchRule ROOMS_OF_RELEASES_DO_NOT_KNOW_THE_LIST =
      noClasses()
          .that()
          .resideInAPackage("io.sfumato.release.*")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.sfumato.release");

  /** Rows, tables and cards are the same of every kind. */
  @ArchTest
  static final ArchRule ROWS_KNOW_NO_KIND =
      noClasses()
          .that()
          .resideInAPackage("io.sfumato.rows..")
          .should()
          .dependOnClassesThat()
          .resideOutsideOfPackages(
              "io.sfumato.rows..",
              "io.sfumato.text..",
              "io.sfumato.schema",
              "java..",
              "org.apache.avro..");

  @ArchTest
  static final ArchRule THE_PRIVATE_CORE_KNOWS_NO_KAFKA =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.sfumato.files..",
              "io.sfumato.gate..",
              "io.sfumato.random..",
              "io.sfumato.accounting..",
              "io.sfumato.mechanism..",
              "io.sfumato.estimate..",
              "io.sfumato.experiment..",
              "io.sfumato.workload..",
              "io.sfumato.release..",
              "io.sfumato.pipeline..",
              "io.sfumato.rows..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.kafka..", "kafka..");

  /** It makes everybody's records up, and runs in the process of whoever asks for it. */
  @ArchTest
  static final ArchRule ONLY_THE_AUDIT_REPLAYS_PIPELINES =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.sfumato.audit..")
          .should()
          .dependOnClassesThat()
          .haveNameMatching(
              "org\\.apache\\.kafka\\.streams\\.(TopologyTestDriver|TestInputTopic|TestOutputTopic|test\\..*)")
          .allowEmptyShould(false);

  /** The audit looks at pipelines, never at a cluster. */
  @ArchTest
  static final ArchRule THE_AUDIT_NEEDS_NO_BROKER =
      noClasses()
          .that()
          .resideInAPackage("io.sfumato.audit..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.kafka.clients..", "io.sfumato.runtime..")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(KafkaStreams.class);

  /** Whatever a modeller does is public, and must be possible without any private thing. */
  @ArchTest
  static final ArchRule THE_MODELLER_SEES_NOTHING_PRIVATE =
      classes()
          .that()
          .resideInAPackage("io.sfumato.modeller..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.sfumato.modeller..",
              "java..",
              "org.apache.commons.rng..",
              "org.apache.commons.math3.special..");

  @ArchTest
  static final ArchRule ONLY_THE_DEV_CLUSTER_LOADS_A_BROKER =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.sfumato.devcluster..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "kafka..", "org.apache.kafka.metadata..", "org.apache.kafka.server..");

  /** Who looks at a pipeline must not be able to change it, or to read its state. */
  @ArchTest
  static final ArchRule OPERATORS_ONLY_LOOK =
      noClasses()
          .that()
          .resideInAPackage("io.sfumato.ops..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.kafka.clients.producer..", "org.apache.kafka.streams.state..");

  @ArchTest
  static final ArchRule ONLY_THE_OPERATORS_PORT_KNOWS_JETTY =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.sfumato.ops.http..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.eclipse.jetty..");

  @ArchTest
  static final ArchRule ONLY_THE_EXPORT_KNOWS_OPENTELEMETRY =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.sfumato.ops.otlp..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.opentelemetry..");

  /** Traces are made of what meters say; what draws, or reads records, never makes one. */
  @ArchTest
  static final ArchRule ONLY_OPERATORS_TRACE =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.sfumato.ops..", "io.sfumato.cli..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.sfumato.ops.otlp..");

  @ArchTest
  static final ArchRule NOISE_RESTS_ON_THE_JDK_AND_COMMONS_RNG =
      noClasses()
          .that()
          .resideInAPackage("io.sfumato.random..")
          .should()
          .dependOnClassesThat()
          .resideOutsideOfPackages("io.sfumato.random..", "java..", "org.apache.commons.rng..");

  @ArchTest
  static final ArchRule FILES_REST_ON_THE_JDK =
      noClasses()
          .that()
          .resideInAPackage("io.sfumato.files..")
          .should()
          .dependOnClassesThat()
          .resideOutsideOfPackages("io.sfumato.files..", "java..", "com.sun.security.auth..");

  /** Keys are written by what leaves them whole or absent, and nobody else's to read. */
  @ArchTest
  static final ArchRule KEYS_ARE_WRITTEN_BY_FILES =
      noClasses()
          .that()
          .resideInAnyPackage("io.sfumato.gate..", "io.sfumato.runtime..", "io.sfumato.ledger..")
          .should()
          .callMethodWhere(
              target(owner(assignableTo(Files.class)))
                  .and(target(nameMatching("write|writeString|createFile|newBufferedWriter"))));

  @ArchTest
  static final ArchRule ACCOUNTING_KNOWS_NO_MECHANISM =
      noClasses()
          .that()
          .resideInAPackage("io.sfumato.accounting..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.sfumato.mechanism..",
              "io.sfumato.estimate..",
              "io.sfumato.random..",
              "io.sfumato.gate..");

  /** What is released must not depend on fresh randomness or on a wall clock. */
  @ArchTest
  static final ArchRule NO_FRESH_RANDOMNESS_WHERE_OUTPUTS_ARE_MADE =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.sfumato.mechanism..",
              "io.sfumato.estimate..",
              "io.sfumato.release..",
              "io.sfumato.topology..",
              "io.sfumato.accounting..")
          .should()
          .dependOnClassesThat()
          .haveNameMatching(
              "java\\.util\\.(Random|SplittableRandom|concurrent\\.ThreadLocalRandom)|java\\.security\\.SecureRandom")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(Math.class, "random")
          .orShould()
          .callMethod(Instant.class, "now");

  @ArchTest
  static final ArchRule EXPERIMENTS_REST_ON_MECHANISM_AND_ACCOUNTING =
      noClasses()
          .that()
          .resideInAPackage("io.sfumato.experiment..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.sfumato.pipeline..",
              "io.sfumato.release..",
              "io.sfumato.topology..",
              "io.sfumato.runtime..");

  /**
   * Math may use a processor's own instructions, and its last bit may differ from one make to
   * another; StrictMath has one answer. Square roots, rounding and scaling are exact in both.
   */
  @ArchTest
  static final ArchRule ONE_ANSWER_ON_EVERY_MACHINE =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.sfumato.random..",
              "io.sfumato.accounting..",
              "io.sfumato.mechanism..",
              "io.sfumato.gate..",
              "io.sfumato.estimate..",
              "io.sfumato.pipeline..",
              "io.sfumato.release..",
              "io.sfumato.rows..",
              "io.sfumato.serde..",
              "io.sfumato.topology..")
          .should()
          .callMethodWhere(
              target(owner(assignableTo(Math.class)))
                  .and(
                      target(
                          nameMatching(
                              "a?(sin|cos|tan)h?|atan2|exp|expm1|log|log10|log1p|pow|cbrt|hypot"))));

  /**
   * Windows have several lengths, so that nothing may divide by one, or add it to a start. An
   * account's claim states the length of those that have one.
   */
  @ArchTest
  static final ArchRule ONLY_GRIDS_KNOW_HOW_LONG_A_WINDOW_IS =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.sfumato.window..")
          .and()
          .doNotHaveFullyQualifiedName("io.sfumato.ledger.ClaimedWindows")
          .should()
          .callMethod(FixedWindows.class, "size")
          .orShould()
          .callMethod(FixedWindows.class, "origin");

  /** The longest window is for words, metrics and waits, not for counting windows. */
  @ArchTest
  static final ArchRule FEW_ASK_FOR_THE_LONGEST_WINDOW =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.sfumato.window..")
          .and()
          .haveNameNotMatching(
              "io\\.sfumato\\.(pipeline\\.(WindowSpec|CanonicalText|SpanCalendar)|release\\.Plan"
                  + "|topology\\.WindowTime|ticker\\.TickGrid|ops\\.(TickAge|PipelineMetrics)"
                  + "|demo\\.(Player|DemoView))(\\$.*)?")
          .should()
          .callMethodWhere(
              target(owner(assignableTo(WindowGrid.class))).and(target(nameMatching("longest"))));

  /** Only the gate derives randomness for releases; other code uses public seeds. */
  @ArchTest
  static final ArchRule ONLY_THE_GATE_KEYS_STREAMS =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.sfumato.gate..", "io.sfumato.random..")
          .should()
          .accessTargetWhere(is(KeyedRandom.class, "ofKey"));

  /** The program draws through the gate; plans and models draw of synthetic data. */
  @ArchTest
  static final ArchRule ONLY_THE_GATE_DRAWS =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "io.sfumato.gate..",
              "io.sfumato.mechanism..",
              "io.sfumato.estimate..",
              "io.sfumato.attack..",
              "io.sfumato.bench..",
              "io.sfumato.experiment..",
              "io.sfumato.workload..")
          .and()
          .haveNameNotMatching(
              "io\\.sfumato\\.(audit\\.Audit|release\\.(abc\\.AbcInference"
                  + "|features\\.PlannedFeatureSums|histogram\\.PlannedHistogram|mean\\.PlannedMean))")
          .should()
          .accessTargetWhere(is(OutputDistribution.class, "draw"))
          .orShould()
          .accessTargetWhere(is(QueryNoise.class, "threshold"));

  /** By a call, or by a reference to the method. */
  private static DescribedPredicate<JavaAccess<?>> is(Class<?> owner, String member) {
    return DescribedPredicate.describe(
        owner.getSimpleName() + "." + member,
        access ->
            access.getTargetOwner().isEquivalentTo(owner)
                && access.getTarget().getName().equals(member));
  }

  /** What a ledger admits follows from the terms that its budget was granted. */
  @ArchTest
  static final ArchRule RULES_OF_LEDGERS =
      noClasses()
          .that()
          .haveNameNotMatching(
              "io\\.sfumato\\.(topology\\.version\\.BudgetTerms|gate\\.LedgerRule)")
          .should()
          .accessTargetWhere(is(LedgerRule.class, "<init>"));

  /** Fixed classes vouch for each charge that is not in a ledger. */
  @ArchTest
  static final ArchRule PERMITS_OF_QUERIES = statedBy("reservedByQuery", "topology.query.Answerer");

  @ArchTest
  static final ArchRule PERMITS_OF_CONTRIBUTORS =
      statedBy("coveredByContributors", "topology.budget.Charger", "topology.selection.NameDraws");

  @ArchTest
  static final ArchRule PERMITS_OF_CALENDARS =
      statedBy("coveredByCalendar", "topology.budget.Charger");

  @ArchTest
  static final ArchRule PERMITS_OF_RECEIPTS =
      statedBy("ofReceipt", "scaffold.PrivateListSelection");

  @ArchTest
  static final ArchRule PERMITS_OF_MADE_UP_DATA =
      statedBy("ofMadeUpData", "topology.WindowTime", "bench.DrawBench");

  private static ArchRule statedBy(String factory, String... places) {
    return calledBy(Permit.class, factory, places);
  }

  private static ArchRule calledBy(Class<?> owner, String member, String... places) {
    return noClasses()
        .that()
        .haveNameNotMatching(
            "io\\.sfumato\\.(%s)(\\$.*)?".formatted(String.join("|", places).replace(".", "\\.")))
        .should()
        .accessTargetWhere(is(owner, member));
  }

  /** Exact data become secrets where closed windows and names are read, and nowhere else. */
  @ArchTest
  static final ArchRule SECRETS =
      calledBy(
          Secret.class,
          "of",
          "gate.NameMemory",
          "topology.dataset.Dataset",
          "topology.selection.NameDraws",
          "topology.WindowTime",
          "scaffold.PrivateListSelection",
          "bench.DrawBench");

  /**
   * Whatever says a number of itself can be asked for its public number of records, under any unit
   * that is named: so fixed classes ask, of data as they were read, under the unit of their charge.
   */
  @ArchTest
  static final ArchRule PUBLIC_SIZES =
      calledBy(
          Secret.class,
          "publicSize",
          "release.histogram.HistogramSampler",
          "release.histogram.LearningSampler",
          "release.mean.RunningMeanSampler",
          "topology.query.Answerer");

  /** How often a learner failed follows from exact data, and is told to operators alone. */
  @ArchTest
  static final ArchRule FAILURES_OF_LEARNERS =
      calledBy(Measured.class, "failures", "pipeline.PreparedDraws");

  /** What draws leave is read from, and written to, their stores alone. */
  @ArchTest
  static final ArchRule STORED_MEMORIES =
      calledBy(Memory.class, "stored", "topology.release.DrawMemory", "topology.selection.NameRow");

  @ArchTest
  static final ArchRule MEMORIES_OF_DATA =
      calledBy(
          Memory.class,
          "ofData",
          "gate.RunningMemory",
          "gate.TreeMemory",
          "gate.LastUsersMemory",
          "gate.NameMemory",
          "topology.release.DrawMemory",
          "topology.selection.NameRow");

  /** Numbers that anybody can repeat are for plans and experiments, never for a release. */
  @ArchTest
  static final ArchRule NO_PUBLIC_SEED_WHERE_RELEASES_ARE_DRAWN =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.sfumato.topology..",
              "io.sfumato.release..",
              "io.sfumato.mechanism.dirichlet..",
              "io.sfumato.estimate.dirichlet..")
          .should()
          .accessTargetWhere(is(KeyedRandom.class, "ofPublicSeed"));

  /** Exact inputs of draws leave the topology for the audit's made-up data alone. */
  @ArchTest
  static final ArchRule ONLY_THE_AUDIT_WATCHES_DRAWS =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "io.sfumato.gate..",
              "io.sfumato.topology..",
              "io.sfumato.audit..",
              "io.sfumato.release..",
              "io.sfumato.pipeline..")
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(Witness.class, Draw.class, Deployment.Watch.class)
          .orShould()
          .accessTargetWhere(is(Deployment.class, "watchedBy"));

  /**
   * Interactive queries show what is not committed yet, and one subject's budget to whoever asks.
   */
  @ArchTest
  static final ArchRule NOBODY_ASKS_THE_STORES =
      noClasses()
          .should()
          .callMethod(KafkaStreams.class, "store", StoreQueryParameters.class)
          .orShould()
          .callMethod(KafkaStreams.class, "query", StateQueryRequest.class);
}
