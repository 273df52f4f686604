// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.table;

import io.sfumato.mechanism.tables.Tables;
import io.sfumato.pipeline.RecordAggregation;
import java.util.function.LongUnaryOperator;

/** What tables need of records: how many fall into each cell of each of them. */
final class CellsRule implements RecordAggregation {
  private final TableShape shape;
  private final Tables tables;
  private final LongUnaryOperator categories;

  CellsRule(TableShape shape) {
    this.shape = shape;
    this.tables = shape.tables();
    this.categories = shape.categories();
  }

  @Override
  public String canonical() {
    return shape.canonical();
  }

  @Override
  public int places() {
    return tables.cells();
  }

  @Override
  public int ofRecord() {
    return tables.tables();
  }

  @Override
  public Setting setting() {
    return new Setting("columns of a 'table'", tables.cells());
  }

  @Override
  public void add(long category, double[] numbers, Sums to) {
    int[] cells = new int[tables.tables()];
    tables.cellsOf(categories.applyAsLong(category), cells);
    for (int cell : cells) {
      to.add(cell, 1);
    }
  }
}
