// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.mechanism.partitionselection.NameBounds;
import io.sfumato.mechanism.partitionselection.RunningDiscoveryMechanism;
import io.sfumato.mechanism.partitionselection.UnlistedCount;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.release.names.NamesSpec;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "discovery",
    mixinStandardHelpOptions = true,
    description = {
      "Finds the selection threshold of values discovered privately (partition "
          + "selection), and the noise of their counts.",
      "A value that a single user has passes with a probability below the part of delta "
          + "that is set aside for it."
    },
    footer = {
      "",
      "Examples:",
      "  sfumato calibrate discovery --epsilon 1 --delta 1e-6",
      "  sfumato calibrate discovery --names 4 --per-window 10 --per-name 3 --epsilon 2 --delta"
          + " 1e-8 --noise gaussian",
      "  sfumato calibrate discovery --names 4 --per-window 4 --windows 30 --epsilon 1 --delta 1e-6"
          + " -o json",
      "  sfumato calibrate discovery --running 100 --test-every 10 --per-period 32 --per-name 1"
          + " --epsilon 6 --delta 1e-9"
    })
final class CalibrateDiscoveryCommand implements Callable<Integer> {
  private static final int MOST_WINDOWS = 1_000_000_000;

  @Mixin private JsonOrText output;

  @Mixin private RunningNamesCalibration running;

  @Option(
      names = "--names",
      paramLabel = "S",
      description = "Most names of a user that count in a window; by default 1.")
  private Optional<Integer> names = Optional.empty();

  @Option(
      names = "--per-window",
      paramLabel = "C",
      description =
          "Records of a user that count in a window at most; by default as many as names.")
  private Optional<Integer> perWindow = Optional.empty();

  @Option(
      names = "--per-name",
      paramLabel = "K",
      description =
          "Most records of a user and window that count for one name. With 1 users are "
              + "counted; by default all of them, with --running one, as in a file.")
  private Optional<Integer> perName = Optional.empty();

  @Option(
      names = "--windows",
      paramLabel = "W",
      description = "Most windows of a user that count; by default 1.")
  private Optional<Long> windows = Optional.empty();

  @Option(
      names = "--epsilon",
      paramLabel = "EPSILON",
      required = true,
      description = "Epsilon of all of a user's windows, or of the period; above 0.")
  private BigDecimal epsilon;

  @Option(
      names = "--delta",
      paramLabel = "DELTA",
      required = true,
      description = "Delta of all of a user's windows, or of the period; above 0, below 1.")
  private BigDecimal delta;

  @Option(
      names = "--noise",
      paramLabel = "NOISE",
      description = "laplace, gaussian or best; by default best.")
  private NamesSpec.Noise noise = NamesSpec.Noise.BEST;

  @Override
  public Integer call() {
    boolean runs = running.asked(output);
    if (runs && noise == NamesSpec.Noise.LAPLACE) {
      throw output.bad("--noise: running counts have gaussian noise only");
    }
    Optional<Integer> period = runs ? running.perPeriod(output) : Optional.empty();
    if (period.isPresent() && (names.isPresent() || perWindow.isPresent() || windows.isPresent())) {
      throw output.bad("--per-period: not together with --names, --per-window or --windows");
    }
    NameBounds bounds =
        period
            .map(records -> new NameBounds(records, records, each(records)))
            .orElseGet(this::window);
    int mostWindows = runs ? NameBounds.MOST / bounds.records() : MOST_WINDOWS;
    long horizon = output.within("--windows", windows.orElse(1L), 1, mostWindows);
    NamesSpec spec =
        new NamesSpec(
            output.checked(() -> OneRelease.head(new Epsilon(epsilon), new Delta(delta), horizon)),
            noise,
            NamesSpec.MOST,
            Optional.empty(),
            bounds,
            UnlistedCount.UNTOLD,
            running.tests(output),
            period.map(OptionalInt::of).orElse(OptionalInt.empty()));
    output.print(output.checked(() -> facts(spec)));
    return 0;
  }

  private Facts facts(NamesSpec spec) {
    PlannedRelease planned = OneRelease.planned(spec);
    OneRelease release = OneRelease.of(Optional.of(OneRelease.users(spec.bounds().records())));
    Facts facts = release.facts(planned);
    return planned.plan().mechanism() instanceof RunningDiscoveryMechanism tested
        ? running.addTo(facts, tested.plan())
        : facts;
  }

  private NameBounds window() {
    int records = output.within("--per-window", perWindow.orElse(names()), 1, NameBounds.MOST);
    output.within("--names", names(), 1, records);
    return new NameBounds(names(), records, each(records));
  }

  private int each(int records) {
    return output.within(
        "--per-name", perName.orElse(running.asked(output) ? 1 : records), 1, records);
  }

  private int names() {
    return names.orElse(1);
  }
}
