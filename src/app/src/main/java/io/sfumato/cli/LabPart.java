// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/**
 * The lab (experiments and benchmarks), which only a checkout of the sources has. Where it is
 * missing, its commands are listed all the same and say how to get it.
 */
public final class LabPart {
  /** Description of {@code bench}, with and without the lab. */
  public static final String BENCH =
      "Measures the pipeline beside bare Kafka Streams topologies, in turn on one broker. Figures"
          + " are ratios of one run; docs/research/performance.md says what they mean.";

  /** Description of {@code experiment}, with and without the lab. */
  public static final String EXPERIMENT =
      "Repeats the papers' experiments. Needs their data, and no broker.";

  private static final Map<String, Class<?>> STUBS =
      Map.of("bench", NoBench.class, "experiment", NoExperiment.class);

  private LabPart() {}

  /** The command of that name, or its stub where no provider on the class path has it. */
  static Class<?> command(String name) {
    for (CommandProvider provider : ServiceLoader.load(CommandProvider.class)) {
      Class<?> command = provider.commands().get(name);
      if (command != null) {
        return command;
      }
    }
    return STUBS.get(name);
  }

  /** Refuses whatever its arguments are. */
  private abstract static class Stub implements Callable<Integer> {
    @Unmatched private List<String> arguments;

    @Override
    public Integer call() throws RefusedException {
      throw new RefusedException(
          ExitCode.USAGE,
          "experiments and benchmarks are not part of this installation: run them in a source"
              + " checkout, whose launcher builds them on first use (bin/sfumato)");
    }
  }

  @Command(name = "bench", mixinStandardHelpOptions = true, description = BENCH)
  static final class NoBench extends Stub {}

  @Command(name = "experiment", mixinStandardHelpOptions = true, description = EXPERIMENT)
  static final class NoExperiment extends Stub {}
}
