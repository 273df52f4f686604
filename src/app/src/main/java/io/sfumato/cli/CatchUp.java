// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.ledger.OrdersLog;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.context.OperatorOrders;
import io.sfumato.topology.context.SourceTopics;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Enters the order to read a topic's past. Every task reads the orders once, when it begins to
 * work. So an order is entered only while no instance runs: all instances then follow the same one.
 */
record CatchUp(Pipeline pipeline, OrdersLog orders, Cluster admin, SourceTopics sources) {
  /** By then the cluster has noticed that an instance which stopped is gone. */
  private static final Duration LEAVING = Duration.ofSeconds(30);

  /** Instances that are started together follow the order of the first one. */
  private static final Duration TOGETHER = Duration.ofMinutes(1);

  /**
   * Enters the order, or goes on with the one that there is.
   *
   * @throws RefusedException if instances run that do not follow any
   */
  void order(Instant time) throws RefusedException {
    if (pipeline.window().clock() != WindowSpec.Clock.TICKS) {
      System.out.println(
          "note: --catch-up has no effect: under 'clock: records' no record is EARLY");
      return;
    }
    Instant now = time.truncatedTo(ChronoUnit.SECONDS);
    OperatorOrders said = orders.read(admin, sources);
    if (said.isCaughtUp() && (isRecent(said, now) || runs())) {
      say(
          Instant.ofEpochMilli(said.caughtUp()),
          ", as requested by an earlier start with " + "--catch-up");
      return;
    }
    if (!stops()) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "--catch-up: instances of the pipeline are running and would ignore it: an instance "
              + "reads this request only at its start. Stop all instances, then start them again "
              + "with --catch-up; nothing was changed");
    }
    orders.addCatchUp(now.toEpochMilli(), admin, sources);
    if (runs()) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "--catch-up: the request was recorded, but an instance started meanwhile and may "
              + "ignore it. Stop all instances, then start them again");
    }
    say(now, "");
  }

  private static boolean isRecent(OperatorOrders said, Instant now) {
    return said.caughtUp() >= now.minus(TOGETHER).toEpochMilli();
  }

  private boolean runs() throws RefusedException {
    return admin.groups().hasMembers(pipeline.applicationId());
  }

  private boolean stops() throws RefusedException {
    return admin
        .groups()
        .awaitStopped(
            pipeline.applicationId(),
            LEAVING,
            () -> System.out.println("waiting for the pipeline's instances to stop ..."));
  }

  private void say(Instant time, String by) {
    System.out.printf(
        "catching up with %s: records up to %s are not EARLY%s%n",
        pipeline.input().topics().phrase(), time, by);
  }
}
