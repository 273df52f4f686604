// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.quantile;

import io.sfumato.mechanism.ReleasedData;
import io.sfumato.mechanism.factorised.NoisyRows;
import java.util.OptionalLong;

/**
 * What is published of a window's values.
 *
 * @param records N where it is public, else nothing
 * @param rows one a bin, noisy
 */
public record NoisyBins(OptionalLong records, NoisyRows rows) implements ReleasedData {
  public NoisyBins {
    if (records.isPresent() && records.getAsLong() < 0) {
      throw new IllegalArgumentException("a number of records is at least 0");
    }
  }
}
