// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.quantile;

import io.sfumato.estimate.Planned;
import io.sfumato.estimate.ShareRequest;
import io.sfumato.estimate.factorised.FactorisedPlanner;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.factorised.RootSensitivity;
import io.sfumato.mechanism.factorised.ToeplitzRoot;
import io.sfumato.mechanism.quantile.Bins;
import io.sfumato.mechanism.quantile.CategoryQuantiles;
import io.sfumato.mechanism.quantile.QuantileMechanism;
import java.util.Optional;

/** The least noise on bins that a share affords; nothing if even sigma 2^36 is too little. */
public final class QuantilePlanner {
  private QuantilePlanner() {}

  /** Unit {@code record}: one record's value is replaced, and perhaps its category. */
  public static Optional<Planned<QuantileMechanism>> replaceOne(ShareRequest request, Bins bins) {
    ToeplitzRoot root = ToeplitzRoot.full(bins.number());
    return gaussian(request, bins, root, RootSensitivity.replaceOne(root));
  }

  /**
   * Unit {@code user}: a user's records of a window are added or removed.
   *
   * @param records C, the most of them over all subjects, at least 1
   */
  public static Optional<Planned<QuantileMechanism>> addOrRemove(
      ShareRequest request, Bins bins, int records) {
    ToeplitzRoot root = ToeplitzRoot.full(bins.number());
    return gaussian(request, bins, root, RootSensitivity.addOrRemove(root, records, 1));
  }

  /**
   * Bins of every category, at the charge of one: neighbours are no further apart (Theorem J).
   *
   * @param each planned for one of them
   * @param categories K, at least 2
   */
  public static Planned<CategoryQuantiles> byCategory(
      Planned<QuantileMechanism> each, int categories) {
    return new Planned<>(each.share(), new CategoryQuantiles(each.mechanism(), categories));
  }

  private static Optional<Planned<QuantileMechanism>> gaussian(
      ShareRequest request, Bins bins, ToeplitzRoot root, GridSensitivity sensitivity) {
    return FactorisedPlanner.gaussian(request, root, sensitivity)
        .map(found -> new Planned<>(found.share(), new QuantileMechanism(bins, found.mechanism())));
  }
}
