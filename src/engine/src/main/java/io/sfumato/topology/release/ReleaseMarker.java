// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.release;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.schema.ReleasedThrough;
import io.sfumato.serde.OutputEncoder;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.version.MetaStore;
import java.time.Instant;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Says publicly through which window end a journal partition has released everything: no output
 * tells that a window is complete. The marker follows the last output of its window in the
 * journal's order, so whoever reads committed records and sees a marker can read all outputs before
 * it. The newest marker of a partition counts; where several windows close at once, one marker may
 * stand for them.
 *
 * <p>Candidates that wait for a window are answered before its marker. A late one, which asks a
 * closed window, is answered after it: so markers say nothing of answers.
 */
public final class ReleaseMarker {
  private final Pipeline pipeline;
  private final int partition;
  private final int partitions;
  private final OutputEncoder encoder;
  private final MetaStore meta;
  private final ProcessorContext<String, byte[]> context;

  /** What was said last. */
  private long said;

  /**
   * @param partition of the journal
   */
  public ReleaseMarker(
      Pipeline pipeline,
      Deployment deployment,
      int partition,
      MetaStore meta,
      ProcessorContext<String, byte[]> context) {
    this.pipeline = pipeline;
    this.partition = partition;
    this.partitions = deployment.journalPartitions();
    this.encoder = OutputEncoder.of(pipeline.format(), deployment.schemas());
    this.meta = meta;
    this.context = context;
    this.said = meta.releasedThrough().orElse(Long.MIN_VALUE);
  }

  /**
   * Says it, if it is news.
   *
   * @param end window end through which everything is released
   * @param timestamp Kafka timestamp of the releases of windows that end then
   */
  public void releasedThrough(long end, long timestamp) {
    if (end <= said) {
      return;
    }
    said = end;
    meta.putReleasedThrough(end);
    ReleasedThrough marker =
        ReleasedThrough.newBuilder()
            .setPipeline(pipeline.name())
            .setPartition(partition)
            .setPartitions(partitions)
            .setReleasedThrough(Instant.ofEpochMilli(end))
            .setPipelineVersion(pipeline.version())
            .build();
    context.forward(
        new Record<>(
            Integer.toString(partition),
            encoder.encode(marker),
            timestamp,
            Names.headers(pipeline)),
        Names.RELEASED);
  }
}
