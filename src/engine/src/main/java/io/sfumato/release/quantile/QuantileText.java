// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import io.sfumato.pipeline.ViewText;
import io.sfumato.schema.Estimate;
import io.sfumato.schema.Quantile;
import java.util.Locale;

/** Quantiles as people read them. */
final class QuantileText {
  private static final double MEDIAN = 0.5;

  private QuantileText() {}

  static String label(Quantile quantile) {
    double of = quantile.getOf();
    return of == MEDIAN ? "median" : String.format(Locale.ROOT, "%s%%", percent(of));
  }

  private static String percent(double of) {
    String text = String.format(Locale.ROOT, "%.6f", 100 * of);
    return text.replaceAll("0+$", "").replaceAll("\\.$", "");
  }

  /** Where noise leaves the whole range open a number would only look like one. */
  static String of(Quantile quantile) {
    return quantile.getAt().getUnknown() ? "unknown (too much noise)" : known(quantile);
  }

  /** The same in a table. */
  static String brief(Quantile quantile) {
    return quantile.getAt().getUnknown() ? "unknown" : known(quantile);
  }

  private static String known(Quantile quantile) {
    Estimate at = quantile.getAt();
    return ViewText.interval(at.getValue(), at.getLow(), at.getHigh())
        + (quantile.getClipped() ? " or beyond" : "");
  }
}
