// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.console.StatusLine;
import io.sfumato.gate.NoiseKey;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.ledger.ChargeRecorder;
import io.sfumato.ledger.Continuity;
import io.sfumato.ledger.PatternTopics;
import io.sfumato.ops.LifecycleLog;
import io.sfumato.ops.Operations;
import io.sfumato.ops.RunningCounts;
import io.sfumato.ops.http.HttpSettings;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.Plan;
import io.sfumato.release.PlanLine;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.EmbeddedFolder;
import io.sfumato.runtime.EnvironmentSecretWarning;
import io.sfumato.runtime.FolderLock;
import io.sfumato.runtime.InstancePlace;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.PipelineRun;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.SchemaRegistries;
import io.sfumato.runtime.TopicSizes;
import io.sfumato.serde.SchemaSource;
import io.sfumato.ticker.OwnTicker;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.OpenMemory;
import io.sfumato.topology.context.SourceTopics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = "Runs a pipeline until it is stopped (SIGTERM, Ctrl-C).",
    footer = {
      "",
      "Examples:",
      "  sfumato run topology/diary.yaml --embedded",
      "      a broker on port 9092 and the pipeline in one process; data and key in .sfumato/",
      "  sfumato secret /etc/sfumato/noise.key",
      "  sfumato run topology/diary.yaml --bootstrap-servers kafka:9092 --secret-file /etc/sfumato/noise.key",
      "  sfumato run mine.yaml --catch-up --bootstrap-servers kafka:9092 --secret-file noise.key",
      "      the first start on a topic that already holds records",
      "  sfumato run mine.yaml --secret-file noise.key --host 0.0.0.0 --port 9000 --token-file http.token",
      "      page, metrics and probes for other machines too, behind a token",
      "",
      "SFUMATO_LOG_FORMAT=json logs one object a line. Everything for operators: docs/operate/deploy.md"
    })
