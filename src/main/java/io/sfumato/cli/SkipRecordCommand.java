// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.ledger.OffsetsOfState;
import io.sfumato.ledger.SkippedRecords;
import io.sfumato.noise.NoiseSecret;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFile;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.RecordPlace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "skip-record",
    mixinStandardHelpOptions = true,
    description =
        "Lets a record that was not read yet not count: one that stops the pipeline (window.max-jump),"
            + " or that must not move its clock. Stop all instances first. It becomes a dead letter"
            + " SKIPPED with its place, and stands in the journal.",
    footer = {
      "",
      "Example: sfumato skip-record pipeline.yaml events-3@18211 --secret-file noise.key",
      "  (the place is in the message with which the pipeline stopped)"
    })
final class SkipRecordCommand implements Callable<Integer> {
  private static final Pattern PLACE = Pattern.compile("(.+)-([0-9]{1,9})@([0-9]{1,18})");

  /** By then the cluster has noticed that an instance which stopped is gone. */
  private static final Duration LEAVING = Duration.ofSeconds(30);

  private static final Duration RETRY = Duration.ofMillis(500);

  @Mixin private ClusterOptions cluster;

  @Mixin private LocalSecretOptions secrets;

  @Mixin private JsonOrText output;

  @Parameters(index = "0", paramLabel = "FILE", description = "Pipeline file.")
  private Path file;

  @Parameters(
      index = "1",
      paramLabel = "TOPIC-PARTITION@OFFSET",
      description = "Place of the record in the records' topic.")
  private String place;

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    Pipeline pipeline = PipelineFile.read(file);
    TopicPartition partition = partition(pipeline);
    RecordPlace record = new RecordPlace(partition.partition(), offset());
    KafkaSettings settings = cluster.settings(pipeline.kafka());
    NoiseSecret secret =
        secrets
            .find(settings)
            .orElseThrow(
                () ->
                    new RefusedException(
                        ExitCode.REFUSED_FILE,
                        "only who has the noise secret may say so: give it with --secret-file FILE,"
                            + " SFUMATO_NOISE_SECRET, or --data DIR of an embedded cluster"));
    Set<String> others;
    try (Cluster admin = new Cluster(settings)) {
      Cluster.Source source = admin.source(partition.topic());
      requireThere(pipeline, partition, record, admin);
      awaitStopped(pipeline, admin);
      requireUnread(pipeline, settings, partition, record, admin);
      SkippedRecords skipped = new SkippedRecords(pipeline, settings, secret.derive());
      others = skipped.otherKeys(admin);
      skipped.add(record, admin, source);
      if (admin.hasMembers(pipeline.applicationId())) {
        throw new RefusedException(
            ExitCode.FAILED,
            "an instance was started meanwhile, and may not know of it: stop it and start it again");
      }
    }
    output.print(
        JsonOrText.object()
            .put("place", place)
            .put("dead_letters_topic", pipeline.deadLettersTopic())
            .put("other_noise_keys", String.join(",", others)),
        text(pipeline, others));
    return 0;
  }

  private String text(Pipeline pipeline, Set<String> others) {
    String done =
        "%s will not count; start the pipeline, and see SKIPPED in %s"
            .formatted(place, pipeline.deadLettersTopic());
    return others.isEmpty()
        ? done
        : "%s%nThis holds for the noise key that you gave. A version that runs, or is announced, has another (%s): say it with that secret, too"
            .formatted(done, String.join(", ", others));
  }

  private TopicPartition partition(Pipeline pipeline) {
    Matcher matcher = PLACE.matcher(place);
    if (!matcher.matches() || !matcher.group(1).equals(pipeline.input().topic())) {
      throw output.bad(
          "'%s' is no place in the records' topic, such as %s-0@42"
              .formatted(place, pipeline.input().topic()));
    }
    return new TopicPartition(matcher.group(1), Integer.parseInt(matcher.group(2)));
  }

  private long offset() {
    return Long.parseLong(place.substring(place.lastIndexOf('@') + 1));
  }

  private void requireThere(
      Pipeline pipeline, TopicPartition partition, RecordPlace record, Cluster admin)
      throws RefusedException {
    if (partition.partition() >= admin.partitions(partition.topic())
        || record.offset() >= admin.offsets(pipeline).ends(List.of(partition)).get(partition)) {
      throw new RefusedException(
          ExitCode.USAGE, "there is no record at %s; nothing was changed".formatted(place));
    }
  }

  /** What a start reads holds for the whole run, and all instances must have read the same. */
  private void awaitStopped(Pipeline pipeline, Cluster admin) throws RefusedException {
    long deadline = System.nanoTime() + LEAVING.toNanos();
    boolean told = false;
    while (admin.hasMembers(pipeline.applicationId())) {
      if (System.nanoTime() > deadline) {
        throw new RefusedException(
            ExitCode.STOPPED,
            "instances of the pipeline run: stop them all, then say it again; nothing was changed");
      }
      if (!told) {
        told = true;
        output.aside().println("waiting for the pipeline's instances to be gone ...");
      }
      Cluster.pause(RETRY);
    }
  }

  private void requireUnread(
      Pipeline pipeline,
      KafkaSettings settings,
      TopicPartition partition,
      RecordPlace record,
      Cluster admin)
      throws RefusedException {
    long next = new OffsetsOfState(pipeline, settings).nextOf(partition, admin);
    if (record.offset() < next) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "%s was read already, as everything before offset %d: what it did stays done"
              .formatted(place, next));
    }
  }
}
