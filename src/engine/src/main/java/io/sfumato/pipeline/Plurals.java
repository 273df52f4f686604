// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.Locale;

/** Numbers of things, as people read them: 1 broker, 2 brokers, 1,200 events. */
public final class Plurals {
  private Plurals() {}

  /**
   * A number and its noun.
   *
   * @param noun whose plural ends with an s
   */
  public static String of(long number, String noun) {
    return of(number, noun, noun + "s");
  }

  /** A number and one of two phrases: the one after 1, or that after all others. */
  public static String of(long number, String one, String many) {
    return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? one : many);
  }
}
