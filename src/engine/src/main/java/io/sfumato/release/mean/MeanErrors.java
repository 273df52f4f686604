// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import io.sfumato.estimate.moments.MomentError;
import io.sfumato.estimate.moments.PartsError;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.pipeline.Facts;

/**
 * How far means will be from the truth, by noise alone, in each number's own unit.
 *
 * @param spec of the file
 * @param mechanism that draws them
 * @param records PUBLIC guess of how many there are in one group
 */
record MeanErrors(MeanSpec spec, PartsError error, long records) {
  /** Of all that is told of a number. */
  MomentError of(MeasuredValue value) {
    return MomentError.of(error, spec.groups(), records, value.planned());
  }

  /** Half the width of a mean's 95% interval, by where in its range it lies: 0 to 1. */
  double meanAt(NumberBounds bounds, double place) {
    return MomentError.meanAt(error, spec.groups(), records, bounds, place).halfWidth();
  }

  /** Means are told best in the middle of their range, where their number has no say. */
  double atEnd(MeasuredValue value) {
    return meanAt(value.planned(), 1);
  }

  /** Half the width of the interval around the number of records; 0 where it is public. */
  double count(MeasuredValue value) {
    return of(value).count().halfWidth();
  }

  /** Says how far numbers of records are off, where they are not public. */
  Facts countError(Facts facts) {
    double half = count(spec.values().get(0));
    return half == 0 ? facts : facts.countError("numbers of records", half);
  }

  /** Adds the errors of a number whose range is known. */
  Facts addTo(Facts facts, MeasuredValue value) {
    MomentError error = of(value);
    facts
        .bar("mean", "mean_error_95", error.mean().halfWidth(), "in the middle of the range")
        .bar("mean", "mean_error_95_at_ends", atEnd(value), "at its ends")
        .bar("sum", "sum_error_95", error.sum().halfWidth(), "");
    error
        .variance()
        .ifPresent(bar -> facts.bar("variance", "variance_error_95", bar.halfWidth(), "or more"));
    return facts;
  }
}
