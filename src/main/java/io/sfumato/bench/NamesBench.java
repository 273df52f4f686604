// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import io.sfumato.client.EventPublisher;
import io.sfumato.console.Progress;
import io.sfumato.release.Plan;
import io.sfumato.runtime.RefusedException;
import io.sfumato.workload.NameSetting;
import java.io.PrintStream;
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
   * What the pipeline did.
   *
   * @param perSecond events
   * @param memory at its most
   * @param found what was read of its output
   */
  record Pipeline(double perSecond, MemoryWatch.Peak memory, FoundNames found) {}

  /** One run of the pipeline, exactly once. */
  Pipeline pipeline() throws RefusedException, InterruptedException {
    String id = arena.newId("names");
    Plan plan = BenchPipeline.names(id, topic, setting);
    Tally tally = new Tally();
    String application = plan.pipeline().applicationId();
    int windows = stream.workload().windows();
    double perSecond;
    MemoryWatch.Peak memory;
    try (Lap lap =
            new Lap(
                PipelineAlternative.prepare(arena, plan, StreamsConfig.EXACTLY_ONCE_V2, tally));
        Progress bar = new Progress(progress, "names, pipeline; windows", windows);
        MemoryWatch watch = new MemoryWatch(lap::storeBytes)) {
      lap.start();
      perSecond =
          stream.events()
              / lap.secondsTo(
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
    return new Pipeline(perSecond, memory, found);
  }

  /** Windows whose lists are published. */
  private long windows(Tally tally) {
    int done = 0;
    while (done < stream.workload().windows()
        && tally.closedThrough(NameStream.end(done + 1)) == Arena.PARTITIONS) {
      done++;
    }
    return done;
  }

  /** Events a second of a bare topology, which decides and publishes nothing. */
  double perSecond(Alternative bare) throws RefusedException, InterruptedException {
    String id = arena.newId("names-bare");
    Alternative.Prepared prepared = bare.prepare(arena, topic, id);
    double perSecond;
    try (Lap lap = new Lap(prepared);
        Progress bar = new Progress(progress, "names, " + bare.name(), stream.events())) {
      lap.start();
      perSecond =
          stream.events()
              / lap.secondsTo(
                  () -> {
                    long done = prepared.counted().getAsLong();
                    bar.at(done);
                    return done;
                  },
                  stream.events());
    }
    arena.forget(id);
    return perSecond;
  }

  /** Deletes the events, in the cluster and on disk. */
  void forget() throws RefusedException, InterruptedException {
    stream.delete();
    arena.forget(topic.substring(0, topic.lastIndexOf('-')));
  }
}
