// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.client.AutoTick;
import io.sfumato.console.StatusLine;
import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.ledger.Adoption;
import io.sfumato.ledger.Beginning;
import io.sfumato.ledger.Continuity;
import io.sfumato.ledger.OffsetsOfState;
import io.sfumato.ledger.SkippedRecords;
import io.sfumato.noise.NoiseKey;
import io.sfumato.noise.NoiseSecret;
import io.sfumato.ops.LifeLog;
import io.sfumato.ops.Operations;
import io.sfumato.ops.RunningCounts;
import io.sfumato.ops.http.HttpSettings;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.release.FormerShares;
import io.sfumato.release.Plan;
import io.sfumato.release.PlanLine;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.EmbeddedFolder;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.Exposure;
import io.sfumato.runtime.FolderLock;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.PipelineRun;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.SchemaRegistries;
import io.sfumato.runtime.TopicCommand;
import io.sfumato.runtime.TopicSizes;
import io.sfumato.serde.SchemaSource;
import io.sfumato.serde.TickHeader;
import io.sfumato.topology.setting.Deployment;
import io.sfumato.topology.setting.OpenMemory;
import io.sfumato.topology.setting.RecordSpan;
import io.sfumato.topology.setting.SkippedPlaces;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
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
      "  sfumato run mine.yaml --secret-file noise.key --host 0.0.0.0 --port 9000 --token-file http.token",
      "      page, metrics and probes for other machines too, behind a token",
      "",
      "SFUMATO_LOG_FORMAT=json logs one object a line. Everything for operators: docs/operations.md"
    })
