// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.ledger.OffsetsOfState;
import io.sfumato.ledger.OffsetsOfState.Standing;
import io.sfumato.ledger.OffsetsOfState.Unknown;
import io.sfumato.ledger.PatternTopics;
import io.sfumato.ledger.StatePlace;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.Plurals;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "offsets",
    mixinStandardHelpOptions = true,
    description = {
      "Shows where a pipeline's instances continue to read, and restores offsets that "
          + "were lost, reset or have expired.",
      "A cluster forgets the offsets of a stopped group after offsets.retention.minutes, "
          + "a week by default. The state knows the right ones."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all offsets are where the state is",
      "5:offsets were lost, reset or have expired, and are not restored"
    },
    footer = {
      "",
      "Examples:",
      "  sfumato offsets pipeline.yaml                 look",
      "  sfumato offsets pipeline.yaml --restore       instances must be stopped"
    })
final class OffsetsCommand extends PipelineCommand.OnNearbyCluster {
  @Option(names = "--restore", description = "Set lost offsets to where the state is.")
  private boolean restore;

  @Option(
      names = "--accept-loss",
      description =
          "Continue although records are gone that were never read: datasets of their "
              + "windows will miss them.")
  private boolean acceptLoss;

  @Option(
      names = "--unknown",
      paramLabel = "PLACE",
      description =
          "Where to continue if the state does not say how far commands or candidates were "
              + "read: beginning or end.")
  private Optional<Unknown> unknown = Optional.empty();

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    Pipeline pipeline = pipeline();
    KafkaSettings settings = reach(pipeline);
    OffsetsOfState offsets =
        new OffsetsOfState(PatternTopics.resolve(pipeline, settings), settings);
    List<StatePlace> places = restore ? offsets.restore(unknown, acceptLoss) : offsets.look();
    output.print(json(places), text(places));
    boolean inOrder = restore || places.stream().allMatch(p -> p.standing() == Standing.IN_ORDER);
    return inOrder ? 0 : ExitCode.STOPPED.number();
  }

  private ObjectNode json(List<StatePlace> places) {
    ObjectNode json = JsonOrText.object().put("restored", restore);
    ArrayNode all = json.putArray("partitions");
    for (StatePlace place : places) {
      ObjectNode one =
          all.addObject()
              .put("partition", place.partition().toString())
              .put("begin", place.begin())
              .put("end", place.end())
              .put("standing", place.standing().text());
      place.group().ifPresent(offset -> one.put("group", offset));
      place.state().ifPresent(offset -> one.put("state", offset));
    }
    return json;
  }

  private String text(List<StatePlace> places) {
    int width =
        places.stream().mapToInt(place -> place.partition().toString().length()).max().orElse(10);
    String row = "%-" + Math.max(width, 9) + "s %10s %10s %10s %10s  %s%n";
    StringBuilder text = new StringBuilder();
    text.append(row.formatted("partition", "begins", "ends", "group", "state", ""));
    for (StatePlace place : places) {
      text.append(
          row.formatted(
              place.partition(),
              place.begin(),
              place.end(),
              shown(place.group()),
              shown(place.state()),
              place.standing().text()));
    }
    long lost = places.stream().filter(p -> p.standing() != Standing.IN_ORDER).count();
    String sum =
        lost == 0
            ? "the group's offsets match the state"
            : restore
                ? Plurals.of(lost, "offset was set", "offsets were set") + "; start the pipeline"
                : Plurals.of(lost, "offset is", "offsets are")
                    + " not where the state is; stop all instances and run this again with "
                    + "--restore";
    return text.append(sum).toString();
  }

  private static String shown(OptionalLong offset) {
    return offset.isPresent() ? Long.toString(offset.getAsLong()) : "-";
  }
}