final class RunCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "Pipeline file.")
  private Path file;

  @Mixin private ClusterOptions cluster;

  @Mixin private EmbeddedOptions broker;

  @Mixin private SecretOptions secrets;

  @Mixin private HttpOptions http;

  @Mixin private MemoryOptions memory;

  @Option(
      names = "--accept-risk",
      description =
          "Run on a cluster that could lose an acknowledged charge, or whose topics accept "
              + "any Kafka timestamp.")
  private boolean acceptRisk;

  @Option(
      names = "--accept-added-loss",
      description =
          "Let a budget begin about a topic that other budgets have released about. The "
              + "topic's history is released again, and the losses add up.")
  private boolean acceptAddedLoss;

  @Option(
      names = "--accept-jump",
      description =
          "Let the watermark of a roster jump over more than window.max-jump windows, if "
              + "nothing was written for so long. Times beyond a record's Kafka timestamp stay "
              + "bounded.")
  private boolean acceptJump;

  @Option(
      names = "--auto-tick",
      description =
          "Tick by the wall clock even if the file does not say 'ticks: here'. For live data only:"
              + " replayed old events become late. Needs WRITE on the records' topic.")
  private boolean autoTick;

  @Option(
      names = "--catch-up",
      description =
          "Read the topic's past: records up to now, plus window.ahead, are not EARLY. For a new pipeline"
              + " on an existing topic, or after its ticker was down.")
  private boolean catchUp;

  @Option(
      names = "--standbys",
      paramLabel = "N",
      description = "Warm copies of the state on other instances; by default 1, embedded 0.")
  private Optional<Integer> standbys = Optional.empty();

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      description = "How long to wait for the cluster to come up, such as 30s; by default 1m.")
  private Duration wait = Duration.ofMinutes(1);

  private OpenMemory open;

  /** Whether the cluster is what another process embeds with the same folder. */
  private boolean joined;

  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);

  @Override
  public Integer call() throws PipelineFileException, RefusedException, InterruptedException {
    if (broker.embedded) {
      BrokerPart.require();
    }
    Plan plan = PipelineCommand.planOf(file);
    open = memory.memory();
    EnvironmentSecretWarning.ofKafka(System.getenv()).ifPresent(System.err::println);
    Runtime.getRuntime().addShutdownHook(new Thread(this::stopAndWait, "shutdown"));
    System.out.println(PlanLine.of(plan));
    try {
      return broker.embedded ? runEmbedded(plan) : runThere(plan);
    } finally {
      stopped.countDown();
    }
  }

  /** On a cluster that runs: one for production, or what another process embeds. */
  private int runThere(Plan plan) throws RefusedException, InterruptedException {
    EmbeddedFolder folder = broker.folder();
    KafkaSettings settings =
        cluster.settings(
            plan.pipeline().kafka(),
            new NearbyCluster(
                folder, false, wait, new StatusLine()::show, NearbyCluster.BY_FOLDER));
    Optional<String> server = folder.server();
    if (server.isPresent()) {
      try (Cluster admin = Cluster.await(settings, wait, new StatusLine()::show)) {
        joined = folder.isOf(admin);
      }
    }
    if (joined) {
      System.out.printf(
          "joining the broker of folder %s at %s%n", folder.path(), server.orElseThrow());
    }
    return run(plan, settings, joined ? secrets.ofFolder(folder.path()) : secrets.require());
  }

  private int runEmbedded(Plan plan) throws RefusedException, InterruptedException {
    try (FolderLock lock = broker.lock(file)) {
      NoiseSecret secret = secrets.forDevelopment(broker.data);
      cluster.bootstrapServers = Optional.of(broker.server());
      return broker.withBroker(
          lock, stop, () -> run(plan, cluster.settings(plan.pipeline().kafka()), secret));
    }
  }

  private int run(Plan plan, KafkaSettings settings, NoiseSecret secret)
      throws RefusedException, InterruptedException {
    String part = plan.pipeline().applicationId();
    // The instance with the broker, and others that joined, have their places in its folder.
    try (InstancePlace place =
        joined ? InstancePlace.share(broker.data, part) : InstancePlace.take(broker.data, part)) {
      return runIn(place, plan, settings, secret);
    }
  }

  private int runIn(InstancePlace place, Plan plan, KafkaSettings settings, NoiseSecret secret)
      throws RefusedException, InterruptedException {
    RunningCounts counts = new RunningCounts(LifecycleLog.of(plan.pipeline().window()));
    NoiseKey noiseKey = secret.derive();
    Optional<HttpSettings> open = http.settings();
    if (open.isEmpty()) {
      return run(place, plan, settings, noiseKey, counts, (run, sealedAt) -> {});
    }
    try (Operations operations =
        Operations.open(plan, counts, noiseKey.tag(), settings, open.get())) {
      HttpSettings where = open.get();
      return run(
          place,
          plan,
          settings,
          noiseKey,
          counts,
          (started, sealedAt) -> {
            operations.watch(started, sealedAt);
            HttpOptions.tell(operations, where);
          });
    }
  }

  private int run(
      InstancePlace place,
      Plan plan,
      KafkaSettings settings,
      NoiseKey noiseKey,
      RunningCounts counts,
      BiConsumer<PipelineRun, OptionalLong> watcher)
      throws RefusedException, InterruptedException {
    SchemaSource schemas = SchemaRegistries.of(plan.pipeline(), settings);
    TopicSizes.of(plan).requireProducer(settings);
    StartChecks.Passed passed;
    try (Cluster admin = Cluster.await(settings, wait, new StatusLine()::show)) {
      passed =
          new StartChecks(
                  resolved(plan, settings, admin, noiseKey),
                  settings,
                  noiseKey,
                  isLocal(),
                  new StartChecks.Clocks(ticksHere(plan), catchUp),
                  new StartChecks.Accepted(acceptRisk, acceptAddedLoss, acceptJump))
              .run(admin);
    }
    SourceTopics sources = passed.sources();
    counts.reads(sources);
    Continuity.Ready ready = passed.ready();
    Plan next = ready.plan();
    Deployment deployment =
        Deployment.of(sources, noiseKey, counts)
            .with(acceptJump ? Deployment.JumpPolicy.CLOSE_ALL : Deployment.JumpPolicy.STOP)
            .with(schemas)
            .with(open)
            .under(passed.orders().whenever(sources));
    PipelineRun.Instance instance =
        new PipelineRun.Instance(
            settings, place.state(), passed.replication(), standbys.orElse(isLocal() ? 0 : 1));
    LifecycleLog.started(next, instance, deployment);
    Optional<OwnTicker> ticker =
        ticksHere(next)
            ? Optional.of(
                OwnTicker.start(
                    settings,
                    next.pipeline(),
                    sources,
                    noiseKey.tickKey(next.pipeline().budget().name()),
                    passed.said(),
                    counts.ticks().own()))
            : Optional.empty();
    String budget = next.pipeline().budget().name();
    ChargeRecorder recorder = ChargeRecorder.start(settings, budget, noiseKey, deployment.counts());
    try (PipelineRun run = PipelineRun.start(next, deployment, instance)) {
      OptionalLong sealedAt = ready.state().sealedAt();
      watcher.accept(run, sealedAt);
      new RunWatch(next.pipeline(), run, counts, sealedAt).until(stop);
    } finally {
      ticker.ifPresent(OwnTicker::close);
      recorder.close(); // the run is closed: this writes what the last commits came to
    }
    System.out.println("stopped: " + counts.line());
    return 0;
  }

  /** With the topics that the version reads. */
  private static Plan resolved(Plan plan, KafkaSettings settings, Cluster admin, NoiseKey key)
      throws RefusedException {
    PatternTopics topics = new PatternTopics(plan.pipeline(), settings, admin, Optional.of(key));
    Plan resolved = new Plan(topics.resolve(), plan.releases());
    sayLater(topics.later(resolved.pipeline()));
    return resolved;
  }

  private static void sayLater(List<String> topics) {
    if (!topics.isEmpty()) {
      System.out.printf(
          "note: topics %s match the pattern and are not read: they join with the next version "
              + "(raise 'version', then sfumato activate FILE)%n",
          String.join(", ", topics));
    }
  }

  private boolean ticksHere(Plan plan) {
    return autoTick || plan.pipeline().window().ticks() == WindowSpec.Ticks.HERE;
  }

  /** An embedded broker, which nobody else depends on. */
  private boolean isLocal() {
    return broker.embedded || joined;
  }

  /** As a signal does. */
  void stopAndWait() {
    stop.countDown();
    try {
      stopped.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
