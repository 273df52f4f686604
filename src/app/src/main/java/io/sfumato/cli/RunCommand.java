// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.console.StatusLine;
import io.sfumato.gate.NoiseKey;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.ops.GroupOperations;
import io.sfumato.ops.LifecycleLog;
import io.sfumato.ops.Operations;
import io.sfumato.ops.RunningCounts;
import io.sfumato.ops.http.HttpSettings;
import io.sfumato.ops.otlp.OtlpExport;
import io.sfumato.ops.otlp.OtlpSettings;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.Plurals;
import io.sfumato.readers.ReadersPage;
import io.sfumato.release.Plan;
import io.sfumato.release.PlanLine;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.EmbeddedFolder;
import io.sfumato.runtime.EnvironmentSecretWarning;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.FolderLock;
import io.sfumato.runtime.InstancePlace;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.StoreFiles;
import io.sfumato.topology.context.OpenMemory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
      "  sfumato run mine.yaml --secret-file noise.key --reader-port 8087",
      "      also a page for readers of releases, which shows what is published and nothing else",
      "  sfumato run shop.yaml clinic.yaml --secret-file keys/",
      "  sfumato run pipelines/ --secret-file keys/",
      "      several pipelines in one process; the secret of pipeline NAME is keys/NAME.key,",
      "      and with --config FOLDER its Kafka properties are FOLDER/NAME.properties",
      "",
      "SFUMATO_LOG_FORMAT=json logs one object a line. Everything for operators: docs/operate/deploy.md"
    })
