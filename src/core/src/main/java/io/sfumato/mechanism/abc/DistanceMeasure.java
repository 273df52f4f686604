// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

/** Which distance a query measures: what candidates must hold, and how far one record moves it. */
public sealed interface DistanceMeasure {
  /** MMD by random Fourier features of numbers. */
  DistanceMeasure FEATURES = new Features();

  /** MMD of categories: Euclidean distance of shares. */
  DistanceMeasure CATEGORIES = new Categories();

  /** As files and reports write it. */
  String word();

  /** The largest distance, B. */
  double bound();

  /**
   * The sensitivity D when one of N records is replaced.
   *
   * @param records N, at least 1; public
   */
  double sensitivity(long records);

  /** What to do, by what is measured. */
  <T, X extends Exception> T choose(Cases<T, X> cases) throws X;

  /**
   * One case for each measure.
   *
   * @param <T> what comes of it
   * @param <X> what it may throw
   */
  interface Cases<T, X extends Exception> {
    /** Of {@link #FEATURES}. */
    T features() throws X;

    /** Of {@link #CATEGORIES}. */
    T categories() throws X;

    /** Of {@link OfSummaries}. */
    T summaries(Summaries summaries) throws X;
  }

  /** Of {@link #FEATURES}. */
  record Features() implements DistanceMeasure {
    @Override
    public String word() {
      return "features";
    }

    @Override
    public <T, X extends Exception> T choose(Cases<T, X> cases) throws X {
      return cases.features();
    }

    @Override
    public double bound() {
      return Distances.MMD_BOUND;
    }

    @Override
    public double sensitivity(long records) {
      return Distances.mmdSensitivity(records);
    }
  }

  /** Of {@link #CATEGORIES}. */
  record Categories() implements DistanceMeasure {
    @Override
    public String word() {
      return "categories";
    }

    @Override
    public <T, X extends Exception> T choose(Cases<T, X> cases) throws X {
      return cases.categories();
    }

    @Override
    public double bound() {
      return Distances.CATEGORIES_BOUND;
    }

    @Override
    public double sensitivity(long records) {
      return Distances.categoriesSensitivity(records);
    }
  }

  /**
   * Clipped distance of summary statistics: its sensitivity is the clip, however many records.
   *
   * @param summaries with their public scales and their clip
   */
  record OfSummaries(Summaries summaries) implements DistanceMeasure {
    @Override
    public String word() {
      return "summaries";
    }

    @Override
    public <T, X extends Exception> T choose(Cases<T, X> cases) throws X {
      return cases.summaries(summaries);
    }

    @Override
    public double bound() {
      return summaries.clip();
    }

    @Override
    public double sensitivity(long records) {
      return Distances.summariesSensitivity(records, summaries.clip());
    }
  }
}
