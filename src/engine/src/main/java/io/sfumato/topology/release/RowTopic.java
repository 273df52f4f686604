// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.release;

import io.sfumato.pipeline.OutputFormat;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.Releases;
import io.sfumato.release.RowFields;
import io.sfumato.rows.PublishedRow;
import io.sfumato.rows.Reading;
import io.sfumato.serde.RowEncoder;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Publishes the rows of outputs beside these and in the same transaction. Rows follow from the
 * output's record alone: nothing is drawn, nothing is charged.
 */
final class RowTopic {
  private final Pipeline pipeline;
  private final ProcessorContext<String, byte[]> context;
  private final RowEncoder encoder;

  private RowTopic(
      Pipeline pipeline, RowEncoder encoder, ProcessorContext<String, byte[]> context) {
    this.pipeline = pipeline;
    this.encoder = encoder;
    this.context = context;
  }

  /** That of a pipeline, if its file asks for one. */
  static Optional<RowTopic> of(
      Pipeline pipeline, Deployment deployment, ProcessorContext<String, byte[]> context) {
    if (pipeline.rows() == Pipeline.Rows.NONE) {
      return Optional.empty();
    }
    List<String> fields = RowFields.of(pipeline);
    RowEncoder encoder =
        pipeline.format() == OutputFormat.REGISTERED
            ? RowEncoder.avro(fields, deployment.schemas())
            : RowEncoder.json(fields);
    return Optional.of(new RowTopic(pipeline, encoder, context));
  }

  /** Publishes the rows of an output with its Kafka timestamp. */
  void publish(SpecificRecord output, long timestamp) {
    OutputView view = Releases.viewOf(output).orElseThrow();
    for (PublishedRow row :
        PublishedRow.of(view.rows(output, Optional.empty()), Instant.ofEpochMilli(timestamp))) {
      // Which record of a long list a row came in is nothing that a table needs.
      if (!row.row().measure().name().equals(Reading.PART)) {
        context.forward(
            new Record<>(
                // The node writes each character as a byte: keys of Avro are no text.
                new String(encoder.key(row), StandardCharsets.ISO_8859_1),
                encoder.value(row),
                timestamp,
                Names.headers(pipeline)),
            Names.ROWS);
      }
    }
  }
}
