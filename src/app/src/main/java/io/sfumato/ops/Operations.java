// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.sfumato.ops.http.Content;
import io.sfumato.ops.http.Content.Answer;
import io.sfumato.ops.http.HttpSettings;
import io.sfumato.ops.http.HttpSettings.KafkaMetrics;
import io.sfumato.ops.http.OpsServer;
import io.sfumato.ops.http.Site;
import io.sfumato.release.Plan;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.PipelineRun;
import io.sfumato.runtime.RefusedException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Everything that operators look at in a process with one pipeline, from start to end. */
public final class Operations implements AutoCloseable {
  static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

  private final WatchedPipeline pipeline;
  private final JvmMetrics jvm;
  private final Optional<OpsServer> server;
  private final OpsTimer timer;

  private Operations(WatchedPipeline pipeline, KafkaMetrics wanted, Optional<HttpSettings> http)
      throws RefusedException {
    this.pipeline = pipeline;
    this.jvm = new JvmMetrics(wanted);
    try {
      server =
          http.isEmpty()
              ? Optional.empty()
              : Optional.of(OpsServer.start(http.get(), Site.of(contents(), pipeline.events())));
    } catch (RefusedException e) {
      jvm.close();
      pipeline.close();
      throw e;
    }
    this.timer = new OpsTimer(pipeline::tick);
  }

  /**
   * Opens the port; the pipeline may start later, or never.
   *
   * @param noiseKeyTag fingerprint of the noise key
   * @throws RefusedException if the port cannot be had
   */
  public static Operations open(
      Plan plan,
      RunningCounts counts,
      String noiseKeyTag,
      KafkaSettings settings,
      HttpSettings http)
      throws RefusedException {
    return new Operations(
        new WatchedPipeline(plan, counts, noiseKeyTag, settings, http.metrics()),
        http.metrics(),
        Optional.of(http));
  }

  /**
   * Opens no port: only the export by OTLP looks at the pipeline.
   *
   * @param noiseKeyTag fingerprint of the noise key
   * @param wanted which of Kafka's metrics are exported
   */
  public static Operations withoutPort(
      Plan plan,
      RunningCounts counts,
      String noiseKeyTag,
      KafkaSettings settings,
      KafkaMetrics wanted)
      throws RefusedException {
    return new Operations(
        new WatchedPipeline(plan, counts, noiseKeyTag, settings, wanted), wanted, Optional.empty());
  }

  /** What {@code /metrics} shows, for the export by OTLP. */
  public List<MetricSnapshots> snapshots() {
    return List.of(pipeline.snapshots(), jvm.snapshots());
  }

  /** What is looked at from now on, on a budget that did not begin with an import. */
  public void watch(PipelineRun started) {
    pipeline.watch(started);
  }

  /**
   * What is looked at from now on.
   *
   * @param sealedAt where the ledger was sealed that the budget began with, milliseconds since
   *     1970; nothing where none was imported
   */
  public void watch(PipelineRun started, OptionalLong sealedAt) {
    pipeline.watch(started, sealedAt);
  }

  /** The port that was bound. */
  public int port() {
    return server.orElseThrow().port();
  }

  /** The port that was bound for probes alone. */
  public int probePort() {
    return server.orElseThrow().probePort();
  }

  private Map<String, Content> contents() {
    Map<String, Content> contents = new TreeMap<>();
    pipeline.contents().forEach((name, content) -> contents.put("/" + name, content));
    Remembered metrics =
        new Remembered(() -> MergedMetrics.of(List.of(pipeline.scrape(), jvm.scrape())));
    contents.put("/metrics", new Content(METRICS, false, () -> new Answer(200, metrics.get())));
    return contents;
  }

  @Override
  public void close() {
    timer.close();
    pipeline.events().close();
    server.ifPresent(OpsServer::close);
    pipeline.close();
    jvm.close();
  }
}
