// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import java.util.Objects;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the canonical text of a mechanism says of its noise. An output that is computed from several
 * others has their mechanisms, with {@code +} between them.
 */
public final class NoiseText {
  private static final String AND = " + ";

  private static final Pattern LAPLACE =
      Pattern.compile("discrete-laplace(?: [a-z0-9-]+)* 1/b=([0-9]{1,15})/2\\^20");

  private static final Pattern GAUSSIAN =
      Pattern.compile("discrete-gaussian(?: [a-z0-9-]+)* sigma\\^2=([0-9]{1,15})/2\\^10");

  /** The root of a factorisation: so many windows; or so many rows, and windows behind the dash. */
  private static final Pattern ROOT = Pattern.compile(" root-([0-9]+)(?:-([0-9]+))?");

  /** Of counts of distinct users: a user moves each by 1 at most. */
  private static final String OF_USERS = " add-or-remove-user-in-";

  private NoiseText() {}

  private static Stream<String> parts(String mechanism) {
    return Stream.of(mechanism.split(Pattern.quote(AND)));
  }

  /** Whether it is of several outputs. */
  public static boolean isOfSeveral(String mechanism) {
    return mechanism.contains(AND);
  }

  /**
   * Whether what it counts is distinct users: such numbers do not add up over windows, since a user
   * of two windows is in both.
   */
  public static boolean isOfUsers(String mechanism) {
    return mechanism != null && parts(mechanism).anyMatch(part -> part.contains(OF_USERS));
  }

  /**
   * Whether numbers of different windows share noise, those of single windows too: noise that a
   * factorisation spreads over more than one window.
   */
  static boolean isSharedByWindows(String mechanism) {
    if (mechanism == null) {
      return true; // a record that says nothing of its noise
    }
    return parts(mechanism)
        .flatMap(part -> ROOT.matcher(part).results())
        .anyMatch(root -> !Objects.requireNonNullElse(root.group(2), root.group(1)).equals("1"));
  }

  /** The distribution's word, such as {@code discrete-laplace}; one for each of several outputs. */
  static String distribution(String mechanism) {
    return parts(mechanism).map(part -> part.split(" ", 2)[0]).collect(Collectors.joining(AND));
  }

  /**
   * Standard deviation of whole-number noise that is added to a count of one window; empty where
   * the text is of another mechanism.
   */
  public static OptionalDouble deviation(String mechanism) {
    double variance = parts(mechanism).mapToDouble(NoiseText::variance).sum();
    return Double.isNaN(variance) ? OptionalDouble.empty() : OptionalDouble.of(Math.sqrt(variance));
  }

  private static double variance(String part) {
    Matcher laplace = LAPLACE.matcher(part);
    if (laplace.matches()) {
      double rate = Long.parseLong(laplace.group(1)) / 0x1p20;
      double falls = StrictMath.expm1(-rate);
      return 2 * StrictMath.exp(-rate) / (falls * falls);
    }
    Matcher gaussian = GAUSSIAN.matcher(part);
    return gaussian.matches() ? Long.parseLong(gaussian.group(1)) / 0x1p10 : Double.NaN;
  }
}
