// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.lab;

import io.sfumato.bench.Bench;
import io.sfumato.bench.Report;
import io.sfumato.cli.BrokerPart;
import io.sfumato.cli.JsonOrText;
import io.sfumato.cli.LabPart;
import io.sfumato.console.Terminal;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.TemporaryFolder;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = LabPart.BENCH,
    footer = {
      "",
      "Examples:",
      "  sfumato bench --quick                 the figures that matter, in a few minutes",
      "  sfumato bench -o json > bench.json    everything, for 20,000 and 1,000,000 subjects; hours",
      "  sfumato bench --only ingest --events 1000000 --rounds 3 --brokers 1",
      "  sfumato bench --only names --quick    a published stream of names through a pipeline, a sample",
      "  sfumato bench --only names --events 61000000 --rounds 1    all of it; tens of GB in TMPDIR, hours"
    })
final class BenchCommand implements Callable<Integer> {
  @Mixin private JsonOrText output;

  @Option(names = "--quick", description = "20,000 subjects and few events only.")
  private boolean quick;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often each alternative runs; by default 5, with --quick 3.")
  private Optional<Integer> rounds = Optional.empty();

  @Option(
      names = "--events",
      paramLabel = "N",
      description =
          "Events of a workload; by default 2000000, with --quick 200000. Of names a sample of"
              + " users: 61000000 are all.")
  private Optional<Integer> events = Optional.empty();

  @Option(
      names = "--brokers",
      paramLabel = "N",
      description =
          "Run so many brokers as processes of their own (1 or 3); by default one in this process.")
  private int brokers = 0;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "PART",
      description =
          "Parts to run, of: ${COMPLETION-CANDIDATES}; by default all, with --quick the first five.")
  private Set<Bench.Part> parts = Set.of();

  @Override
  public Integer call() throws RefusedException, InterruptedException {
    Bench.Scope defaults = quick ? Bench.Scope.ofQuick() : Bench.Scope.ofFull();
    Bench.Scope scope =
        new Bench.Scope(
            defaults.extent(),
            output.within("--rounds", rounds.orElse(defaults.rounds()), 1, 1_000),
            output.within("--events", events.orElse(defaults.events()), 1_000, 100_000_000),
            output.within("--brokers", brokers, 0, 9),
            parts.isEmpty() ? defaults.parts() : parts);
    if (brokers > 0 && brokers % 2 == 0) {
      throw output.bad("--brokers: found " + brokers + ", allowed is 0 or an odd number");
    }
    BrokerPart.require();
    try (TemporaryFolder folder = TemporaryFolder.make("sfumato-bench-")) {
      Report report = new Bench(scope, Terminal.forProgress()).run(folder.path());
      output.print(report::json, report::table);
    }
    return 0;
  }
}
