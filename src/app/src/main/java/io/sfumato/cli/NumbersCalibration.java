// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReleaseSpec.Head;
import java.math.BigDecimal;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Whose numbers are protected, and at what price. */
final class NumbersCalibration {
  private static final long USERS = 1000;
  private static final long MOST = 1_000_000_000_000L;

  @Option(
      names = "--users",
      paramLabel = "N",
      description = "Protects users, of whom N have one record each; by default 1000.")
  private Optional<Long> users = Optional.empty();

  @Option(
      names = "--per-window",
      paramLabel = "C",
      description = "Most records of a user that count in a window; by default 1.")
  private Optional<Integer> perWindow = Optional.empty();

  @Option(
      names = "--records",
      paramLabel = "N",
      description =
          "Instead of --users: protects one replaced record of N, whose number is public.")
  private Optional<Long> records = Optional.empty();

  @Option(
      names = "--windows",
      paramLabel = "N",
      description = "Number of releases that epsilon and delta cover together; by default 1.")
  private long windows = 1;

  @Option(
      names = "--epsilon",
      paramLabel = "EPSILON",
      required = true,
      description = "Epsilon of all releases; above 0.")
  private BigDecimal epsilon;

  @Option(
      names = "--delta",
      paramLabel = "DELTA",
      description =
          "Delta of all releases, from 0, below 1; by default 0, which only Laplace noise can give.")
  private BigDecimal delta = BigDecimal.ZERO;

  /** Of whom C records count, where users are protected; nothing where one record is. */
  Optional<Population> population(JsonOrText output) {
    if (records.isPresent()) {
      if (users.isPresent() || perWindow.isPresent()) {
        throw output.bad("--records: not together with --users or --per-window");
      }
      return Optional.empty();
    }
    return Optional.of(
        OneRelease.users(output.within("--per-window", perWindow.orElse(1), 1, 1_000_000)));
  }

  /** Records of the planned window. */
  long size(JsonOrText output) {
    long size = records.or(() -> users).orElse(USERS);
    if (size < 1 || size > MOST) {
      throw output.bad(
          "%s: found %d, allowed is 1 to %d"
              .formatted(records.isPresent() ? "--records" : "--users", size, MOST));
    }
    return size;
  }

  boolean isPure() {
    return delta.signum() == 0;
  }

  long windows(JsonOrText output) {
    return output.within("--windows", windows, 1, MOST);
  }

  /** It has all of the budget. */
  Head head(JsonOrText output) {
    long horizon = windows(output);
    return output.checked(() -> OneRelease.head(new Epsilon(epsilon), new Delta(delta), horizon));
  }
}
