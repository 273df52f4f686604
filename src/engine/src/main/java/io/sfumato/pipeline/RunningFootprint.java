// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.gate.RunningMemory;
import io.sfumato.pipeline.SizeBound.Part;
import java.util.List;

/** What a subject's sums over windows take in a store. */
public final class RunningFootprint {
  private RunningFootprint() {}

  /**
   * The largest row of a subject's sums.
   *
   * @param output whose it is
   * @param told what windows hold, and the share that pays
   * @param bins most bins of the past
   * @param keep of how many windows sums are kept
   * @param groups that are summed up apart, by a setting
   * @param advice what makes it smaller
   */
  public static SizeBound of(
      String output,
      String mechanism,
      String told,
      int bins,
      int keep,
      int groups,
      String setting,
      String advice) {
    long fixed =
        Bytes.text(output)
            + FieldLimits.SUBJECT
            + 2
            + Bytes.SIGNED
            + Bytes.text(RunningMemory.termsOf(mechanism, told))
            + Bytes.text(mechanism)
            + 4L * Bytes.UNSIGNED;
    long numbers = (long) groups * Bytes.SIGNED * (2L * bins + 2 + keep);
    return new SizeBound(
        SizeBound.Kind.ROW,
        "running-store",
        fixed,
        List.of(new Part(setting, groups, numbers, advice)));
  }
}
