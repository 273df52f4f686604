// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.gate.NoiseKey;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.ledger.Continuity;
import io.sfumato.ledger.OffsetsOfState;
import io.sfumato.ledger.OrdersLog;
import io.sfumato.ledger.PatternTopics;
import io.sfumato.ledger.SourceIds;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.Plurals;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RecordRanges;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.context.RecordSpan;
import io.sfumato.topology.context.SourceTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "skip-record",
    mixinStandardHelpOptions = true,
    description = {
      "Excludes records that were not read yet, such as one that stops the pipeline "
          + "(window.max-jump).",
      "Also for a record that must not move the watermark. Stop all instances first. Each "
          + "excluded record becomes a dead letter SKIPPED, and the journal keeps its place."
    },
    footer = {
      "",
      "Examples:",
      "  sfumato skip-record pipeline.yaml events-3@18211 --secret-file noise.key",
      "      the place is in the message with which the pipeline stopped",
      "  sfumato skip-record pipeline.yaml events-3@18211 events-3@18300..19207 --secret-file"
          + " noise.key",
      "      all at once, or none; at most 10,000 records"
    })
final class SkipRecordCommand extends PipelineCommand.OnCluster {
  private static final Pattern PLACE =
      Pattern.compile("(.+)-([0-9]{1,9})@([0-9]{1,18})(?:\\.\\.([0-9]{1,18}))?");

  /** More is no slip, and no handful of forged records. */
  private static final int MOST = 10_000;

  /** By then the cluster has noticed that an instance which stopped is gone. */
  private static final Duration LEAVING = Duration.ofSeconds(30);

  /** Longer than a transaction of an instance is open, and the brokers' next look, 10 s. */
  private static final Duration SETTLING = Duration.ofSeconds(30);

