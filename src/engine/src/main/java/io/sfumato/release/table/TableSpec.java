// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.table;

import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.estimate.tables.BestWeights;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.tables.TableQuery;
import io.sfumato.mechanism.tables.Tables;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.RecordAggregation;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.UnplannableException;
import io.sfumato.schema.TableRelease;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * Tables of several columns, for every subject and closed window.
 *
 * @param head name, topic and share
 * @param shape which tables
 * @param population what one user may add, where many users feed one subject
 */
public record TableSpec(Head head, TableShape shape, Optional<Population> population)
    implements ReleaseSpec {
  @Override
  public Schema schema() {
    return TableRelease.getClassSchema();
  }

  @Override
  public PlannedTable plan() throws UnplannableException {
    CalibrationTarget request = head.request();
    TableQuery query = BestWeights.query(shape.tables(), Tables.Total.of(population.isEmpty()));
    GridSensitivity sensitivity =
        population
            .map(users -> users.charged(query.weights().addOrRemove(users.records())))
            .orElseGet(query.weights()::replaceOne);
    return VectorCalibrator.gaussian(request, query, sensitivity)
        .map(plan -> new PlannedTable(this, plan))
        .orElseThrow(() -> head.cannotAfford());
  }

  @Override
  public boolean chargesRecords() {
    return population.filter(Population::chargesRecords).isPresent();
  }

  /** What is kept of records. */
  CellsRule rule() {
    return new CellsRule(shape);
  }

  @Override
  public List<RecordAggregation> tallies() {
    return List.of(rule());
  }
}
