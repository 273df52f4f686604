package io.sfumato.bench;

import io.sfumato.noise.NoiseSecret;
import io.sfumato.pipeline.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.PipelineRun.Instance;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.StreamsSettings;
import io.sfumato.topology.Deployment;
import io.sfumato.topology.PipelineMeters;
import io.sfumato.topology.PipelineTopology;
import java.util.Properties;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;

/** One way to do the work of a workload. */
interface Alternative {
  String name();

  /**
   * Makes ready what must be there before the start.
   *
   * @param id unique in the cluster
   */
  Prepared prepare(Arena arena, Workload workload, String id) throws RefusedException;

  /**
   * @param counted events that were counted so far
   */
  record Prepared(Topology topology, Properties settings, LongSupplier counted) {}

  /** The pipeline, as {@code run} runs it. */
  record Pipeline(String name, String guarantee) implements Alternative {
    static Pipeline exactlyOnce() {
      return new Pipeline("pipeline", StreamsConfig.EXACTLY_ONCE_V2);
    }

    /** For comparison only: {@code run} refuses it. */
    static Pipeline atLeastOnce() {
      return new Pipeline("pipeline, at least once", StreamsConfig.AT_LEAST_ONCE);
    }

    @Override
    public Prepared prepare(Arena arena, Workload workload, String id) throws RefusedException {
      Plan plan = BenchPipeline.histogram(id, workload.topic());
      LongAdder counted = new LongAdder();
      PipelineMeters meters =
          new PipelineMeters() {
            @Override
            public void observed(int records) {
              counted.add(records);
            }
          };
      Cluster.Source source;
      try (Cluster cluster = new Cluster(arena.settings())) {
        source = cluster.prepare(plan.pipeline(), Cluster.Safety.WAIVED);
        cluster.establishStartOffsets(plan.pipeline());
      }
      Deployment deployment =
          Deployment.of(source.id(), source.partitions(), NoiseSecret.random().derive(), meters);
      Properties settings = settings(arena, plan.pipeline().applicationId());
      settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, guarantee);
      return new Prepared(PipelineTopology.build(plan, deployment), settings, counted::sum);
    }
  }

  /** A bare counting topology under the same settings. */
  record Bare(String name, BareTopology.Storage storage, BareTopology.Route route)
      implements Alternative {
    @Override
    public Prepared prepare(Arena arena, Workload workload, String id) {
      LongAdder counted = new LongAdder();
      Properties settings = settings(arena, "bare-" + id);
      settings.put(StreamsConfig.consumerPrefix("auto.offset.reset"), "earliest");
      return new Prepared(
          BareTopology.of(workload.topic(), storage, route, counted), settings, counted::sum);
    }
  }

  private static Properties settings(Arena arena, String applicationId) {
    Properties settings =
        StreamsSettings.of(
            applicationId,
            new Instance(arena.settings(), arena.folder().resolve(applicationId), 1, 0));
    settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, arena.threads());
    return settings;
  }
}