final class RunCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "Pipeline file.")
  private Path file;

  @Mixin private ClusterOptions cluster;

  @Option(
      names = "--embedded",
      description =
          "Start a broker in this process: for trying out, with one replica of everything.")
  private boolean embedded;

  @Option(names = "--broker-port", description = "Port of the embedded broker; by default 9092.")
  private int brokerPort = 9092;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Folder for local state (and the embedded broker's log); by default .sfumato.")
  private Path data = EmbeddedFolder.DEFAULT;

  @Mixin private SecretOptions secrets;

  @Mixin private HttpOptions http;

  @Mixin private MemoryOptions memory;

  @Option(
      names = "--accept-risk",
      description =
          "Run on a cluster that could lose an acknowledged charge, or whose topics take Kafka timestamps of any time.")
  private boolean acceptRisk;

  @Option(
      names = "--accept-jump",
      description =
          "Let a roster's clock jump over more than window.max-jump windows where nobody wrote for so"
              + " long. What a record claims beyond its Kafka timestamp stays bounded.")
  private boolean acceptJump;

  @Option(
      names = "--auto-tick",
      description =
          "Move idle partitions by the wall clock. For live data only: it makes replayed old events late."
              + " Needs WRITE on the records' topic.")
  private boolean autoTick;

  @Option(
      names = "--standbys",
      description = "Warm copies of the state on other instances; by default 1, embedded 0.")
  private Optional<Integer> standbys = Optional.empty();

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      description = "How long to wait for the cluster to come up, such as 30s; by default 1m.")
  private Duration wait = Duration.ofMinutes(1);

  private OpenMemory open;
  private EmbeddedFolder folder;

  /** Whether the cluster is what another process embeds with the same folder. */
  private boolean joined;

  /** Of this instance's state, in the folder or below it. */
  private Path place;

  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);

  @Override
  public Integer call() throws PipelineFileException, RefusedException, InterruptedException {
    if (embedded) {
      BrokerPart.require();
    }
    Plan plan = PlanCommand.load(file);
    open = memory.memory();
    folder = new EmbeddedFolder(data);
    Exposure.ofKafka(System.getenv()).ifPresent(System.err::println);
    Runtime.getRuntime().addShutdownHook(new Thread(this::stopAndWait, "shutdown"));
    System.out.println(PlanLine.of(plan));
    try {
      return embedded ? runEmbedded(plan) : runThere(plan);
    } finally {
      stopped.countDown();
    }
  }

  /** On a cluster that runs: one for production, or what another process embeds. */
  private int runThere(Plan plan) throws RefusedException, InterruptedException {
    KafkaSettings settings =
        cluster.settings(plan.pipeline().kafka(), new NearbyCluster(folder, false, wait, line()));
    Optional<String> server = folder.server();
    if (server.isPresent()) {
      try (Cluster admin = Cluster.await(settings, wait, line())) {
        joined = folder.isOf(admin);
      }
    }
    if (joined) {
      System.out.printf("joining the broker of folder %s at %s%n", data, server.orElseThrow());
    }
    return run(plan, settings, joined ? secrets.ofFolder(data) : secrets.require());
  }

  private int runEmbedded(Plan plan) throws RefusedException, InterruptedException {
    // Before anything is written: a second broker on the same log would break both.
    try (FolderLock lock =
        FolderLock.tryTake(data, "broker").orElseThrow(() -> brokerRuns(folder))) {
      return runWithBroker(plan, lock);
    }
  }

  private RefusedException brokerRuns(EmbeddedFolder folder) {
    return new RefusedException(
        ExitCode.REFUSED_FILE,
        "a broker runs in the folder %s already%s: leave out --embedded to join it ('sfumato run %s%s')"
            .formatted(
                data,
                folder.server().map(server -> ", at " + server).orElse(""),
                file,
                data.equals(EmbeddedFolder.DEFAULT) ? "" : " --data " + data));
  }

  private int runWithBroker(Plan plan, FolderLock held)
      throws RefusedException, InterruptedException {
    NoiseSecret secret = secrets.forDevelopment(data);
    cluster.bootstrapServers = Optional.of("127.0.0.1:" + brokerPort);
    System.out.println("starting a Kafka broker in this process ...");
    try (EmbeddedBroker broker = startBroker()) {
      System.out.println("broker up at " + broker.bootstrapServers() + ", log in " + data);
      announce(broker.bootstrapServers());
      try {
        return run(plan, cluster.settings(plan.pipeline().kafka()), secret);
      } catch (RefusedException e) {
        if (e.code() == ExitCode.STOPPED) {
          System.out.println(e.getMessage());
          System.out.println("the broker stays up, for whatever mends it; Ctrl-C ends it");
          stop.await();
        }
        throw e;
      } finally {
        folder.withdraw();
      }
    }
  }

  private void announce(String server) throws RefusedException {
    try {
      folder.announce(server);
    } catch (IOException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "cannot write into the folder %s: give another with --data".formatted(data));
    }
  }

  private EmbeddedBroker startBroker() throws RefusedException {
    try {
      return EmbeddedBroker.start(folder.broker().toAbsolutePath(), brokerPort);
    } catch (IllegalStateException e) {
      throw new RefusedException(ExitCode.REFUSED_CLUSTER, e.getMessage());
    }
  }

  private int run(Plan plan, KafkaSettings settings, NoiseSecret secret)
      throws RefusedException, InterruptedException {
    String part = plan.pipeline().applicationId();
    place = data;
    Optional<FolderLock> free = Optional.empty();
    if (joined) {
      // The instance with the broker, and others that joined, have their places in this folder.
      free = FolderLock.tryTake(place, part);
      for (int instance = 2; free.isEmpty(); instance++) {
        place = data.resolve("instance-" + instance);
        free = FolderLock.tryTake(place, part);
      }
    }
    try (FolderLock lock = free.isPresent() ? free.get() : FolderLock.take(place, part)) {
      return runAlone(plan, settings, secret, lock);
    }
  }

  private int runAlone(Plan plan, KafkaSettings settings, NoiseSecret secret, FolderLock held)
      throws RefusedException, InterruptedException {
    RunningCounts counts = new RunningCounts(LifeLog.of(plan.pipeline().window()));
    NoiseKey noiseKey = secret.derive();
    Optional<HttpSettings> open = http.settings();
    if (open.isEmpty()) {
      return run(plan, settings, noiseKey, counts, run -> {});
    }
    try (Operations operations =
        Operations.open(plan, counts, noiseKey.tag(), settings, open.get())) {
      HttpSettings where = open.get();
      return run(
          plan,
          settings,
          noiseKey,
          counts,
          started -> {
            operations.watch(started);
            tellOfPage(operations, where);
          });
    }
  }

  /** Not before it is worth looking. */
  private static void tellOfPage(Operations operations, HttpSettings where) {
    System.out.println(
        "operators look at http://%1$s:%2$d/, and probes ask http://%1$s:%3$d/readyz"
            .formatted(where.host(), operations.port(), operations.probePort()));
    if (where.isOpenToOthers()) {
      System.out.println(
          "note: whoever reaches this port can read outputs, settings and progress; give --token-file");
    }
  }

  private int run(
      Plan plan,
      KafkaSettings settings,
      NoiseKey noiseKey,
      RunningCounts counts,
      Consumer<PipelineRun> watcher)
      throws RefusedException, InterruptedException {
    SchemaSource schemas = SchemaRegistries.of(plan.pipeline(), settings);
    TopicSizes.of(plan).requireProducer(settings);
    Cluster.Source source;
    Plan next;
    int replication;
    SkippedRecords skips = new SkippedRecords(plan.pipeline(), settings, noiseKey);
    List<RecordSpan> skipped;
    try (Cluster admin = Cluster.await(settings, wait, line())) {
      if (isLocal()) {
        admin.createForRecords(plan.pipeline().input().topic(), 2);
      }
      Cluster.Safety safety =
          isLocal() || acceptRisk ? Cluster.Safety.WAIVED : Cluster.Safety.REQUIRED;
      new Adoption(plan.pipeline(), settings, admin, noiseKey).adopt();
      source = admin.prepare(plan, safety);
      if (autoTick) {
        admin.requireTicks(plan.pipeline().input().topic());
      }
      Continuity.Ready ready = Continuity.require(plan, settings, admin, source, noiseKey);
      next = ready.plan();
      Continuity.runningPredecessor(ready, admin)
          .ifPresent(
              version ->
                  System.out.printf(
                      "waiting for version %d to stop: its instances run and hold partitions; stop them,"
                          + " and this one goes on with what they leave%n",
                      version));
      Beginning.require(plan.pipeline(), ready.state(), settings, admin, System.currentTimeMillis())
          .ifPresent(System.out::println);
      admin.offsets(plan.pipeline()).establish();
      new OffsetsOfState(plan.pipeline(), settings).requireInOrder(admin);
      Continuity.enter(ready, settings, admin, noiseKey);
      skipped = SkippedPlaces.of(skips.read(admin, source)).spans();
      replication = admin.replication();
      if (!isLocal()) {
        admin
            .stampedBy(plan.pipeline())
            .require(safety, new TopicCommand(settings.bootstrapServers()))
            .ifPresent(System.out::println);
      }
      admin.requireTimestamps(plan.pipeline(), safety).ifPresent(System.out::println);
    }
    skipped.forEach(
        place ->
            System.out.printf(
                "note: %s does not count: an operator said so (sfumato skip-record)%n",
                place.text(plan.pipeline().input().topic())));
    FormerShares.restated(next).forEach(line -> System.out.println("warning: " + line));
    Deployment deployment =
        Deployment.of(source.id(), source.partitions(), noiseKey, counts)
            .with(acceptJump ? Deployment.JumpPolicy.CLOSE_ALL : Deployment.JumpPolicy.STOP)
            .with(schemas)
            .with(open)
            .without(skips.whenever(source));
    PipelineRun.Instance instance =
        new PipelineRun.Instance(
            settings, place.resolve("state"), replication, standbys.orElse(isLocal() ? 0 : 1));
    LifeLog.started(next, instance, deployment);
    Optional<AutoTick> tick =
        autoTick
            ? Optional.of(
                AutoTick.start(
                    settings,
                    next.pipeline(),
                    TickHeader.signedBy(noiseKey.tickKey(next.pipeline().budget().name()))))
            : Optional.empty();
    try (PipelineRun run = PipelineRun.start(next, deployment, instance)) {
      watcher.accept(run);
      new RunWatch(next.pipeline(), run, counts).until(stop);
      if (run.failure().isPresent()) {
        throw run.failure().get();
      }
      System.out.println("stopping ...");
    } finally {
      tick.ifPresent(AutoTick::close);
    }
    System.out.println("stopped: " + counts.line());
    return 0;
  }

  /** An embedded broker, which nobody else depends on. */
  private boolean isLocal() {
    return embedded || joined;
  }

  private static Consumer<String> line() {
    return new StatusLine()::show;
  }

  private void stopAndWait() {
    stop.countDown();
    try {
      stopped.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
