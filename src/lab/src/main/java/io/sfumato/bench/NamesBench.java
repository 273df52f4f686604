// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import io.sfumato.client.EventPublisher;
import io.sfumato.console.Progress;
import io.sfumato.release.Plan;
import io.sfumato.runtime.RefusedException;
import io.sfumato.workload.NameSetting;
import java.io.PrintStream;
import java.util.function.LongSupplier;
import org.apache.kafka.streams.StreamsConfig;

/**
 * The stream of names through a pipeline, from its first record to the commit of its last window's
 * list, and through bare topologies that count it. Every lap reads the same topic, and leaves
 * nothing behind.
 */
final class NamesBench {
  private final Arena arena;
  private final NameSetting setting;
  private final NameStream stream;
  private final PrintStream progress;
  private final String topic;

  /** Writes the topic. */
  NamesBench(Arena arena, NameSetting setting, NameStream stream, PrintStream progress)
      throws RefusedException {
    this.arena = arena;
    this.setting = setting;
    this.stream = stream;
    this.progress = progress;
    this.topic = arena.newId("names-events") + "-records";
    arena.create(topic);
    try (EventPublisher publisher = new EventPublisher(arena.settings());
        Progress bar = new Progress(progress, "names written", stream.events())) {
      stream.publish(publisher, topic, bar::at);
    }
  }

  /**
   * How fast events were worked on.
   *
   * @param perSecond events a second of a clock on the wall
   * @param perProcessorSecond events a second of a processor, of all that this process did: a
   *     broker that is in it too
   */
  record Speed(double perSecond, double perProcessorSecond) {}

  /**
   * What the pipeline did.
   *
   * @param memory at its most
   * @param found what was read of its output
   */
  record Pipeline(Speed speed, MemoryWatch.Peak memory, FoundNames found) {}

  /** One run of the pipeline, exactly once. */
  Pipeline pipeline() throws RefusedException, InterruptedException {
    String id = arena.newId("names");
    Plan plan = BenchPipeline.names(id, topic, setting);
    PipelineCounts tally = new PipelineCounts();
    String application = plan.pipeline().applicationId();
    int windows = stream.workload().windows();
    Speed speed;
    MemoryWatch.Peak memory;
    try (Lap lap =
            new Lap(
                PipelineAlternative.prepare(arena, plan, StreamsConfig.EXACTLY_ONCE_V2, tally));
        Progress bar = new Progress(progress, "names, pipeline; windows", windows);
        MemoryWatch watch = new MemoryWatch(lap::storeBytes)) {
      lap.start();
      speed =
          speed(
              lap,
              () -> {
                long done = windows(tally);
                bar.at(done);
                return done;
              },
              windows);
      memory = watch.peak();
    }
    FoundNames found = FoundNames.read(arena, BenchPipeline.output(id), windows);
    arena.forget(application, id);
    return new Pipeline(speed, memory, found);
  }

  /** Windows whose lists are published. */
  private long windows(PipelineCounts tally) {
    int done = 0;
    while (done < stream.workload().windows()
        && tally.closedThrough(NameStream.end(done + 1)) == Arena.PARTITIONS) {
      done++;
    }
    return done;
  }

  private Speed speed(Lap lap, LongSupplier counter, long goal) throws RefusedException {
    double before = Machine.processorSeconds();
    double seconds = lap.secondsTo(counter, goal);
    return new Speed(
        stream.events() / seconds, stream.events() / (Machine.processorSeconds() - before));
  }

  /** A bare topology, which decides and publishes nothing. */
  Speed bare(Alternative bare) throws RefusedException, InterruptedException {
    String id = arena.newId("names-bare");
    Alternative.Prepared prepared = bare.prepare(arena, topic, id);
    Speed speed;
    try (Lap lap = new Lap(prepared);
        Progress bar = new Progress(progress, "names, " + bare.name(), stream.events())) {
      lap.start();
      speed =
          speed(
              lap,
              () -> {
                long done = prepared.counted().getAsLong();
                bar.at(done);
                return done;
              },
              stream.events());
    }
    arena.forget(id);
    return speed;
  }

  /** Deletes the events, in the cluster and on disk. */
  void forget() throws RefusedException, InterruptedException {
    stream.delete();
    arena.forget(topic.substring(0, topic.lastIndexOf('-')));
  }
}
