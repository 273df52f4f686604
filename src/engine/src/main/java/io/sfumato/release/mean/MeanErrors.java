// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.estimate.moments.MomentError;
import io.sfumato.estimate.moments.PartsError;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.pipeline.ReportText;
import java.util.OptionalDouble;

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

  /** Of a range that is known. */
  String text(MeasuredValue value) {
    MomentError error = of(value);
    double middle = error.mean().halfWidth();
    String atEnds =
        atEnd(value) > middle
            ? " in the middle of its range, +-%s at the ends"
                .formatted(ReportText.rounded(atEnd(value)))
            : "";
    return "mean %s +-%s%s, sum +-%s%s%s"
        .formatted(
            value.name(),
            ReportText.rounded(middle),
            atEnds,
            ReportText.rounded(error.sum().halfWidth()),
            count(value),
            error
                .variance()
                .map(bar -> ", variance +-" + ReportText.rounded(bar.halfWidth()) + " or more")
                .orElse(""));
  }

  /** Of the number of records, where it is not public. */
  String count(MeasuredValue value) {
    double half = of(value).count().halfWidth();
    return half == 0 ? "" : ", count +-" + ReportText.rounded(half);
  }

  /** Half the width of the interval around the number of records; nothing where it is public. */
  OptionalDouble countError() {
    double half = of(spec.values().get(0)).count().halfWidth();
    return half == 0 ? OptionalDouble.empty() : OptionalDouble.of(half);
  }

  /** Of a range that is known, for programs. */
  void json(ObjectNode node, MeasuredValue value) {
    MomentError error = of(value);
    node.put("mean_error_95", error.mean().halfWidth())
        .put("mean_error_95_at_ends", atEnd(value))
        .put("sum_error_95", error.sum().halfWidth());
    error.variance().ifPresent(bar -> node.put("variance_error_95", bar.halfWidth()));
  }
}