  @Mixin private LocalSecretOptions secrets;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "TOPIC-PARTITION@OFFSET[..OFFSET]",
      description = "Places in a records' topic, the last offset included.")
  private List<String> places;

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    Pipeline inFile = pipeline();
    List<Named> named = named(inFile);
    KafkaSettings settings = cluster.reach(inFile.kafka(), secrets.data);
    Pipeline pipeline = PatternTopics.resolve(inFile, settings);
    NoiseKey key =
        secrets
            .find(settings)
            .map(NoiseSecret::derive)
            .orElseThrow(
                () ->
                    new RefusedException(
                        ExitCode.REFUSED_FILE,
                        "skip-record needs the noise secret: give it with --secret-file FILE, "
                            + "SFUMATO_NOISE_SECRET, or --data DIR of an embedded cluster"));
    OrdersLog.Standing standing;
    List<RecordSpan> spans;
    try (Cluster admin = new Cluster(settings)) {
      SourceTopics sources =
          SourceIds.known(pipeline, settings, admin, admin.topics().sources(pipeline));
      requireThere(named, admin, sources);
      spans = named.stream().map(place -> place.span(sources)).toList();
      requireNotSealed(pipeline, settings, admin, key);
      OrdersLog skipped = new OrdersLog(pipeline, settings, key);
      standing = skipped.standing(pipeline, admin);
      awaitStopped(pipeline, admin);
      Optional<String> read = firstRead(pipeline, settings, named, admin);
      if (read.isPresent()) {
        throw new RefusedException(
            ExitCode.STOPPED,
            read.get() + ", and its effect cannot be undone; nothing was " + "changed");
      }
      requireRecords(settings, named);
      skipped.add(spans, admin, sources);
      requireInTime(pipeline, settings, named, admin);
    }
    output.print(json(pipeline, key, standing, spans), text(pipeline, key.tag(), standing));
    return 0;
  }

  private ObjectNode json(
      Pipeline pipeline, NoiseKey key, OrdersLog.Standing standing, List<RecordSpan> spans) {
    ObjectNode result = JsonOrText.object();
    places.forEach(result.putArray("places")::add);
    return result
        .put("offsets", spans.stream().mapToLong(RecordSpan::length).sum())
        .put("dead_letters_topic", pipeline.deadLettersTopic())
        .put("noise_key", key.tag())
        .put("other_noise_keys", String.join(",", standing.others()));
  }

  private String text(Pipeline pipeline, String tag, OrdersLog.Standing standing) {
    String what = String.join(" ", places);
    if (!standing.others().isEmpty()) {
      return ("%s will not count for the version with the noise key that you gave (%s). The "
              + "running or announced version has another key (%s) and will count it: run the "
              + "command again with that secret")
          .formatted(what, tag, String.join(", ", standing.others()));
    }
    String done =
        "%s will not count; start the pipeline, and see SKIPPED in %s"
            .formatted(what, pipeline.deadLettersTopic());
    return standing.hasBegun()
        ? done
        : "%s%nBudget '%s' has not started yet: this applies only if it starts with the noise key that you gave (%s)"
            .formatted(done, pipeline.budget().name(), tag);
  }

  /**
   * Records as they are named.
   *
   * @param first offset
   * @param last offset, no less than the first
   */
  private record Named(TopicPartition partition, long first, long last) {
    RecordSpan span(SourceTopics sources) {
      return new RecordSpan(sources.number(partition), first, last);
    }

    String text() {
      return new RecordSpan(partition.partition(), first, last).text(partition);
    }
  }

  private List<Named> named(Pipeline pipeline) {
    List<Named> spans = new ArrayList<>();
    long records = 0;
    for (String place : places) {
      Matcher matcher = PLACE.matcher(place);
      if (!matcher.matches() || !pipeline.input().topics().include(matcher.group(1))) {
        throw output.bad(
            "'%s' is not a position in the records' topic such as %2$s-0@42 or %2$s-0@42..57"
                .formatted(
                    place, pipeline.input().topics().names().stream().findFirst().orElse("TOPIC")));
      }
      long first = Long.parseLong(matcher.group(3));
      long last = matcher.group(4) == null ? first : Long.parseLong(matcher.group(4));
      if (last < first) {
        throw output.bad("'%s' ends before it begins".formatted(place));
      }
      spans.add(
          new Named(
              new TopicPartition(matcher.group(1), Integer.parseInt(matcher.group(2))),
              first,
              last));
      records += last - first + 1;
      if (records > MOST) {
        throw output.bad("at most %s per command".formatted(Plurals.of(MOST, "record")));
      }
    }
    return spans;
  }

  private static void requireThere(List<Named> spans, Cluster admin, SourceTopics sources)
      throws RefusedException {
    for (Named span : spans) {
      TopicPartition partition = span.partition();
      if (!sources.contains(partition)
          || span.last() >= admin.offsets().ends(List.of(partition)).get(partition)) {
        throw noRecord(span, "");
      }
    }
  }

  private static RefusedException noRecord(Named span, String why) {
    return new RefusedException(
        ExitCode.USAGE,
        "there is no record at %s%s; nothing was changed".formatted(span.text(), why));
  }

  /** Who means a record and names another place is told so. */
  private static void requireRecords(KafkaSettings settings, List<Named> spans)
      throws RefusedException {
    RecordRanges ranges = new RecordRanges(settings);
    for (Named span : spans) {
      RecordRanges.Range range = new RecordRanges.Range(span.first(), span.last() + 1);
      if (!ranges.withoutRecords(Map.of(span.partition(), range)).isEmpty()) {
        throw noRecord(
            span, " (it was deleted or aborted, or the offset holds a transaction " + "marker)");
      }
    }
  }

  private static void requireNotSealed(
      Pipeline pipeline, KafkaSettings settings, Cluster admin, NoiseKey key)
      throws RefusedException {
    String budget = pipeline.budget().name();
    if (Continuity.isEnded(budget, settings, admin, Optional.of(key))) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "the ledger of budget '%s' is sealed: run skip-record with the file of the budget that imported it; nothing was changed"
              .formatted(budget));
    }
  }

  /** What a task reads when it begins holds for as long as it works. */
  private void awaitStopped(Pipeline pipeline, Cluster admin) throws RefusedException {
    boolean stopped =
        admin
            .groups()
            .awaitStopped(
                pipeline.applicationId(),
                LEAVING,
                () -> output.aside().println("waiting for the pipeline's instances to stop ..."));
    if (!stopped) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "instances of the pipeline are running: stop them all, then run the command again; "
              + "nothing was changed");
    }
  }

  /** The first of the places that was read already. */
  private static Optional<String> firstRead(
      Pipeline pipeline, KafkaSettings settings, List<Named> spans, Cluster admin)
      throws RefusedException {
    Map<TopicPartition, Long> read = new OffsetsOfState(pipeline, settings).next(admin, SETTLING);
    for (Named span : spans) {
      long next = read.getOrDefault(span.partition(), 0L);
      if (span.first() < next) {
        return Optional.of(
            "%s was read already (everything before offset %d was)".formatted(span.text(), next));
      }
    }
    return Optional.empty();
  }

  /**
   * An instance that joins from now on knows what was said. One that joined before, and left, has
   * committed what it read.
   */
  private static void requireInTime(
      Pipeline pipeline, KafkaSettings settings, List<Named> spans, Cluster admin)
      throws RefusedException {
    boolean joined = admin.groups().hasMembers(pipeline.applicationId());
    Optional<String> read = firstRead(pipeline, settings, spans, admin);
    if (joined || read.isPresent()) {
      throw new RefusedException(
          ExitCode.FAILED,
          "the skip was recorded, but an instance started meanwhile%s, so the records may have counted. Those that did not count are SKIPPED in %s; for the others, stop all instances and run the command again"
              .formatted(
                  read.map(found -> " (" + found + ")").orElse(""), pipeline.deadLettersTopic()));
    }
  }
}
