// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.table;

import io.sfumato.estimate.Planned;
import io.sfumato.estimate.ShareRequest;
import io.sfumato.estimate.tables.TablesPlanner;
import io.sfumato.mechanism.tables.Tables;
import io.sfumato.mechanism.tables.TablesMechanism;
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
record TableSpec(
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
    Tables tables = shape.tables();
    Optional<Planned<TablesMechanism>> plan =
        population.isPresent()
            ? TablesPlanner.addOrRemove(request, tables, population.get().records())
            : TablesPlanner.replaceOne(request, tables);
    return new PlannedTable(this, plan.orElseThrow(() -> share.cannotAfford(horizon)));
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
