// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.client.PublishedFormat;
import io.sfumato.gate.NoiseKey;
import io.sfumato.ledger.Continuity;
import io.sfumato.ledger.PatternTopics;
import io.sfumato.ledger.RegistryHandover;
import io.sfumato.pipeline.OutputFormat;
import io.sfumato.pipeline.OutputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.release.BeginsAnew;
import io.sfumato.release.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.Secrets;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.ControlEntry;
import io.sfumato.topology.PendingVersion;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "activate",
    mixinStandardHelpOptions = true,
    description = {
      "Announces a new version of a pipeline file, or a new noise key, to the running "
          + "pipeline.",
      "The old version releases every window before the given time. Then stop it and "
          + "start the new one. The ledger continues."
    },
    footer = {
      "",
      "Examples:",
      "  sfumato activate pipeline-v2.yaml --secret-file noise.key",
      "      from the next window after what is released on",
      "  sfumato activate pipeline-v2.yaml --secret-file new.key --former-secret-file noise.key",
      "      key rotation: the new version draws with the new key; destroy the old one when the",
      "      new version runs"
    })
final class ActivateCommand implements Callable<Integer> {
  @Mixin private ClusterOptions cluster;

  @Mixin private JsonOrText output;

  @Parameters(paramLabel = "FILE", description = "Pipeline file of the new version.")
  private Path file;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "Event time from which the new version holds. Its first window is the next one "
              + "that starts then or later. Closed windows stay with the old version. In a "
              + "pipeline of users, no partition may have closed it. "
              + GivenTime.DAY
              + " By default the end of the last released window.")
  private Optional<GivenTime> from = Optional.empty();

  @Mixin private LocalSecretOptions secrets;

  @Option(
      names = "--former-secret-file",
      paramLabel = "FILE",
      description =
          "With a new noise secret: the file of the running one. It hands over what it "
              + "signed in the budget's registry.")
  private Optional<Path> formerSecret = Optional.empty();

  @Option(
      names = "--change-format",
      description =
          "Allow outputs in another format than those that were published last: topics then hold"
              + " both, and every reader needs to know both.")
  private boolean mayChangeFormat;

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    Plan plan = PipelineCommand.planOf(file);
    Pipeline read = plan.pipeline();
    if (read.discoversAmongUsers()) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          file
              + ": a pipeline of users that discovers names or subjects cannot hand over to a new "
              + "version, because thresholds of former and of new tests would add up. Carry the "
              + "ledger over (docs/guides/change-a-pipeline.md): write a file NEW whose "
              + "budget and topics have new names, then run 'sfumato ledger export OLD --for "
              + "NEW --to LEDGER' and 'sfumato ledger import NEW --from LEDGER'"
              + BeginsAnew.of(read).map(line -> ". Beware: " + line).orElse(""));
    }
    KafkaSettings settings = cluster.settings(read.kafka(), secrets.data);
    NoiseKey key = secrets.require(settings).derive();
    ClusterOptions.requireAnswer(settings);
    Instant time;
    Optional<NoiseKey> former = former();
    Continuity.Before before;
    Pipeline pipeline;
    try (Cluster admin = new Cluster(settings)) {
      PatternTopics topics = new PatternTopics(read, settings, admin, Optional.of(key));
      pipeline = topics.resolveAnew();
      plan = new Plan(pipeline, plan.releases());
      time = from.isPresent() ? from.get().in(pipeline.window()) : firstOpen(plan, settings, admin);
      before =
          Continuity.requireSuccessor(
              plan,
              settings,
              admin,
              admin.topics().sources(pipeline),
              key.tag(),
              time.toEpochMilli());
      if (!mayChangeFormat) {
        requireSameFormat(pipeline, settings, admin);
      }
      // Before it is announced: a version that may take over finds what holds for the budget.
      new RegistryHandover(pipeline, settings, admin, key).handOver(former);
      topics.announce(pipeline);
    }
    ControlEntry entry = entry(pipeline, time, key, before.digest());
    ControlCommands.send(settings, pipeline, List.of(entry));
    output.print(
        JsonOrText.object()
            .put("version", pipeline.version())
            .put("from", time.toString())
            .put("first_window", Instant.ofEpochMilli(before.first()).toString())
            .put("noise_key", key.tag())
            .put("running_version", before.running())
            .put("joining", String.join(",", new TreeSet<>(before.joining())))
            .put("begin_anew", String.join(",", before.anew()))
            .put("replaces", before.announced().map(ActivateCommand::words).orElse(null)),
        text(pipeline, time, key, before));
    return 0;
  }

  /** Files without a format wrote Avro once, so a new version may change it by saying nothing. */
  private void requireSameFormat(Pipeline next, KafkaSettings settings, Cluster cluster)
      throws RefusedException {
    Set<String> visible = cluster.topics().visible();
    Optional<PublishedFormat> published =
        PublishedFormat.newest(
            settings,
            next.outputs().stream().map(OutputSpec::topic).filter(visible::contains).toList());
    if (published.isPresent() && published.get().format() != next.format()) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "%s: outputs in topic '%s' are %s, and by the file they would be %s. Write '%s' in the file, or give --change-format if all readers know both"
              .formatted(
                  file,
                  published.get().topic(),
                  said(published.get().format()),
                  said(next.format()),
                  line(published.get().format())));
    }
  }

  private static String said(OutputFormat format) {
    return switch (format) {
      case AVRO -> "Avro";
      case REGISTERED -> "Avro of a schema registry";
      case JSON -> "JSON";
    };
  }

  private static String line(OutputFormat format) {
    return switch (format) {
      case AVRO -> "format: avro";
      case REGISTERED -> "schemas: registry";
      case JSON -> "format: json";
    };
  }

  private static ControlEntry entry(Pipeline pipeline, Instant time, NoiseKey key, String digest) {
    return ControlEntry.newBuilder()
        .setCommand(ControlCommand.ACTIVATE)
        .setBudget(pipeline.budget().name())
        .setVersion(pipeline.version())
        .setFrom(time)
        .setDigest(digest)
        .setNoiseKey(key.tag())
        .build();
  }

  private Optional<NoiseKey> former() throws RefusedException {
    return formerSecret.isPresent()
        ? Optional.of(Secrets.require(formerSecret, Map.of()).derive())
        : Optional.empty();
  }

  private static Instant firstOpen(Plan plan, KafkaSettings settings, Cluster cluster)
      throws RefusedException {
    return Instant.ofEpochMilli(
        Continuity.firstOpen(plan, settings, cluster)
            .orElseThrow(
                () ->
                    new RefusedException(
                        ExitCode.USAGE,
                        "no window is released yet, so the new version has no default start: "
                            + "give --from TIME")));
  }

  private static String words(PendingVersion version) {
    return "version %d from %s on"
        .formatted(version.version(), Instant.ofEpochMilli(version.from()));
  }

  /** What a topic that joins means: its clock holds windows back like every other one. */
  private static String joins(Set<String> topics) {
    return topics.isEmpty()
        ? ""
        : "Topics that join with it: %s. Their records count from that window on.%n"
            .formatted(String.join(", ", new TreeSet<>(topics)));
  }

  /** Sums that another noise, or other contents, cannot continue. */
  private static String anew(List<String> outputs) {
    return outputs.isEmpty()
        ? ""
        : "Sums over windows that begin anew with it: %s.%n".formatted(String.join(", ", outputs));
  }

  private String text(Pipeline pipeline, Instant time, NoiseKey key, Continuity.Before before) {
    int version = pipeline.version();
    StringBuilder text = new StringBuilder();
    before
        .announced()
        .ifPresent(
            other ->
                text.append(
                    "this replaces the previous announcement: %s%n".formatted(words(other))));
    String first = Instant.ofEpochMilli(before.first()).toString();
    boolean closed = pipeline.window().firstStartFrom(time.toEpochMilli()) < before.first();
    text.append("version %d is announced, noise key %s. ".formatted(version, key.tag()))
        .append("Its first window starts %s".formatted(first))
        .append(
            first.equals(time.toString())
                ? ""
                : (closed
                        ? " (version %2$d has already released the windows from %1$s to then)"
                        : " (%1$s lies within a window that version %2$d releases)")
                    .formatted(time, before.running()))
        .append(
            pipeline.population().isPresent()
                ? ".%nIt is one window for all users. If ticks close it before every partition has read this,%nno partition hands over: run 'sfumato activate' again with a later --from.%n"
                    .formatted()
                : "%nor, if that window is closed when it takes over, with the first open one.%n"
                    .formatted())
        .append(joins(before.joining()))
        .append(anew(before.anew()))
        .append("Version %d releases the windows before it; ".formatted(before.running()))
        .append("when its log says that its partitions wait for version %d,%n".formatted(version))
        .append("stop it and run %s".formatted(file));
    if (formerSecret.isPresent()) {
      text.append(
              ".%nTick keys are derived from the noise secret: when version %d runs, tickers need a new tick key:%n"
                  .formatted(version))
          .append("  sfumato tick-key %s tick.key".formatted(file))
          .append(secrets.file.map(path -> " --secret-file " + path).orElse(""))
          .append(System.lineSeparator())
          .append(
              "Until then the old tick key is valid; from then on ticks signed with it are "
                  + "refused (OTHER_KEY_TICK)");
    }
    return text.toString();
  }
}
