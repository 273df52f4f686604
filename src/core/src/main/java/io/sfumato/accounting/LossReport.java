// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import io.sfumato.accounting.PldAccountant.Bound;
import io.sfumato.accounting.PldAccountant.Part;
import io.sfumato.accounting.PldAccountant.Precision;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What a ledger has cost so far, by every accountant that can say. For reporting a fixed list of
 * charges, never to decide whether another one fits.
 *
 * @param claims one an accountant, the smallest epsilon first
 */
public record LossReport(List<Claim> claims) {
  public LossReport {
    claims = List.copyOf(claims);
  }

  /**
   * (epsilon, delta) by one accountant.
   *
   * @param accountant its name: {@code renyi}, {@code pure + renyi}, {@code loss distribution}
   * @param epsilon that holds at the delta
   * @param width how far the accountant's own approximations may have raised epsilon
   */
  public record Claim(String accountant, double epsilon, double width) {}

  /**
   * A charge that was made {@code count} times.
   *
   * @param charge of one release
   * @param count how often it was made, at least 1
   */
  public record Counted(PrivacyCost charge, long count) {}

  /**
   * Reports a mixed ledger at a delta in (0, 1). An empty one costs nothing.
   *
   * @param delta in (0, 1)
   */
  public static LossReport of(List<Counted> ledger, double delta) {
    List<Counted> made = ledger.stream().filter(counted -> counted.count() > 0).toList();
    if (made.isEmpty()) {
      return new LossReport(List.of(new Claim("renyi", 0, 0)));
    }
    List<Claim> claims = new ArrayList<>();
    claims.add(new Claim("renyi", Conversion.epsilon(curve(made), delta), 0));
    pure(made, delta, claims);
    if (made.stream().allMatch(counted -> counted.charge().profile().isPresent())) {
      List<Part> parts =
          made.stream()
              .map(counted -> new Part(counted.charge().profile().orElseThrow(), counted.count()))
              .toList();
      Bound bound = PldAccountant.of(parts, Precision.FINEST).epsilon(delta);
      claims.add(new Claim("loss distribution", bound.value(), bound.width()));
    }
    claims.sort(Comparator.comparingDouble(Claim::epsilon));
    return new LossReport(claims);
  }

  /** The smallest. */
  public Claim best() {
    return claims.get(0);
  }

  /** The pure charges by basic composition, plus the conversion of all others. */
  private static void pure(List<Counted> made, double delta, List<Claim> claims) {
    double sum = 0;
    List<Counted> others = new ArrayList<>();
    for (Counted counted : made) {
      if (counted.charge().pure().isPresent()) {
        sum =
            Math.nextUp(sum + Math.nextUp(counted.count() * counted.charge().pure().getAsDouble()));
      } else {
        others.add(counted);
      }
    }
    if (others.size() < made.size()) {
      double rest = others.isEmpty() ? 0 : Conversion.epsilon(curve(others), delta);
      claims.add(new Claim(others.isEmpty() ? "pure" : "pure + renyi", sum + rest, 0));
    }
  }

  private static RenyiCurve curve(List<Counted> made) {
    RenyiCurve sum = RenyiCurve.zero();
    for (Counted counted : made) {
      sum = sum.plus(counted.count(), counted.charge().curve());
    }
    return sum;
  }
}
