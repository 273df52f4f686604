// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

/**
 * Pipeline files with one histogram, for tests that use a broker: records in {@code NAME-in},
 * releases in {@code NAME-mix}, windows of ten seconds, the categories a and b, epsilon 2. Pipeline
 * and budget are called NAME too.
 */
public final class HistogramFile {
  private HistogramFile() {}

  /** With a new budget for every window. */
  public static String perWindow(String name) {
    return of(name, "delta: 1e-6, period: window", "share: { epsilon: 2, delta: 1e-6 }");
  }

  /**
   * With one lifetime budget.
   *
   * @param windows how many releases of a subject it covers
   */
  public static String lifetime(String name, int windows) {
    return of(
        name,
        "delta: 1e-6",
        "method: laplace, share: { epsilon: 2, delta: 1e-6, ledger: mix }, windows: " + windows);
  }

  private static String of(String name, String budget, String release) {
    return """
        pipeline: %1$s
        input: { topic: %1$s-in, subject: who, time: at, category: what, categories: [a, b] }
        window: { size: 10s }
        budget: { name: %1$s, unit: record, epsilon: 2, %2$s }
        releases:
          - histogram: { name: %1$s-mix, %3$s }
        """
        .formatted(name, budget, release);
  }
}
