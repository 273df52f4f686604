// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.tables;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.additive.VectorMeasurement;
import io.sfumato.mechanism.additive.VectorQuery;
import io.sfumato.random.CanonicalEncoder;
import java.util.OptionalLong;

/**
 * a_S x in every cell of every table S that is measured: Theorem O of docs/theory/tables.md. x has
 * the number of records of each cell of all tables. {@link TableWeights} say how far neighbours
 * move it.
 *
 * @param tables public
 * @param weights a_S, above 0 for the finest tables; 0 for the total where it is public
 */
public record TableQuery(Tables tables, TableWeights weights) implements VectorQuery {
  /**
   * @throws IllegalArgumentException unless there is a weight for each table, above 0 for the
   *     finest ones
   */
  public TableQuery {
    if (weights.tables() != tables.tables()) {
      throw new IllegalArgumentException(
          weights.tables() + " weights for " + tables.tables() + " tables");
    }
    for (int table = tables.finest(); table < tables.tables(); table++) {
      if (weights.of(table) == 0) {
        throw new IllegalArgumentException("the finest tables are measured");
      }
    }
  }

  @Override
  public int digits() {
    return GridNoise.DIGITS;
  }

  @Override
  public void requireUnit(PrivacyUnit unit) {
    if (unit == PrivacyUnit.RECORD && weights.of(0) != 0) {
      throw new IllegalArgumentException("the total is public, so it is not measured");
    }
  }

  @Override
  public void encode(
      CanonicalEncoder encoder, VectorMeasurement<?> measurement, ExactVector exact) {
    encoder.text("tables");
    tables.encode(encoder);
    encoder
        .numbers(weights.steps())
        .text(measurement.sizeIsPublic() ? "total public" : "total measured")
        .text(measurement.noise().method())
        .number(measurement.noise().digits())
        .number(measurement.noise().steps())
        .numbers(exact.values());
  }

  /** Cells of measured tables alone, table after table. */
  @Override
  public long[] vector(ExactVector exact) {
    tables.records(exact);
    long[] vector = new long[measuredCells()];
    int next = 0;
    for (int table = 0; table < tables.tables(); table++) {
      long weight = weights.of(table);
      for (int cell = tables.start(table); weight > 0 && cell < tables.start(table + 1); cell++) {
        vector[next++] = weight * exact.of(cell);
      }
    }
    return vector;
  }

  /** How many cells are measured. */
  public int measuredCells() {
    int cells = 0;
    for (int table = 0; table < tables.tables(); table++) {
      cells += weights.of(table) > 0 ? tables.size(table) : 0;
    }
    return cells;
  }

  @Override
  public OptionalLong records(ExactVector exact) {
    return OptionalLong.of(tables.records(exact));
  }
}