final class RunCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description =
          "Pipeline file. Several files, or a folder of them, run in this process beside each"
              + " other: each has its budget, state and failures of its own.")
  private List<Path> files;

  @Spec private CommandSpec spec;

  @Mixin private ClusterOptions cluster;

  @Mixin private EmbeddedOptions broker;

  @Mixin private SecretOptions secrets;

  @Mixin private HttpOptions http;

  @Mixin private OtlpOptions otlp;

  @Mixin private ReaderOptions readers;

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
          "Read the topic's past: records up to now, plus window.ahead, are not EARLY. For a new pipeline on an existing topic, or after its ticker was down.")
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
  private Optional<OtlpSettings> exported = Optional.empty();
  private final StoreFiles storeFiles = new StoreFiles();

  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);

  @Override
  public Integer call() throws PipelineFileException, RefusedException, InterruptedException {
    if (broker.embedded) {
      BrokerPart.require();
    }
    open = memory.memory();
    exported = otlp.settings(System.getenv());
    boolean alone = files.size() == 1 && !Files.isDirectory(files.get(0));
    Optional<Plan> plan =
        alone ? Optional.of(PipelineCommand.planOf(files.get(0))) : Optional.empty();
    EnvironmentSecretWarning.ofKafka(System.getenv()).ifPresent(System.err::println);
    Runtime.getRuntime().addShutdownHook(new Thread(this::stopAndWait, "shutdown"));
    try {
      if (plan.isPresent()) {
        System.out.println(PlanLine.of(plan.get()));
        return withCluster(files.get(0), secret -> runAlone(plan.get(), secret));
      }
      List<Path> all = PipelineFiles.of(files);
      requireNoneAccepted(all);
      readers.requireNone();
      return withCluster(all.get(0), secret -> runMany(all, secret));
    } finally {
      stopped.countDown();
    }
  }

  /**
   * Who accepts more loss, or a jump, means one pipeline, and none that is added to a folder later.
   */
  private void requireNoneAccepted(List<Path> all) {
    if (acceptAddedLoss || acceptJump) {
      throw new ParameterException(
          spec.commandLine(),
          "%1$s is for one pipeline, and here are %2$s: start that one alone with it once (sfumato run FILE %1$s), then all of them without"
              .formatted(
                  acceptAddedLoss ? "--accept-added-loss" : "--accept-jump",
                  Plurals.of(all.size(), "file")));
    }
  }

  /** What runs on a cluster that is there. */
  private interface Work {
    /**
     * @param embedded secret of the embedded broker's folder; nothing without one
     */
    int run(Optional<NoiseSecret> embedded) throws RefusedException, InterruptedException;
  }

  private int withCluster(Path first, Work work) throws RefusedException, InterruptedException {
    if (!broker.embedded) {
      return work.run(Optional.empty());
    }
    try (FolderLock lock = broker.lock(first)) {
      NoiseSecret secret = secrets.forDevelopment(broker.data);
      cluster.bootstrapServers = Optional.of(broker.server());
      return broker.withBroker(lock, stop, () -> work.run(Optional.of(secret)));
    }
  }

  private int runAlone(Plan plan, Optional<NoiseSecret> embedded)
      throws RefusedException, InterruptedException {
    Consumer<String> waiting = new StatusLine()::show;
    Where where = where(plan, embedded, System.out::println, waiting);
    try (InstancePlace place = place(plan, where)) {
      return runIn(place, plan, where);
    }
  }

  /**
   * Where a pipeline runs.
   *
   * @param joined whether the cluster is what another process embeds with the same folder
   */
  private record Where(KafkaSettings settings, NoiseSecret secret, boolean joined) {}

  /** A cluster for production, or what a process embeds. */
  private Where where(
      Plan plan, Optional<NoiseSecret> embedded, Consumer<String> out, Consumer<String> waiting)
      throws RefusedException {
    String name = plan.pipeline().name();
    ClusterOptions own = cluster.of(name);
    if (embedded.isPresent()) {
      return new Where(own.settings(plan.pipeline().kafka()), embedded.get(), false);
    }
    EmbeddedFolder folder = broker.folder();
    KafkaSettings settings =
        own.settings(
            plan.pipeline().kafka(),
            new NearbyCluster(folder, false, wait, waiting, NearbyCluster.BY_FOLDER));
    Optional<String> server = folder.server();
    boolean joined = false;
    if (server.isPresent()) {
      try (Cluster admin = Cluster.await(settings, wait, waiting)) {
        joined = folder.isOf(admin);
      }
    }
    if (joined) {
      out.accept(
          "joining the broker of folder %s at %s".formatted(folder.path(), server.orElseThrow()));
    }
    return new Where(
        settings, joined ? secrets.ofFolder(name, folder.path()) : secrets.require(name), joined);
  }

  /** The instance with the broker, and others that joined, have their places in its folder. */
  private InstancePlace place(Plan plan, Where where) throws RefusedException {
    String part = plan.pipeline().applicationId();
    return where.joined()
        ? InstancePlace.share(broker.data, part)
        : InstancePlace.take(broker.data, part);
  }

  /** One pipeline in its place, with a port of its own. */
  private int runIn(InstancePlace place, Plan plan, Where where)
      throws RefusedException, InterruptedException {
    NoiseKey noiseKey = where.secret().derive();
    OnePipeline.Start start = new OnePipeline.Start(plan, where.settings(), noiseKey);
    OnePipeline one = new OnePipeline(choices(where), System.out::println, new StatusLine()::show);
    Optional<HttpSettings> port = http.settings();
    Optional<HttpSettings> readersPort = readers.settings(port);
    Optional<ReadersPage> page = readersPage(plan, where, readersPort);
    try (OtlpExport export = export()) {
      return runIn(place, start, one, port, export);
    } finally {
      page.ifPresent(ReadersPage::close);
    }
  }

  private OtlpExport export() throws RefusedException {
    return exported.isPresent() ? OtlpExport.start(exported.get()) : OtlpExport.none();
  }

  private static RunningCounts counts(Plan plan, OtlpExport export) {
    return new RunningCounts(
        LifecycleLog.of(plan.pipeline().window(), export.windows(plan.pipeline())));
  }

  private static Optional<ReadersPage> readersPage(
      Plan plan, Where where, Optional<HttpSettings> port) throws RefusedException {
    if (port.isEmpty()) {
      return Optional.empty();
    }
    ReadersPage page =
        ReadersPage.open(plan.pipeline(), where.settings(), port.get(), ReaderOptions.ADDRESS);
    ReaderOptions.tell(page, port.get(), "--reader-token-file");
    return Optional.of(page);
  }

  private int runIn(
      InstancePlace place,
      OnePipeline.Start start,
      OnePipeline one,
      Optional<HttpSettings> port,
      OtlpExport export)
      throws RefusedException, InterruptedException {
    RunningCounts counts = counts(start.plan(), export);
    if (port.isEmpty() && !export.isOn()) {
      return one.run(start, place, counts, stop);
    }
    try (Operations operations = operations(start, counts, port)) {
      export.measure(operations::snapshots);
      int code =
          one.watchedBy(
                  (started, sealedAt) -> {
                    operations.watch(started, sealedAt);
                    port.ifPresent(where -> HttpOptions.tell(operations, where));
                  })
              .run(start, place, counts, stop);
      export.finish(); // while there is something to measure
      return code;
    }
  }

  private Operations operations(
      OnePipeline.Start start, RunningCounts counts, Optional<HttpSettings> port)
      throws RefusedException {
    String tag = start.noiseKey().tag();
    return port.isPresent()
        ? Operations.open(start.plan(), counts, tag, start.settings(), port.get())
        : Operations.withoutPort(start.plan(), counts, tag, start.settings(), http.metrics());
  }

  /** Several pipelines, with one port. */
  private int runMany(List<Path> all, Optional<NoiseSecret> embedded)
      throws RefusedException, InterruptedException {
    Optional<HttpSettings> port = http.settings();
    try (OtlpExport export = export()) {
      if (port.isEmpty() && !export.isOn()) {
        return runMany(all, embedded, Optional.empty(), export);
      }
      List<String> names = all.stream().map(Path::toString).toList();
      try (GroupOperations operations =
          port.isPresent()
              ? new GroupOperations(names, port.get())
              : GroupOperations.withoutPort(names, http.metrics())) {
        port.ifPresent(where -> HttpOptions.tell(operations, where));
        export.measure(operations::snapshots);
        int code = runMany(all, embedded, Optional.of(operations), export);
        export.finish(); // while there is something to measure
        return code;
      }
    }
  }

  private int runMany(
      List<Path> all,
      Optional<NoiseSecret> embedded,
      Optional<GroupOperations> operations,
      OtlpExport export)
      throws InterruptedException {
    Map<Path, String> clashes = PipelineFiles.clashes(all);
    PipelineGroup group =
        new PipelineGroup(
            (file, out) -> {
              if (clashes.containsKey(file)) {
                throw new RefusedException(ExitCode.REFUSED_FILE, clashes.get(file));
              }
              runOneOfMany(file, embedded, operations, export, out);
            },
            System.out::println,
            (file, code, next) ->
                operations.ifPresent(o -> o.ended(file.toString(), code.number(), next)),
            PipelineGroup.Delays.USUAL);
    return group.run(all, stop);
  }

  private void runOneOfMany(
      Path file,
      Optional<NoiseSecret> embedded,
      Optional<GroupOperations> operations,
      OtlpExport export,
      Consumer<String> out)
      throws PipelineFileException, RefusedException, InterruptedException {
    Plan plan = PipelineCommand.planOf(file);
    out.accept(PlanLine.of(plan));
    Where where = where(plan, embedded, out, waited -> {});
    RunningCounts counts = counts(plan, export);
    NoiseKey noiseKey = where.secret().derive();
    OnePipeline one = new OnePipeline(choices(where), out, waited -> {});
    if (operations.isPresent()) {
      one =
          one.watchedBy(
              operations.get().add(file.toString(), plan, counts, noiseKey.tag(), where.settings())
                  ::watch);
    }
    try (InstancePlace place = place(plan, where)) {
      one.run(new OnePipeline.Start(plan, where.settings(), noiseKey), place, counts, stop);
    }
  }

  /** What the options say of every pipeline of this process. */
  private OnePipeline.Choices choices(Where where) {
    return new OnePipeline.Choices(
        new StartChecks.Accepted(acceptRisk, acceptAddedLoss, acceptJump),
        new StartChecks.Clocks(autoTick, catchUp),
        isLocal(where),
        standbys.orElse(isLocal(where) ? 0 : 1),
        wait,
        open,
        storeFiles);
  }

  /** An embedded broker, which nobody else depends on. */
  private boolean isLocal(Where where) {
    return broker.embedded || where.joined();
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
