// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.client.PublishedOutputs;
import io.sfumato.client.UsersBeyond;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.YamlEdit;
import io.sfumato.release.PipelineFile;
import io.sfumato.release.Plan;
import io.sfumato.release.count.NextBound;
import io.sfumato.release.count.NextBound.Threshold;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.scaffold.NewFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "adapt",
    mixinStandardHelpOptions = true,
    description = {
      "Proposes contributions.per-window for the next version of a pipeline of users, from "
          + "what the pipeline has published.",
      "It reads counts 'by: beyond' of the last windows: how many users have more records than "
          + "a bound. They are published, so this costs no budget. The proposal is the bound at "
          + "which noise and cut-off records together are least.",
      "Each mean is of one subject and window. The file needs one subject, so it is the mean "
          + "number of users of a window."
    },
    footer = {
      "",
      "Examples:",
      "  sfumato adapt pipeline.yaml",
      "  sfumato adapt pipeline.yaml --last 7 --to pipeline-v2.yaml",
      "      writes the file of the next version; then sfumato activate pipeline-v2.yaml"
    })
final class AdaptCommand extends PipelineCommand.OnNearbyCluster {
  private static final int MOST_WINDOWS = 100_000;

  @Option(
      names = "--last",
      paramLabel = "N",
      description = "Of each count the last N windows are read; by default 30.")
  private int last = 30;

  @Option(
      names = "--to",
      paramLabel = "NEXT",
      description = "Write the next version's file here: the same text, with another bound.")
  private Optional<Path> next = Optional.empty();

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    output.within("--last", last, 1, MOST_WINDOWS);
    Plan plan = plan();
    NextBound bound =
        NextBound.of(plan.pipeline(), plan.releases()).orElseThrow(() -> nothingToReadFrom(plan));
    UsersBeyond published = published(plan.pipeline(), bound);
    SortedMap<Integer, Double> means = published.means(bound.thresholds());
    if (means.isEmpty()) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "nothing was published yet by version %d of %s: run this again when a window is released"
              .formatted(plan.pipeline().version(), file));
    }
    int proposed = bound.proposed(means);
    if (next.isPresent() && proposed != bound.perWindow()) {
      new NewFile(next.get()).write(changed(plan.pipeline(), proposed));
    }
    output.print(facts(plan.pipeline(), bound, published, proposed));
    return 0;
  }

  private RefusedException nothingToReadFrom(Plan plan) {
    return new RefusedException(
        ExitCode.REFUSED_FILE,
        "%s: no bound can be proposed: %s (docs/concepts/contribution-bounds.md)"
            .formatted(file, NextBound.obstacle(plan.pipeline(), plan.releases()).orElse("")));
  }

  private UsersBeyond published(Pipeline pipeline, NextBound bound) throws RefusedException {
    KafkaSettings settings = reach(pipeline);
    UsersBeyond published = new UsersBeyond(pipeline.version(), last);
    PublishedOutputs.read(
        settings, bound.thresholds().stream().map(Threshold::topic).toList(), published::add);
    return published;
  }

  /** The same file with the bound, as the version after it. */
  private String changed(Pipeline pipeline, int proposed)
      throws PipelineFileException, RefusedException {
    try {
      String yaml = Files.readString(file);
      String changed =
          new YamlEdit(yaml)
              .with(List.of("version"), Integer.toString(pipeline.version() + 1))
              .flatMap(
                  text ->
                      new YamlEdit(text)
                          .with(List.of("contributions", "per-window"), Integer.toString(proposed)))
              .orElseThrow(
                  () ->
                      new RefusedException(
                          ExitCode.REFUSED_FILE,
                          file + ": has no line 'version': write 'version: 1' into it first"));
      Plan.of(next.orElseThrow().toString(), PipelineFile.parse(file.toString(), changed));
      return changed;
    } catch (IOException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "cannot read %s (%s)".formatted(file, e.getClass().getSimpleName()));
    }
  }

  private Facts facts(Pipeline pipeline, NextBound bound, UsersBeyond published, int proposed) {
    Facts facts = Facts.titled("adapt", pipeline.name());
    facts.row("users").table("beyond", beyond(bound, published));
    facts
        .row("noise")
        .bar(
            "one more record of each user adds",
            "noise_of_a_record",
            bound.noise(),
            "to the error of a total");
    facts
        .row("per-window")
        .number("best", "per_window", proposed)
        .number("now", "now", bound.perWindow());
    boolean isSame = proposed == bound.perWindow();
    facts.row("next").say("%s", isSame ? "keep the file" : step(pipeline, proposed));
    bound.hint(proposed).ifPresent(hint -> facts.row("note").say("%s", hint));
    int least = bound.thresholds().get(0).records();
    if (proposed + bound.leftOut() == least) {
      facts
          .row("note")
          .say(
              "whether less is enough shows a count 'by: beyond' with"
                  + " 'contributions: {per-window: %,d}' of its own",
              Math.max(1, least / 2));
    }
    return facts;
  }

  private String step(Pipeline pipeline, int proposed) {
    return next.map(written -> "sfumato activate %s".formatted(written))
        .orElse(
            "write 'version: %d' and 'per-window: %d' into a copy of the file (--to NEXT does), then sfumato activate NEXT"
                .formatted(pipeline.version() + 1, proposed));
  }

  private static List<Facts> beyond(NextBound bound, UsersBeyond published) {
    List<Facts> rows = new ArrayList<>();
    for (Threshold threshold : bound.thresholds()) {
      Facts row = Facts.of().words("", "output", threshold.output());
      published
          .mean(threshold.output())
          .ifPresent(
              mean ->
                  row.number("", "users", Math.round(10 * mean) / 10.0, "users")
                      .bar("", "error_95", error(threshold, published), ""));
      row.number("with more than", "more_than", threshold.records(), "records")
          .number(
              "mean of one subject and window, over the last",
              "windows",
              published.windows(threshold.output()),
              "windows");
      rows.add(row);
    }
    return rows;
  }

  /** About, of a mean: two deviations. */
  private static double error(Threshold threshold, UsersBeyond published) {
    long numbers = published.numbers(threshold.output());
    return Math.ceil(2 * threshold.deviation() / Math.sqrt(numbers));
  }
}
