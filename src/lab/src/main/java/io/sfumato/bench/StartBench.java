// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Short commands from start to end, as the launcher starts them, beside the same without archive of
 * classes and with the compiler of long runs.
 */
final class StartBench {
  private static final String TOPIC = "sfumato-bench-start";

  private final Path home;
  private final Map<String, List<String>> commands;

  /**
   * @param home folder that the launcher lies in
   */
  StartBench(Arena arena, Path home, Path folder) throws RefusedException {
    this.home = home;
    arena.create(TOPIC);
    String file = home.resolve("topology/diary.yaml").toString();
    String key = folder.resolve("start.key").toString();
    run(List.of("secret", key), Map.of());
    this.commands = new LinkedHashMap<>();
    commands.put("plan", List.of("plan", file));
    commands.put(
        "tick",
        List.of(
            "tick",
            file,
            "--at",
            "2026-01-05",
            "--secret-file",
            key,
            "--print",
            "--partitions",
            "2"));
    commands.put(
        "consume",
        List.of("consume", TOPIC, "--bootstrap-servers", arena.settings().bootstrapServers()));
  }

  int alternatives() {
    return 2 * commands.size();
  }

  /** Seconds of each command. */
  Map<String, List<Double>> run(Rounds rounds, Runnable step)
      throws RefusedException, InterruptedException {
    Map<String, Rounds.Measurement> all = new LinkedHashMap<>();
    commands.forEach(
        (name, command) -> {
          all.put(name, () -> run(command, Map.of()));
          all.put(
              name + ", no archive",
              () ->
                  run(
                      command,
                      Map.of(
                          "SFUMATO_NO_ARCHIVE",
                          "yes",
                          "SFUMATO_JAVA_OPTIONS",
                          "-XX:TieredStopAtLevel=4")));
        });
    return rounds.run(all, step);
  }

  private double run(List<String> command, Map<String, String> environment)
      throws RefusedException {
    ProcessBuilder builder = new ProcessBuilder();
    builder.command().add(home.resolve("bin/sfumato").toString());
    builder.command().addAll(command);
    builder.environment().putAll(environment);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
    long began = System.nanoTime();
    try {
      int code = builder.start().waitFor();
      if (code != 0) {
        throw new RefusedException(
            ExitCode.FAILED, "'sfumato %s' ended with %d".formatted(command.get(0), code));
      }
    } catch (IOException e) {
      throw new RefusedException(
          ExitCode.FAILED, "no launcher in " + home.resolve("bin") + ": start bin/sfumato");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RefusedException(ExitCode.FAILED, "interrupted");
    }
    return (System.nanoTime() - began) / 1e9;
  }
}
