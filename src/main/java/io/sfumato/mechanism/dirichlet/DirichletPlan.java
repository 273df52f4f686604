package io.sfumato.mechanism.dirichlet;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.RenyiOrders;
import io.sfumato.accounting.Share;
import io.sfumato.mechanism.PlanningModel;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The parameters of a share's releases, its one order, and how long it lasts.
 *
 * @param share with its order and cap fixed
 * @param mechanism that every release uses
 * @param releases how many the share affords
 * @param expectedKl of one release under the public planning model, in nats
 */
public record DirichletPlan(
    Share share, DirichletMechanism mechanism, long releases, double expectedKl) {

  /**
   * Plans a share for a horizon of releases: over the grid's orders, the one with the least
   * expected KL.
   *
   * @param horizon number of releases that must fit, at least 1
   * @return nothing if no order affords that many
   */
  public static Optional<DirichletPlan> of(
      String name,
      Epsilon epsilon,
      Delta delta,
      long horizon,
      Calibration calibration,
      PlanningModel model) {
    if (horizon < 1) {
      throw new IllegalArgumentException("a horizon is at least 1 release, was " + horizon);
    }
    // Parallel: each order is an optimisation of its own. The choice is by value, then by order.
    return IntStream.range(0, RenyiOrders.size())
        .parallel()
        .mapToObj(RenyiOrders::at)
        .map(order -> at(order, name, epsilon, delta, horizon, calibration, model))
        .flatMap(Optional::stream)
        .reduce((x, y) -> y.expectedKl() < x.expectedKl() ? y : x);
  }

  /** Plans a share at a given order of the grid. */
  static Optional<DirichletPlan> at(
      double order,
      String name,
      Epsilon epsilon,
      Delta delta,
      long horizon,
      Calibration calibration,
      PlanningModel model) {
    Share share = Share.of(name, epsilon, delta, order);
    return calibration
        .calibrate(order, share.cap() / horizon, model)
        .map(
            pair -> {
              int categories = model.shares().size();
              DirichletMechanism mechanism = new DirichletMechanism(pair, calibration, categories);
              long releases = share.cap() / Math.max(1, share.cost(mechanism.charge()));
              return new DirichletPlan(
                  share, mechanism, releases, model.expectedKl(pair.r(), pair.a()));
            })
        .filter(plan -> plan.releases() >= horizon);
  }
}
