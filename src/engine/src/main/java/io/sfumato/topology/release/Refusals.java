// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.release;

import io.sfumato.accounting.Period;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.schema.Refusal;
import io.sfumato.schema.RefusalCode;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.serde.OutputEncoder;
import io.sfumato.topology.budget.Charger;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.dataset.DatasetStore;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Publishes why something is not: always by public facts alone. */
public final class Refusals {
  private final Pipeline pipeline;
  private final PipelineMeters meters;
  private final ProcessorContext<String, byte[]> context;
  private final OutputEncoder encoder;

  /** Of outputs, which may be longer than those of the file. */
  private final Map<String, WindowSpec> windows;

  public Refusals(
      Pipeline pipeline, Deployment deployment, ProcessorContext<String, byte[]> context) {
    this.pipeline = pipeline;
    this.meters = deployment.meters();
    this.context = context;
    this.encoder = OutputEncoder.of(pipeline.format(), deployment.schemas());
    this.windows =
        pipeline.releases().stream()
            .collect(Collectors.toMap(ReleaseSpec::name, pipeline::windowOf));
  }

  /** Says that a closed window is not released: in a lifetime once, then never again. */
  public void spent(Charger charging, String output, DatasetStore.Key dataset, long timestamp) {
    RefusalCode code = spent();
    if (code == RefusalCode.EXHAUSTED) {
      charging.announced(dataset.subject(), dataset.windowStart());
    }
    refuse(output, dataset, code, timestamp);
  }

  /** Says that a closed window is not released. */
  public void refuse(String output, DatasetStore.Key dataset, RefusalCode code, long timestamp) {
    refuse(output, dataset.subject(), dataset.windowStart(), code, Optional.empty(), timestamp);
  }

  /** Says that a candidate is not answered. */
  public void refuse(Candidate candidate, RefusalCode code, long timestamp) {
    refuse(
        candidate.output(),
        candidate.subject(),
        candidate.windowStart(),
        code,
        Optional.of(candidate),
        timestamp);
  }

  private void refuse(
      String output,
      String subject,
      long windowStart,
      RefusalCode code,
      Optional<Candidate> candidate,
      long timestamp) {
    WindowSpec own = windows.getOrDefault(output, pipeline.window());
    long start = own.startOf(windowStart);
    Refusal refusal =
        Refusal.newBuilder()
            .setPipeline(pipeline.name())
            .setOutput(output)
            .setSubject(subject)
            .setWindowStart(Instant.ofEpochMilli(start))
            .setWindowEnd(Instant.ofEpochMilli(own.endOf(start)))
            .setCode(code)
            .setQueryId(candidate.map(Candidate::query).orElse(null))
            .setCandidate(candidate.map(Candidate::index).orElse(null))
            .setPipelineVersion(pipeline.version())
            .build();
    context.forward(
        new Record<>(subject, encoder.encode(refusal), timestamp, Names.headers(pipeline)),
        Names.REFUSALS);
    meters.refused(output, code.name());
  }

  /** Nothing of a subject's output will ever fit again in a lifetime; elsewhere in this period. */
  public RefusalCode spent() {
    return pipeline.budget().period() instanceof Period.Lifetime
        ? RefusalCode.EXHAUSTED
        : RefusalCode.PERIOD_SPENT;
  }
}
