// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.histogram;

import io.sfumato.estimate.HistogramDensity;
import io.sfumato.inference.HistogramLikelihood;
import io.sfumato.inference.Likelihood;
import io.sfumato.mechanism.Distribution;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.HistogramRelease;
import io.sfumato.mechanism.ItemCounts;
import io.sfumato.schema.DirichletRelease;
import java.util.List;
import java.util.Optional;

/** From a record, whoever wrote it, to its likelihood under a plan. */
final class PublishedHistogram {
  private static final double ROUNDING = 1e-9;
  private static final long MOST_RECORDS = 1L << 30;

  private PublishedHistogram() {}

  /**
   * Under unit {@code user} N is private. Noisy counts say it in effect; of a Dirichlet draw the
   * plan's size is taken for it.
   *
   * @throws IllegalArgumentException if a field is no such release's; says which
   */
  static Optional<Likelihood> likelihood(DirichletRelease release, PlannedHistogram planned) {
    HistogramSpec spec = planned.spec();
    int categories = spec.model().shares().size();
    HistogramMechanism mechanism = planned.plan().mechanism();
    boolean counted =
        spec.output() instanceof HistogramSpec.Output.Counts
            && mechanism.method().equals("dirichlet");
    HistogramRelease drawn =
        counted ? items(release.getCounts(), categories) : shares(release, categories);
    if (!(counted ? release.getProbabilities() : release.getCounts()).isEmpty()) {
      throw new IllegalArgumentException(
          "the release has counts and probabilities, the plan publishes one of them");
    }
    HistogramDensity density = planned.best().accuracy().density(drawn, records(release, spec));
    return Optional.of(new HistogramLikelihood(density, categories));
  }

  private static long records(DirichletRelease release, HistogramSpec spec) {
    boolean isPublic = spec.population().isEmpty();
    if (isPublic != (release.getRecords() != null)) {
      throw new IllegalArgumentException(
          isPublic
              ? "records: found none, which a plan of unit 'record' publishes"
              : "records: found a number, which a plan of unit 'user' never publishes");
    }
    // Before anything is searched or simulated of so many.
    if (isPublic && (release.getRecords() < 0 || release.getRecords() > MOST_RECORDS)) {
      throw new IllegalArgumentException(
          "records: found " + release.getRecords() + ", allowed is 0 to 2^30");
    }
    return isPublic ? release.getRecords() : Math.max(1, Math.round(spec.model().size()));
  }

  private static HistogramRelease shares(DirichletRelease release, int categories) {
    List<Double> shares = release.getProbabilities();
    requireLength("probabilities", shares.size(), categories);
    for (double share : shares) {
      if (!(share > 0 && share < 1)) {
        throw new IllegalArgumentException(
            "probabilities: found " + share + ", allowed is above 0 and below 1");
      }
    }
    double sum = shares.stream().mapToDouble(Double::doubleValue).sum();
    if (Math.abs(sum - 1) > ROUNDING) {
      throw new IllegalArgumentException("probabilities: they add up to " + sum + ", not to 1");
    }
    return Distribution.normalised(shares.stream().mapToDouble(Double::doubleValue).toArray());
  }

  private static HistogramRelease items(List<Long> counts, int categories) {
    requireLength("counts", counts.size(), categories);
    for (long count : counts) {
      if (count < 0 || count > Long.MAX_VALUE / categories) {
        throw new IllegalArgumentException(
            "counts: found " + count + ", which is no number of items");
      }
    }
    return new ItemCounts(counts.stream().mapToLong(Long::longValue).toArray());
  }

  private static void requireLength(String field, int found, int wanted) {
    if (found != wanted) {
      throw new IllegalArgumentException(
          "%s: found %d numbers, the plan has %d categories".formatted(field, found, wanted));
    }
  }
}
