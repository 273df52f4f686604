// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.Planned;
import io.sfumato.mechanism.ShareRequest;
import io.sfumato.mechanism.quantile.Bins;
import io.sfumato.mechanism.quantile.QuantileMechanism;
import io.sfumato.mechanism.quantile.QuantilePlanner;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.TallyRule;
import io.sfumato.pipeline.UnplannableException;
import io.sfumato.schema.QuantileRelease;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * Private quantiles of a number, for every subject and closed window.
 *
 * @param name of the output
 * @param topic that it is published to
 * @param value name of the number
 * @param place of it among {@code input.values}, from 0
 * @param bins public
 * @param quantiles each between 0 and 1, ascending, at least one
 * @param population what one user may add, where many users feed one subject
 * @param share what it may spend
 * @param horizon windows of one subject, or user, and period that the share must cover
 * @param planSize PUBLIC guess of a window's records, for plans only
 */
public record QuantileSpec(
    String name,
    String topic,
    String value,
    int place,
    Bins bins,
    List<Double> quantiles,
    Optional<Population> population,
    ShareSpec share,
    long horizon,
    long planSize)
    implements ReleaseSpec {
  public QuantileSpec {
    quantiles = List.copyOf(quantiles);
  }

  @Override
  public Schema schema() {
    return QuantileRelease.getClassSchema();
  }

  @Override
  public PlannedQuantile plan() throws UnplannableException {
    ShareRequest request =
        new ShareRequest(share.ledger(), share.epsilon(), share.delta(), horizon);
    Optional<Planned<QuantileMechanism>> plan =
        population.isPresent()
            ? QuantilePlanner.addOrRemove(request, bins, population.get().records())
            : QuantilePlanner.replaceOne(request, bins);
    return new PlannedQuantile(this, plan.orElseThrow(() -> share.cannotAfford(horizon)));
  }

  /** What is kept of records. */
  BinsRule rule() {
    return new BinsRule(place, bins);
  }

  @Override
  public List<TallyRule> tallies() {
    return List.of(rule());
  }

  @Override
  public Optional<NumberBounds> bounds(int place) {
    return place == this.place
        ? Optional.of(new NumberBounds(bins.edge(0), bins.edge(bins.number())))
        : Optional.empty();
  }
}
