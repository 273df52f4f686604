// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.gate.NoiseKey;
import io.sfumato.ledger.ChargeRecorder;
import io.sfumato.ledger.Continuity;
import io.sfumato.ledger.PatternTopics;
import io.sfumato.ops.LifecycleLog;
import io.sfumato.ops.RunningCounts;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.InstancePlace;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.PipelineRun;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.SchemaRegistries;
import io.sfumato.runtime.StoreFiles;
import io.sfumato.runtime.TopicSizes;
import io.sfumato.serde.SchemaSource;
import io.sfumato.ticker.OwnTicker;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.OpenMemory;
import io.sfumato.topology.context.SourceTopics;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Runs one pipeline from the checks of its start to its end, alone in its process or not. */
final class OnePipeline {
  private final Choices choices;
  private final Consumer<String> out;
  private final Consumer<String> waiting;
  private final BiConsumer<PipelineRun, OptionalLong> watcher;

  /**
   * What an operator chose for every pipeline of the process.
   *
   * @param clocks what instances do about time; {@code ticks} whatever the file says
   * @param isLocal whether the broker is embedded, so that nobody else depends on it
   * @param standbys number of warm copies of the state
   * @param patience how long to wait for the cluster
   * @param open memory for open datasets, which all pipelines share
   * @param files that their stores need together
   */
  record Choices(
      StartChecks.Accepted accepted,
      StartChecks.Clocks clocks,
      boolean isLocal,
      int standbys,
      Duration patience,
      OpenMemory open,
      StoreFiles files) {}

  /** What a pipeline is started with. */
  record Start(Plan plan, KafkaSettings settings, NoiseKey noiseKey) {}

  /**
   * @param out for lines about it
   * @param waiting for the line that says how long it has waited for the cluster
   */
  OnePipeline(Choices choices, Consumer<String> out, Consumer<String> waiting) {
    this(choices, out, waiting, (run, sealedAt) -> {});
  }

  private OnePipeline(
      Choices choices,
      Consumer<String> out,
      Consumer<String> waiting,
      BiConsumer<PipelineRun, OptionalLong> watcher) {
    this.choices = choices;
    this.out = out;
    this.waiting = waiting;
    this.watcher = watcher;
  }

  /** The same, whose run is watched from its start on. */
  OnePipeline watchedBy(BiConsumer<PipelineRun, OptionalLong> other) {
    return new OnePipeline(choices, out, waiting, other);
  }

  /**
   * Runs it.
   *
   * @param stop ends it
   * @return exit code 0, once it was stopped
   * @throws RefusedException if it may not start, or ends by itself
   */
  int run(Start start, InstancePlace place, RunningCounts counts, CountDownLatch stop)
      throws RefusedException, InterruptedException {
    try {
      return runCounted(start, place, counts, stop);
    } finally {
      choices.files().release(start.plan().pipeline());
    }
  }

  private int runCounted(
      Start start, InstancePlace place, RunningCounts counts, CountDownLatch stop)
      throws RefusedException, InterruptedException {
    Plan plan = start.plan();
    KafkaSettings settings = start.settings();
    NoiseKey noiseKey = start.noiseKey();
    SchemaSource schemas = SchemaRegistries.of(plan.pipeline(), settings);
    TopicSizes.of(plan).requireProducer(settings);
    StartChecks.Passed passed = check(start);
    SourceTopics sources = passed.sources();
    counts.reads(sources);
    Continuity.Ready ready = passed.ready();
    Plan next = ready.plan();
    Deployment deployment =
        Deployment.of(sources, noiseKey, counts)
            .with(
                choices.accepted().jump()
                    ? Deployment.JumpPolicy.CLOSE_ALL
                    : Deployment.JumpPolicy.STOP)
            .with(schemas)
            .with(choices.open())
            .under(passed.orders().whenever(sources));
    PipelineRun.Instance instance =
        new PipelineRun.Instance(settings, place.state(), passed.replication(), choices.standbys());
    LifecycleLog.started(next, instance, deployment);
    Optional<OwnTicker> ticker =
        ticksHere(next) ? Optional.of(ticker(start, passed, counts)) : Optional.empty();
    String budget = next.pipeline().budget().name();
    ChargeRecorder recorder = ChargeRecorder.start(settings, budget, noiseKey, deployment.counts());
    try (PipelineRun run = PipelineRun.start(next, deployment, instance)) {
      OptionalLong sealedAt = ready.state().sealedAt();
      watcher.accept(run, sealedAt);
      new RunWatch(next.pipeline(), run, counts, sealedAt, out).until(stop);
    } finally {
      ticker.ifPresent(OwnTicker::close);
      recorder.close(); // the run is closed: this writes what the last commits came to
    }
    out.accept("stopped: " + counts.line());
    return 0;
  }

  private StartChecks.Passed check(Start start) throws RefusedException {
    try (Cluster admin = Cluster.await(start.settings(), choices.patience(), waiting)) {
      return new StartChecks(
              resolved(start, admin),
              start.settings(),
              start.noiseKey(),
              choices.isLocal(),
              new StartChecks.Clocks(ticksHere(start.plan()), choices.clocks().catchUp()),
              choices.accepted(),
              choices.files(),
              out)
          .run(admin);
    }
  }

  private static OwnTicker ticker(Start start, StartChecks.Passed passed, RunningCounts counts)
      throws RefusedException {
    Plan next = passed.ready().plan();
    return OwnTicker.start(
        start.settings(),
        next.pipeline(),
        passed.sources(),
        start.noiseKey().tickKey(next.pipeline().budget().name()),
        passed.said(),
        counts.ticks().own());
  }

  /** With the topics that the version reads. */
  private Plan resolved(Start start, Cluster admin) throws RefusedException {
    PatternTopics topics =
        new PatternTopics(
            start.plan().pipeline(), start.settings(), admin, Optional.of(start.noiseKey()));
    Plan resolved = new Plan(topics.resolve(), start.plan().releases());
    sayLater(resolved.pipeline(), topics.later(resolved.pipeline()));
    return resolved;
  }

  private void sayLater(Pipeline pipeline, List<String> topics) {
    if (!topics.isEmpty()) {
      out.accept(
          "note: topics %s match the pattern of input.topic and are not read: topics join with a new version, or a new budget (%s)"
              .formatted(String.join(", ", topics), PatternTopics.howToJoin(pipeline)));
    }
  }

  private boolean ticksHere(Plan plan) {
    return choices.clocks().ticks() || plan.pipeline().window().ticks() == WindowSpec.Ticks.HERE;
  }
}
