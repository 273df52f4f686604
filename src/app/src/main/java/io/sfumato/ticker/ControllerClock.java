// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ticker;

import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.util.OptionalLong;

/**
 * The clock of the cluster's controller, for topics whose records carry their producers' times: it
 * states its time where it describes its quorum. That needs the right DESCRIBE on the cluster.
 */
final class ControllerClock implements AutoCloseable {
  private final Cluster cluster;
  private final String topic;

  /** A clock that can be asked. */
  interface Clock {
    /**
     * Asks it.
     *
     * @throws RefusedException if it does not answer, or does not state its time
     */
    ClockReading ask() throws RefusedException;
  }

  /**
   * @param cluster closed with this
   * @param topic of the records, or several in one text, for messages
   */
  ControllerClock(Cluster cluster, String topic) {
    this.cluster = cluster;
    this.topic = topic;
  }

  ClockReading ask() throws RefusedException {
    Moment asked = Moment.now();
    return new ClockReading(require(cluster, topic), asked, Moment.now());
  }

  /**
   * The controller's time, milliseconds since 1970.
   *
   * @throws RefusedException if it does not state it: then no clock limits this machine's
   */
  static long require(Cluster cluster, String topic) throws RefusedException {
    OptionalLong time = cluster.controllerTime();
    if (time.isEmpty()) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          ("no clock to compare with: producers set the timestamps of topic %s (CreateTime), "
                  + "and this principal may not ask the cluster's controller for its time. Grant "
                  + "DESCRIBE on the cluster (sfumato doctor --rights prints the command), or set "
                  + "message.timestamp.type=LogAppendTime on the topic, or write 'ticks: external'")
              .formatted(topic));
    }
    return time.getAsLong();
  }

  @Override
  public void close() {
    cluster.close();
  }
}
