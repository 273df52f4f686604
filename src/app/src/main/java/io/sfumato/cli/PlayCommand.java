// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.console.StatusLine;
import io.sfumato.demo.Player;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.Plurals;
import io.sfumato.pipeline.Selections;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.record.RecordPart;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.EmbeddedFolder;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "play",
    mixinStandardHelpOptions = true,
    description = {
      "Publishes events of made-up people to a pipeline's topic, to try a pipeline file "
          + "before there is data.",
      "It goes on until it is stopped. One event in 500 is invalid on purpose, for the "
          + "dead letters. Never use it on a topic with real people."
    },
    footer = {
      "",
      "Examples:",
      "  sfumato play topology/demo.yaml",
      "  sfumato play topology/searches.yaml",
      "  sfumato play topology/orders.yaml",
      "  sfumato play mine.yaml --people 1000 --rate 500 --seconds 120"
    })
final class PlayCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "Pipeline file, of JSON records.")
  private Path file;

  @Mixin private ClusterOptions cluster;

  @Mixin private FolderOptions nearby;

  @Mixin private JsonOrText output;

  @Option(
      names = "--people",
      paramLabel = "N",
      description =
          "How many; by default 12, or 2000 where many feed one subject, of whom each counts for"
              + " little.")
  private Optional<Integer> given = Optional.empty();

  @Option(names = "--rate", paramLabel = "RATE", description = "Events a second; by default 150.")
  private double rate = 150;

  @Option(
      names = "--seconds",
      paramLabel = "SECONDS",
      description = "Seconds to play; by default until it is stopped.")
  private Optional<Integer> seconds = Optional.empty();

  private static final int FEW = 12;
  private static final int MANY = 2_000;

  /** A pipeline beside it may take that long to have a broker. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final AtomicBoolean stopping = new AtomicBoolean();
  private final AtomicLong sent = new AtomicLong();

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    Pipeline pipeline = PipelineCommand.planOf(file).pipeline();
    InputSpec input = pipeline.input();
    int people = given.orElse(pipeline.population().isPresent() ? MANY : FEW);
    if (people < 1 || people > 1_000_000 || !(rate > 0) || rate > 1e6) {
      throw output.bad("--people is 1 to 1000000, --rate above 0 and at most 1000000");
    }
    requirePlayable(pipeline);
    String topic = input.topics().words();
    KafkaSettings settings =
        cluster.settings(
            pipeline.kafka(),
            new NearbyCluster(
                new EmbeddedFolder(nearby.folder.orElse(EmbeddedFolder.DEFAULT)),
                nearby.folder.isPresent(),
                PATIENCE,
                new StatusLine()::show,
                NearbyCluster.BY_FOLDER));
    try (Cluster admin = Cluster.await(settings, PATIENCE, output.aside()::println)) {
      for (String each : input.topics().names()) {
        admin.topics().createForRecords(each, 2);
      }
    }
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stopping.set(true), "shutdown"));
    long end =
        seconds
            .map(s -> System.nanoTime() + Duration.ofSeconds(s).toNanos())
            .orElse(Long.MAX_VALUE);
    output.aside().printf("playing %s to %s%n", Plurals.of(people, "person", "people"), topic);
    if (pipeline.window().clock() == WindowSpec.Clock.TICKS
        && pipeline.window().ticks() != WindowSpec.Ticks.HERE) {
      output
          .aside()
          .println(
              "note: only ticks close this pipeline's windows: write 'ticks: here' into the "
                  + "file, or start it with --auto-tick. Records more than window.ahead after the "
                  + "last tick (or window.begin) are dropped as EARLY");
    }
    new Player(settings, pipeline, people)
        .play(rate, () -> !stopping.get() && System.nanoTime() < end, sent::set);
    output.print(
        JsonOrText.object().put("events", sent.get()).put("topic", topic),
        "published %s to %s".formatted(Plurals.of(sent.get(), "event"), topic));
    return 0;
  }

  private void requirePlayable(Pipeline pipeline) throws RefusedException {
    InputSpec input = pipeline.input();
    if (input.format() != InputSpec.Format.JSON
        || !RecordPart.isField(input.subject()) && input.constantSubject().isEmpty()
        || pipeline
            .population()
            .filter(each -> RecordPart.of(each.user()) instanceof RecordPart.Header)
            .isPresent()
        || !input.id().map(RecordPart::isField).orElse(true)
        || !input.categoryFields().stream().allMatch(RecordPart::isField)
        || !input.where().conditions().isEmpty()
        || Selections.of(pipeline).inputs().size() > 1
        || input.timePart() instanceof RecordPart.Header) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          file
              + ": play writes only JSON records without a filter or a category of single outputs, of which all that is read is in fields");
    }
    if (input.topics().isUnresolved()) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE, file + ": play needs the names of topics, not a pattern");
    }
  }
}
