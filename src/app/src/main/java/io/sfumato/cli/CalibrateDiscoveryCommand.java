// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.ShareRequest;
import io.sfumato.estimate.discovery.DiscoveryPlanner;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.discovery.NameBounds;
import io.sfumato.mechanism.discovery.RunningBounds;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "discovery",
    mixinStandardHelpOptions = true,
    description = {
      "The least count from which names that nobody listed are published, and the noise of counts: names that one user alone has pass with a probability below the part of delta"
          + " that is set aside for it."
    },
    footer = {
      "",
      "Examples:",
      "  sfumato calibrate discovery --epsilon 1 --delta 1e-6",
      "  sfumato calibrate discovery --names 4 --per-window 10 --per-name 3 --epsilon 2 --delta 1e-8 --noise gaussian",
      "  sfumato calibrate discovery --names 4 --per-window 4 --windows 30 --epsilon 1 --delta 1e-6 -o json",
      "  sfumato calibrate discovery --running 100 --test-every 10 --per-period 32 --per-name 1 --epsilon 6 --delta 1e-9"
    })
final class CalibrateDiscoveryCommand implements Callable<Integer> {
  private static final long MOST_WINDOWS = 1_000_000_000;

  /** What noise is asked for. */
  private enum Noise {
    LAPLACE,
    GAUSSIAN,
    /** The one with the lower threshold. */
    BEST
  }

  @Mixin private JsonOrText output;

  @Mixin private RunningNamesCalibration running;

  @Option(
      names = "--names",
      paramLabel = "S",
      description = "Names of a user that count in a window at most; by default 1.")
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
          "Records of a user and window that count for one name at most; by default all of them, with --running one, as in a file. With 1 users are counted.")
  private Optional<Integer> perName = Optional.empty();

  @Option(
      names = "--windows",
      paramLabel = "W",
      description = "Windows of a user that count at most; by default 1.")
  private Optional<Long> windows = Optional.empty();

  @Option(
      names = "--epsilon",
      paramLabel = "EPSILON",
      required = true,
      description = "Of all of a user's windows, or of the period; above 0.")
  private BigDecimal epsilon;

  @Option(
      names = "--delta",
      paramLabel = "DELTA",
      required = true,
      description = "Above 0, below 1.")
  private BigDecimal delta;

  @Option(
      names = "--noise",
      paramLabel = "NOISE",
      description = "laplace, gaussian or best, which is the default.")
  private Noise noise = Noise.BEST;

  @Override
  public Integer call() {
    if (running.asked(output)) {
      if (noise == Noise.LAPLACE) {
        throw output.bad("--noise: counts that run over windows have gaussian noise");
      }
      Epsilon most = output.checked(() -> new Epsilon(epsilon));
      Delta least = output.checked(() -> new Delta(delta));
      output.print(running.told(output, most, least, runningBounds()));
      return 0;
    }
    NameBounds bounds = window();
    ShareRequest request =
        output.checked(
            () -> new ShareRequest("discovery", new Epsilon(epsilon), new Delta(delta), windows()));
    output.print(
        told(
            output.checked(
                () -> best(request, bounds).orElseThrow(NumbersCalibration::notAffordable))));
    return 0;
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

  private long windows() {
    return output.within("--windows", windows.orElse(1L), 1, MOST_WINDOWS);
  }

  private RunningBounds runningBounds() {
    Optional<Integer> period = running.perPeriod(output);
    if (period.isEmpty()) {
      NameBounds window = window();
      int most = NameBounds.MOST / window.records();
      int ofUser = output.within("--windows", windows.orElse(1L), 1, most).intValue();
      return new RunningBounds.PerWindow(window, ofUser);
    }
    if (names.isPresent() || perWindow.isPresent() || windows.isPresent()) {
      throw output.bad("--per-period: goes without --names, --per-window and --windows");
    }
    return new RunningBounds.PerPeriod(period.orElseThrow(), each(period.orElseThrow()));
  }

  private Optional<DiscoveryPlanner.Found> best(ShareRequest request, NameBounds bounds) {
    return switch (noise) {
      case LAPLACE -> DiscoveryPlanner.laplace(request, bounds);
      case GAUSSIAN -> DiscoveryPlanner.gaussian(request, bounds);
      case BEST ->
          DiscoveryPlanner.best(
              Stream.of(
                      DiscoveryPlanner.laplace(request, bounds),
                      DiscoveryPlanner.gaussian(request, bounds))
                  .flatMap(Optional::stream));
    };
  }

  /** Noise is symmetric, so that a count at the threshold passes in one half of all cases. */
  private ObjectNode told(DiscoveryPlanner.Found found) {
    GridNoise drawn = found.noise().noise();
    ObjectNode told =
        JsonOrText.object()
            .put("threshold", found.threshold().least())
            .put("half_point", found.threshold().least())
            .put("noise", drawn.method());
    drawn.parameters().forEach(told::put);
    return told.put("error_95", Math.scalb(drawn.halfWidth(0.95, 1), -drawn.digits()))
        .put("threshold_delta", found.thresholdDelta())
        .put("noise_delta", delta.subtract(found.thresholdDelta()))
        .put("names", names())
        .put("windows", windows());
  }
}
