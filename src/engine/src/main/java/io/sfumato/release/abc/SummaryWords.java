// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.abc;

import io.sfumato.mechanism.abc.Summary;
import io.sfumato.pipeline.EnumWords;
import io.sfumato.pipeline.InputSpec;
import java.math.BigDecimal;

/** Summaries as a plan tells them, by the names that the file gives to fields and categories. */
record SummaryWords(InputSpec input) {
  String of(Summary summary) {
    String what;
    if (summary instanceof Summary.OfAll all) {
      what = EnumWords.word(all.statistic()) + " of " + input.values().get(all.field());
    } else if (summary instanceof Summary.Quantile quantile) {
      what =
          "quantile %s of %s"
              .formatted(number(quantile.at()), input.values().get(quantile.field()));
    } else {
      what = "share of " + input.allCategories().get(((Summary.Share) summary).category());
    }
    return what + " / " + number(summary.scale());
  }

  /** As it may stand in the file. */
  static String number(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }
}
