// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import io.sfumato.pipeline.Shell;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whole commands to paste after a file was written.
 *
 * @param file the pipeline file
 * @param outputs topics of its releases
 * @param csv that was looked at
 * @param reading options that say how it is read, beside what the pipeline file says
 * @param topic that was looked at
 * @param cluster options that name it; none where an embedded broker will do
 * @param ticks whether they alone close windows
 */
public record NextSteps(
    Path file,
    List<String> outputs,
    Optional<Path> csv,
    List<String> reading,
    Optional<String> topic,
    List<String> cluster,
    boolean ticks) {

  /** One a line. */
  public List<String> commands() {
    List<String> commands = new ArrayList<>();
    commands.add(command("run", file.toString(), starting()));
    if (topic.isEmpty()) {
      commands.add(
          csv.isPresent()
              ? command("produce", file.toString(), produced())
              : command("play", file.toString(), List.of()));
    }
    if (!ticks) {
      commands.add(command("tick", file.toString(), List.of()));
    }
    outputs.forEach(output -> commands.add(command("consume", output, List.of("--follow"))));
    return commands;
  }

  /** A topic that is there has a past. */
  private List<String> starting() {
    if (topic.isPresent()) {
      return ticks ? List.of("--catch-up") : List.of();
    }
    return cluster.isEmpty() ? List.of("--embedded") : List.of();
  }

  private List<String> produced() {
    List<String> options = new ArrayList<>(List.of("--csv", csv.orElseThrow().toString()));
    options.addAll(reading);
    return options;
  }

  private String command(String name, String what, List<String> options) {
    List<String> words = new ArrayList<>(List.of("sfumato", name, what));
    words.addAll(options);
    words.addAll(cluster);
    return Shell.line(words);
  }
}
