// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.workload;

import java.util.Optional;

/**
 * How far final counts are from the truth: names that were not found count with all that they have.
 * Not for several threads.
 */
public final class NameReport {
  private long kept;
  private long covered;
  private long foundEarly;
  private double mostOfAll;
  private double squaresOfAll;
  private double mostOfCounted;
  private double squaresOfCounted;

  /**
   * One name.
   *
   * @param all its records
   * @param counted those of them that count
   * @param found what was published of it
   * @param half of the windows
   */
  public void add(int all, int counted, Optional<NameCounting.Kept> found, int half) {
    double told = found.map(NameCounting.Kept::estimate).orElse(0.0);
    mostOfAll = Math.max(mostOfAll, Math.abs(told - all));
    squaresOfAll += (told - all) * (told - all);
    mostOfCounted = Math.max(mostOfCounted, Math.abs(told - counted));
    squaresOfCounted += (told - counted) * (told - counted);
    found.ifPresent(
        name -> {
          kept++;
          foundEarly += name.foundAfter() <= half ? 1 : 0;
          covered += name.interval().low() <= counted && counted <= name.interval().high() ? 1 : 0;
        });
  }

  /** Another part of the names. */
  public void add(NameReport other) {
    kept += other.kept;
    covered += other.covered;
    foundEarly += other.foundEarly;
    mostOfAll = Math.max(mostOfAll, other.mostOfAll);
    squaresOfAll += other.squaresOfAll;
    mostOfCounted = Math.max(mostOfCounted, other.mostOfCounted);
    squaresOfCounted += other.squaresOfCounted;
  }

  /** Names that were found. */
  public long kept() {
    return kept;
  }

  /** Those of them that were found in the first half of the windows. */
  public long foundEarly() {
    return foundEarly;
  }

  /** The share of intervals that hold what counted; NaN without any. */
  public double covered() {
    return covered / (double) kept;
  }

  /** L-infinity against all records. */
  public double mostOfAll() {
    return mostOfAll;
  }

  /** L2 against all records. */
  public double normOfAll() {
    return Math.sqrt(squaresOfAll);
  }

  /** L-infinity against what counts. */
  public double mostOfCounted() {
    return mostOfCounted;
  }

  /** L2 against what counts. */
  public double normOfCounted() {
    return Math.sqrt(squaresOfCounted);
  }
}
