// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.release.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.SchemaSource;
import io.sfumato.topology.PipelineTopology;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.SourceTopics;
import java.util.Properties;
import java.util.function.BiFunction;
import org.apache.kafka.streams.StreamsConfig;

/**
 * The pipeline as {@code run} runs it.
 *
 * @param guarantee of Kafka Streams; {@code run} refuses any but exactly once
 * @param plan of a name and a topic
 */
record PipelineAlternative(String name, String guarantee, BiFunction<String, String, Plan> plan)
    implements Alternative {
  private static final int HORIZON = 20;

  /** One histogram a user and window. */
  static PipelineAlternative exactlyOnce() {
    return new PipelineAlternative(
        "pipeline", StreamsConfig.EXACTLY_ONCE_V2, PipelineAlternative::histogram);
  }

  /** For comparison only: what the guarantee costs. */
  static PipelineAlternative atLeastOnce() {
    return new PipelineAlternative(
        "pipeline, at least once", StreamsConfig.AT_LEAST_ONCE, PipelineAlternative::histogram);
  }

  private static Plan histogram(String name, String topic) {
    return BenchPipeline.histogram(name, topic, Workload.WINDOW_MILLIS, HORIZON);
  }

  @Override
  public Prepared prepare(Arena arena, String topic, String id) throws RefusedException {
    return prepare(arena, plan.apply(id, topic), guarantee, new PipelineCounts());
  }

  /** A plan whose records name their schemas, ready to start. */
  static Prepared prepare(Arena arena, Plan planned, SchemaSource schemas) throws RefusedException {
    return prepare(arena, planned, StreamsConfig.EXACTLY_ONCE_V2, new PipelineCounts(), schemas);
  }

  /** A plan that is ready to start, and what counts its work. */
  static Prepared prepare(Arena arena, Plan planned, String guarantee, PipelineCounts tally)
      throws RefusedException {
    return prepare(arena, planned, guarantee, tally, SchemaSource.none());
  }

  private static Prepared prepare(
      Arena arena, Plan planned, String guarantee, PipelineCounts tally, SchemaSource schemas)
      throws RefusedException {
    SourceTopics source;
    try (Cluster cluster = new Cluster(arena.settings())) {
      source = cluster.pipelineTopics().prepare(planned, Cluster.Safety.WAIVED);
      cluster.offsets(planned.pipeline()).establish();
    }
    Deployment deployment =
        Deployment.of(source, NoiseSecret.random().derive(), tally).with(schemas);
    Properties settings = arena.streams(planned.pipeline().applicationId());
    settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, guarantee);
    return new Prepared(
        PipelineTopology.build(planned, deployment),
        settings,
        tally.observed::sum,
        tally.released::sum);
  }
}
