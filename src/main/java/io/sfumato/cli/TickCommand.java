// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.client.EventPublisher;
import io.sfumato.pipeline.Amount;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFile;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "tick",
    mixinStandardHelpOptions = true,
    description =
        "Writes a tick into every partition of a pipeline's records: windows that end, with grace,"
            + " before its time close, and records of these windows are late from then on.",
    footer = {
      "",
      "Examples:",
      "  sfumato tick topology/diary.yaml",
      "  sfumato tick topology/diary.yaml --at 1992-01-01T00:00:00Z"
    })
final class TickCommand implements Callable<Integer> {
  @Mixin private ClusterOptions cluster;

  @Mixin private JsonOrText output;

  @Parameters(paramLabel = "FILE", description = "Pipeline file.")
  private Path file;

  @Option(names = "--at", paramLabel = "TIME", description = "Event time; by default now.")
  private Optional<Instant> at = Optional.empty();

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    Pipeline pipeline = PipelineFile.read(file);
    Instant time = at.orElseGet(Instant::now);
    try (EventPublisher publisher = new EventPublisher(cluster.settings(pipeline.kafka()))) {
      int partitions = publisher.tick(pipeline.input().topic(), time.toEpochMilli());
      String topic = pipeline.input().topic();
      output.print(
          JsonOrText.object()
              .put("topic", topic)
              .put("partitions", partitions)
              .put("time", time.toString()),
          "ticked %s of %s to %s".formatted(Amount.of(partitions, "partition"), topic, time));
    }
    return 0;
  }
}
