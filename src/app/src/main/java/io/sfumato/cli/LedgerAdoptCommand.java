// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.gate.NoiseKey;
import io.sfumato.ledger.PatternTopics;
import io.sfumato.ledger.TopicAdoption;
import io.sfumato.ledger.TopicAdoption.Adopted;
import io.sfumato.ledger.TopicAdoption.Uncounted;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "adopt",
    mixinStandardHelpOptions = true,
    description = {
      "Lets a pipeline continue with topics of its state that were restored, or copied to "
          + "another cluster.",
      "Such topics have other ids, so a start refuses them. The command compares each "
          + "partition with the last charge counts in the budget's registry, and refuses a copy "
          + "that is older. Stop all instances first."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the topics are adopted, or were adopted before",
      "5:the copy contradicts the charge counts, or charges after the last count may be missing"
    },
    footer = {
      "",
      "Example:",
      "  sfumato ledger adopt pipeline.yaml --topics --secret-file noise.key",
      "      compares, and says from when on charges may be missing",
      "  sfumato ledger adopt pipeline.yaml --topics --accept-uncounted --secret-file noise.key",
      "      goes on with the topics; then: sfumato offsets pipeline.yaml --restore"
    })
final class LedgerAdoptCommand extends PipelineCommand.OnCluster {
  @Option(
      names = "--topics",
      required = true,
      description = "Adopt the topics that hold the state now.")
  private boolean topics;

  @Option(
      names = "--accept-uncounted",
      description =
          "Continue although charges after the last count may be missing from this copy. "
              + "The registry remembers it.")
  private boolean acceptUncounted;

  @Mixin private LocalSecretOptions secrets;

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    Pipeline pipeline = pipeline();
    KafkaSettings settings = cluster.settings(pipeline.kafka(), secrets.data);
    NoiseKey key = secrets.require(settings).derive();
    ClusterOptions.requireAnswer(settings);
    Adopted adopted =
        new TopicAdoption(
                PatternTopics.resolve(pipeline, settings),
                settings,
                key,
                output.aside()::println,
                new ProgressStages())
            .adopt(acceptUncounted ? Uncounted.ACCEPTED : Uncounted.REFUSED);
    String budget = pipeline.budget().name();
    output.print(
        JsonOrText.object()
            .put("budget", budget)
            .put("adopted", adopted.changed())
            .put("topics", adopted.topics().size())
            .put("counted_at", adopted.counted().map(Instant::toString).orElse(null))
            .put("other_records_topic", adopted.otherRecords()),
        adopted.changed() ? text(budget, adopted) : unchanged(budget, adopted.counted()));
    return 0;
  }

  private String text(String budget, Adopted adopted) {
    return "budget %s now uses %d restored state topics. They hold at least the charges counted at %s; later charges may be missing%n%snext: sfumato offsets %s --restore, then start the pipeline"
        .formatted(
            budget,
            adopted.topics().size(),
            adopted.counted().orElseThrow(),
            adopted.otherRecords()
                ? "the records' topic has a new topic id: make sure that its records have their former offsets%n"
                    .formatted()
                : "",
            file);
  }

  /**
   * @param counted of the charges that the state was compared with; nothing without any
   */
  static String unchanged(String budget, Optional<Instant> counted) {
    return "budget %s already uses these topics: nothing was changed. %s"
        .formatted(
            budget,
            counted
                .map(time -> "They hold at least the charges counted at " + time)
                .orElse(
                    "Its registry holds no charge counts, so missing charges could not be"
                        + " detected"));
  }
}
