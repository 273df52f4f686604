// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.text;

/** Small horizontal bars of text, in eighths of a character. */
public final class Bars {
  private static final String EIGHTHS = " ▏▎▍▌▋▊▉█";

  private Bars() {}

  /**
   * A bar.
   *
   * @param share in [0, 1]; anything else is clipped
   * @param width in characters
   */
  public static String bar(double share, int width) {
    int eighths = (int) Math.round(Math.max(0, Math.min(1, share)) * width * 8);
    StringBuilder bar = new StringBuilder("█".repeat(eighths / 8));
    if (eighths % 8 > 0) {
      bar.append(EIGHTHS.charAt(eighths % 8));
    }
    return bar + " ".repeat(width - bar.length());
  }
}
