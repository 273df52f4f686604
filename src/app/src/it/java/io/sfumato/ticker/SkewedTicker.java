// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ticker;

import io.sfumato.release.Plan;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.TestCluster;
import io.sfumato.topology.context.OperatorOrders;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/** A pipeline's own ticker on a machine whose clock is wrong. */
public final class SkewedTicker {
  private SkewedTicker() {}

  /**
   * Starts it.
   *
   * @param plan of a pipeline that reads a topic of one partition
   * @param ahead of the real time
   */
  public static OwnTicker start(
      TestCluster cluster, Plan plan, Supplier<Duration> ahead, TickerListener listener)
      throws RefusedException {
    return OwnTicker.start(
        TestCluster.settings(cluster.servers(), Map.of()),
        plan.pipeline(),
        TestCluster.sources(plan, 1),
        TestCluster.key().tickKey(plan.pipeline().budget().name()),
        OperatorOrders.none(),
        listener,
        () -> new Moment(System.currentTimeMillis() + ahead.get().toMillis(), System.nanoTime()));
  }
}
