// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.console;

import java.util.Arrays;

/** A small histogram in one line of text, in eighths of a character. */
public final class Sparkline {
  private static final String EIGHTHS = " ▁▂▃▄▅▆▇█";

  private Sparkline() {}

  /** One character a bin; the largest fills it. */
  public static String of(double[] shares) {
    double most = Arrays.stream(shares).max().orElse(0);
    StringBuilder line = new StringBuilder();
    for (double share : shares) {
      line.append(EIGHTHS.charAt(most > 0 ? (int) Math.ceil(8 * share / most) : 0));
    }
    return line.toString();
  }
}
