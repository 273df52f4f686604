// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.mollifier;

import io.sfumato.mechanism.ExactData;
import io.sfumato.mechanism.Histogram;
import io.sfumato.random.CanonicalEncoder;
import java.util.List;
import java.util.Optional;

/**
 * A subject's dataset as samplers see it: counts of a finite domain, or a bounded sample of points.
 *
 * @param counts for finite domains
 * @param points for numbers, in a canonical order; may be empty
 */
public record ItemData(Optional<Histogram> counts, List<Point> points) implements ExactData {
  public ItemData {
    points = List.copyOf(points);
  }

  /** Writes all of it: the noise of an item depends on its exact input. */
  public void encodeInput(CanonicalEncoder encoder) {
    counts.ifPresent(histogram -> encoder.numbers(histogram.counts()));
    encoder.number(points.size());
    for (Point point : points) {
      encoder.number(point.category());
      for (double number : point.numbers()) {
        encoder.number(Double.doubleToRawLongBits(number));
      }
    }
  }
}
