// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.tables;

import io.sfumato.accounting.Charge;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.Law;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.additive.GridGaussian;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * y = a_S x + z in every cell of every table that is measured, with one discrete Gaussian noise for
 * all of them and one charge: Theorem O of docs/privacy.md.
 *
 * @param tables public
 * @param weights a_S, above 0 for the finest tables
 * @param noise of a cell, in steps of 2^-20
 * @param sensitivity of all cells together: {@link TableWeights#addOrRemove} or {@link
 *     TableWeights#replaceOne}
 */
public record TablesMechanism(
    Tables tables, TableWeights weights, GridGaussian noise, GridSensitivity sensitivity)
    implements Mechanism<TableCounts, NoisyTables> {
  public TablesMechanism {
    if (noise.digits() != GridNoise.DIGITS) {
      throw new IllegalArgumentException(
          "tables are whole on the grid 2^-20, noise is on 2^-" + noise.digits());
    }
    if (weights.tables() != tables.tables()) {
      throw new IllegalArgumentException(
          weights.tables() + " weights for " + tables.tables() + " tables");
    }
    for (int table = tables.finest(); table < tables.tables(); table++) {
      if (weights.of(table) == 0) {
        throw new IllegalArgumentException("the finest tables are measured");
      }
    }
    if (sensitivity.unit() == PrivacyUnit.RECORD && weights.of(0) != 0) {
      throw new IllegalArgumentException("the total is public, so it is not measured");
    }
  }

  /** Whether the number of records is the same in all neighbours. */
  public Tables.Total total() {
    return sensitivity.unit() == PrivacyUnit.RECORD ? Tables.Total.PUBLIC : Tables.Total.MEASURED;
  }

  @Override
  public String method() {
    return noise.method();
  }

  @Override
  public Charge charge() {
    return noise.charge(sensitivity);
  }

  @Override
  public Map<String, Double> parameters() {
    return noise.parameters();
  }

  /** Standard deviation of the noise in a cell of weight 1, in records. */
  public double deviation() {
    return noise.deviation() / TableWeights.ONE;
  }

  @Override
  public Law<NoisyTables> law(TableCounts exact) {
    long[] weighted = weighted(exact);
    OptionalLong records =
        total() == Tables.Total.PUBLIC ? OptionalLong.of(exact.total()) : OptionalLong.empty();
    return new Law<>() {
      @Override
      public void frame(Framing framing) {
        framing.text("tables");
        tables.frame(framing);
        framing
            .numbers(weights.steps())
            .text(sensitivity.unit() == PrivacyUnit.RECORD ? "total public" : "total measured")
            .text(noise.method())
            .number(noise.digits())
            .number(noise.steps())
            .numbers(exact.cells());
      }

      @Override
      public NoisyTables draw(ReplayableRandom random) {
        long[] noisy = weighted.clone();
        ToLongFunction<ReplayableRandom> sampler = noise.sampler();
        for (int table = 0; table < tables.tables(); table++) {
          if (weights.of(table) > 0) {
            for (int cell = tables.start(table); cell < tables.start(table + 1); cell++) {
              noisy[cell] = Math.addExact(noisy[cell], sampler.applyAsLong(random));
            }
          }
        }
        return new NoisyTables(records, noisy);
      }
    };
  }

  /** a_S x, in steps: what noise is added to. */
  public long[] weighted(TableCounts exact) {
    if (!exact.tables().equals(tables)) {
      throw new IllegalArgumentException("counts of " + exact.tables() + " for " + tables);
    }
    long[] cells = exact.cells();
    for (int table = 0; table < tables.tables(); table++) {
      long weight = weights.of(table);
      for (int cell = tables.start(table); cell < tables.start(table + 1); cell++) {
        cells[cell] *= weight;
      }
    }
    return cells;
  }

  /** Without an end where a public total differs: such datasets are no neighbours. */
  @Override
  public OptionalDouble divergence(double order, TableCounts first, TableCounts second) {
    if (total() == Tables.Total.PUBLIC && first.total() != second.total()) {
      return OptionalDouble.of(Double.POSITIVE_INFINITY);
    }
    return OptionalDouble.of(noise.divergence(order, weighted(first), weighted(second)));
  }
}
