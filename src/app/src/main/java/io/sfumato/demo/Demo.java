// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.demo;

import io.sfumato.client.OutputReader;
import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.gate.NoiseKey;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.ops.Operations;
import io.sfumato.ops.RunningCounts;
import io.sfumato.ops.http.HttpSettings;
import io.sfumato.ops.http.OpsServer;
import io.sfumato.pipeline.OutputSpec;
import io.sfumato.release.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.PipelineRun;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.TemporaryFolder;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.SourceTopics;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.commons.rng.UniformRandomProvider;

/** Runs the demonstration from an empty folder to a summary line. */
public final class Demo {
  private static final int PARTITIONS = 2;
  private static final int LISTENERS = 12;
  private static final int EVENTS_PER_SECOND = 600;
  private static final Duration START_TIMEOUT = Duration.ofMinutes(2);

  private final Plan plan;
  private final Optional<HttpSettings> http;
  private final PrintStream out;
  private final AtomicBoolean stopping = new AtomicBoolean();
  private final AtomicBoolean pipelineEnded = new AtomicBoolean();

  /** Whether nothing comes any more, because generator or reader failed. */
  private final AtomicBoolean broken = new AtomicBoolean();

  private final AtomicLong published = new AtomicLong();

  /**
   * @param http where operators may look at it, if they may
   */
  public Demo(Plan plan, Optional<HttpSettings> http, PrintStream out) {
    this.plan = plan;
    this.http = http;
    this.out = out;
  }

  /**
   * Runs for some seconds of events.
   *
   * @param length at most
   * @param stays whether to go on for the whole length when every budget is spent, for the page
   * @return what was seen, as a read_committed consumer saw it
   */
  public DemoSummary run(Duration length, boolean stays) throws RefusedException {
    if (http.isPresent()) {
      OpsServer.requireAddress(http.get());
    }
    long began = System.nanoTime();
    out.println("starting a Kafka broker in this process ...");
    try (TemporaryFolder folder = TemporaryFolder.make("sfumato-demo-");
        EmbeddedBroker broker = EmbeddedBroker.start(folder.path().resolve("broker"))) {
      out.printf(
          "broker up at %s after %.1f s%n",
          broker.bootstrapServers(), (System.nanoTime() - began) / 1e9);
      out.println("noise key: temporary, discarded at the end (a real run needs a noise secret)");
      out.printf(
          "budget: epsilon %s, delta %s per listener; pipeline %s%n",
          plan.pipeline().budget().epsilon(),
          plan.pipeline().budget().delta(),
          plan.pipeline().name());
      KafkaSettings settings =
          KafkaSettings.gather(
              plan.pipeline().kafka(),
              Optional.empty(),
              Map.of(),
              Optional.of(broker.bootstrapServers()));
      return run(settings, folder.path().resolve("state"), length, stays);
    }
  }

  private DemoSummary run(KafkaSettings settings, Path state, Duration length, boolean stays)
      throws RefusedException {
    RunningCounts counts = new RunningCounts();
    NoiseKey noiseKey = NoiseSecret.random().derive();
    if (http.isEmpty()) {
      return run(settings, state, length, stays, noiseKey, counts, run -> {});
    }
    try (Operations operations =
        Operations.open(plan, counts, noiseKey.tag(), settings, http.get())) {
      out.printf("status page: http://%s:%d/%n", http.get().host(), operations.port());
      return run(settings, state, length, stays, noiseKey, counts, operations::watch);
    }
  }

  private DemoSummary run(
      KafkaSettings settings,
      Path state,
      Duration length,
      boolean stays,
      NoiseKey noiseKey,
      RunningCounts counts,
      Consumer<PipelineRun> watcher)
      throws RefusedException {
    SourceTopics sources;
    try (Cluster cluster = new Cluster(settings)) {
      for (String topic : plan.pipeline().input().topics().names()) {
        cluster.topics().createIfMissing(topic, PARTITIONS);
      }
      sources = cluster.pipelineTopics().prepare(plan, Cluster.Safety.WAIVED);
      cluster.offsets(plan.pipeline()).establish();
    }
    Deployment deployment = Deployment.of(sources, noiseKey, counts);
    UniformRandomProvider random = new SplittableRandom()::nextLong;
    Listeners listeners = new Listeners(LISTENERS, plan.pipeline(), random);
    DemoView view = new DemoView(plan, listeners, published::get, out);
    try {
      Thread reader;
      try (PipelineRun run =
          PipelineRun.start(plan, deployment, new PipelineRun.Instance(settings, state, 1, 0))) {
        if (!run.awaitRunning(START_TIMEOUT)) {
          throw run.failure()
              .orElse(
                  new RefusedException(
                      ExitCode.FAILED, "the pipeline did not start within 2 minutes"));
        }
        watcher.accept(run);
        Thread generator = thread("generator", () -> generate(settings, listeners));
        reader = thread("reader", () -> read(settings, view));
        view.showFor(length, stays, () -> run.failure().isPresent() || broken.get());
        stopping.set(true);
        generator.join();
        if (run.failure().isPresent()) {
          throw run.failure().get();
        }
      }
      pipelineEnded.set(true);
      reader.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RefusedException(ExitCode.FAILED, "interrupted");
    }
    return view.summary();
  }

  private void generate(KafkaSettings settings, Listeners listeners) {
    try {
      new Player(settings, plan.pipeline(), listeners)
          .play(EVENTS_PER_SECOND, () -> !stopping.get(), published::set);
    } catch (RefusedException e) {
      broken.set(true);
      out.println("the generator stopped: " + e.getMessage());
    }
  }

  private void read(KafkaSettings settings, DemoView view) {
    List<String> topics = new ArrayList<>();
    for (OutputSpec release : plan.pipeline().outputs()) {
      topics.add(release.topic());
    }
    topics.add(plan.pipeline().refusalsTopic());
    topics.add(plan.pipeline().deadLettersTopic());
    try {
      new OutputReader(settings)
          .read(
              topics,
              OutputReader.Ending.NEVER,
              () -> !pipelineEnded.get(),
              record -> {
                view.accept(record.value());
                return true;
              });
    } catch (RefusedException e) {
      broken.set(true);
      out.println("the reader stopped: " + e.getMessage());
    }
  }

  private static Thread thread(String name, Runnable work) {
    Thread thread = new Thread(work, "demo-" + name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
