// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.client.EventPublisher;
import io.sfumato.pipeline.Amount;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFile;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.SignedTick;
import io.sfumato.serde.TickHeader;
import io.sfumato.topology.Names;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
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
            + " before its time close, and records of these windows are late from then on. Ticks are"
            + " signed: by the noise secret, by a tick key, or by the secret of an embedded cluster.",
    footer = {
      "",
      "Examples:",
      "  sfumato tick topology/diary.yaml",
      "      signed by .sfumato/noise.key of 'sfumato run --embedded'",
      "  sfumato tick topology/diary.yaml --at 1992-01-01T00:00:00Z --secret-file noise.key",
      "  sfumato tick topology/diary.yaml --tick-key tick.key --print --partitions 6",
      "      signed ticks for another client, as arguments of kcat: one line a partition"
    })
final class TickCommand implements Callable<Integer> {
  private static final int MOST_PARTITIONS = 100_000;

  @Mixin private ClusterOptions cluster;

  @Mixin private JsonOrText output;

  @Parameters(paramLabel = "FILE", description = "Pipeline file.")
  private Path file;

  @Option(names = "--at", paramLabel = "TIME", description = "Event time; by default now.")
  private Optional<Instant> at = Optional.empty();

  @Mixin private TickOptions signing;

  @Option(
      names = "--print",
      description =
          "Send nothing: write each partition's signed tick, as arguments of kcat, to be sent by"
              + " another client.")
  private boolean print;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      description = "With --print: of the records' topic; by default the cluster is asked.")
  private Optional<Integer> partitions = Optional.empty();

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    Pipeline pipeline = PipelineFile.read(file);
    Instant time = at.orElseGet(Instant::now).truncatedTo(ChronoUnit.MILLIS);
    if (print) {
      print(pipeline, time);
      return 0;
    }
    if (partitions.isPresent()) {
      throw output.bad("--partitions: only with --print; otherwise the cluster knows");
    }
    Duration maxAhead = pipeline.window().maxAhead();
    if (time.isAfter(Instant.now().plus(maxAhead))) {
      throw new RefusedException(
          ExitCode.USAGE,
          "--at lies further than window.max-ahead, %s, beyond now: the pipeline would refuse the tick"
              .formatted(maxAhead));
    }
    KafkaSettings settings = cluster.reach(pipeline.kafka(), signing.folder());
    Optional<TickSigner> signer = signing.find(pipeline, settings);
    TickHeader header =
        signer.map(found -> TickHeader.signedBy(found.key())).orElseGet(TickHeader::unsigned);
    try (EventPublisher publisher = new EventPublisher(settings)) {
      int partitions = publisher.tick(pipeline.input().topic(), time.toEpochMilli(), header);
      String topic = pipeline.input().topic();
      ObjectNode node =
          JsonOrText.object()
              .put("topic", topic)
              .put("partitions", partitions)
              .put("time", time.toString());
      signer.ifPresent(found -> found.writeInto(node));
      output.print(
          node,
          "ticked %s of %s to %s, %s"
              .formatted(
                  Amount.of(partitions, "partition"),
                  topic,
                  time,
                  signer.map(TickSigner::words).orElse("unsigned")));
    }
    return 0;
  }

  private void print(Pipeline pipeline, Instant time) throws RefusedException {
    String topic = pipeline.input().topic();
    TickSigner signer;
    int count;
    if (partitions.isPresent()) {
      if (partitions.get() < 1 || partitions.get() > MOST_PARTITIONS) {
        throw output.bad("--partitions is 1 to " + MOST_PARTITIONS);
      }
      signer = signing.requireKey(pipeline);
      count = partitions.get();
    } else {
      KafkaSettings settings = cluster.reach(pipeline.kafka(), signing.folder());
      signer = signing.requireKey(pipeline, settings);
      try (Cluster admin = new Cluster(settings)) {
        count = admin.partitions(topic);
      }
    }
    ObjectNode node = JsonOrText.object().put("topic", topic).put("time", time.toString());
    signer.writeInto(node);
    System.err.println(signer.words());
    ArrayNode list = node.putArray("ticks");
    List<String> lines = new ArrayList<>();
    for (int partition = 0; partition < count; partition++) {
      String header = SignedTick.by(signer.key(), partition, time.toEpochMilli()).text();
      list.addObject()
          .put("partition", partition)
          .put("header", Names.TICK_HEADER)
          .put("value", header);
      lines.add("-p %d -H %s=%s".formatted(partition, Names.TICK_HEADER, header));
    }
    output.print(node, String.join(System.lineSeparator(), lines));
  }
}
