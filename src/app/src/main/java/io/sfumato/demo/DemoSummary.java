// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.demo;

import java.util.Locale;

/** What a demonstration has done. */
public record DemoSummary(
    long events, long windows, long releases, long refusals, long deadLetters) {
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "summary: %d events, %d windows, %d releases, %d refusals, %d dead letters",
        events,
        windows,
        releases,
        refusals,
        deadLetters);
  }
}
