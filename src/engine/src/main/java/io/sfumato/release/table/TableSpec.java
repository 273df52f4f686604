// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.table;

import io.sfumato.estimate.ShareRequest;
import io.sfumato.estimate.additive.VectorPlanner;
import io.sfumato.estimate.tables.BestWeights;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.tables.TableQuery;
import io.sfumato.mechanism.tables.Tables;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.TallyRule;
import io.sfumato.pipeline.UnplannableException;
import io.sfumato.schema.TableRelease;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * Tables of several columns, for every subject and closed window.
 *
 * @param name of the output
 * @param topic that it is published to
 * @param shape which tables
 * @param population what one user may add, where many users feed one subject
 * @param share what it may spend
 * @param horizon windows of one subject, or user, and period that the share must cover
 */
public record TableSpec(
    String name,
    String topic,
    TableShape shape,
    Optional<Population> population,
    ShareSpec share,
    long horizon)
    implements ReleaseSpec {
  @Override
  public Schema schema() {
    return TableRelease.getClassSchema();
  }

  @Override
  public PlannedTable plan() throws UnplannableException {
    ShareRequest request =
        new ShareRequest(share.ledger(), share.epsilon(), share.delta(), horizon);
    TableQuery query = BestWeights.query(shape.tables(), Tables.Total.of(population.isEmpty()));
    GridSensitivity sensitivity =
        population
            .map(users -> query.weights().addOrRemove(users.records()))
            .orElseGet(query.weights()::replaceOne);
    return VectorPlanner.gaussian(request, query, sensitivity)
        .map(plan -> new PlannedTable(this, plan))
        .orElseThrow(() -> share.cannotAfford(horizon));
  }

  /** What is kept of records. */
  CellsRule rule() {
    return new CellsRule(shape);
  }

  @Override
  public List<TallyRule> tallies() {
    return List.of(rule());
  }
}
