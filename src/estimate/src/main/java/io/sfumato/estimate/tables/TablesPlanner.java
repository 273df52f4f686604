// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.tables;

import io.sfumato.estimate.Planned;
import io.sfumato.estimate.ShareRequest;
import io.sfumato.estimate.additive.LeastGridNoise;
import io.sfumato.mechanism.additive.GridGaussian;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.tables.TableWeights;
import io.sfumato.mechanism.tables.Tables;
import io.sfumato.mechanism.tables.TablesMechanism;
import java.util.Optional;

/**
 * The least noise on tables that a share affords, with the weights of least error; nothing if even
 * sigma 2^36 is too little.
 */
public final class TablesPlanner {
  private TablesPlanner() {}

  /** Unit {@code record}: one record is replaced, the number of records is public. */
  public static Optional<Planned<TablesMechanism>> replaceOne(ShareRequest request, Tables tables) {
    TableWeights weights = BestWeights.of(tables, Tables.Total.PUBLIC);
    return gaussian(request, tables, weights, weights.replaceOne());
  }

  /**
   * Unit {@code user}: a user's records of a window are added or removed.
   *
   * @param records C, the most of them over all subjects, at least 1
   */
  public static Optional<Planned<TablesMechanism>> addOrRemove(
      ShareRequest request, Tables tables, int records) {
    TableWeights weights = BestWeights.of(tables, Tables.Total.MEASURED);
    return gaussian(request, tables, weights, weights.addOrRemove(records));
  }

  private static Optional<Planned<TablesMechanism>> gaussian(
      ShareRequest request, Tables tables, TableWeights weights, GridSensitivity sensitivity) {
    return LeastGridNoise.gaussian(request, sensitivity, GridNoise.DIGITS)
        .map(
            least ->
                Planned.of(
                    request,
                    least.counting(),
                    new TablesMechanism(
                        tables,
                        weights,
                        new GridGaussian(GridNoise.DIGITS, least.noise().steps()),
                        sensitivity)));
  }
}
