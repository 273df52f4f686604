// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.util.function.Consumer;

/**
 * Says once that a cluster does not answer, or takes no writes, and once that it does again:
 * Kafka's own log, which would repeat it for ever, is off.
 */
final class ClusterReachability {
  /** A single answer may be late, and so may be a commit after the cluster was gone. */
  private static final int LOST = 2;

  private final String servers;
  private final Consumer<String> out;
  private int missed;
  private int stuck;

  /**
   * @param servers that are asked, for the message
   * @param out takes whole sentences
   */
  ClusterReachability(String servers, Consumer<String> out) {
    this.servers = servers;
    this.out = out;
  }

  /** The cluster did not answer. */
  void missed() {
    missed = Math.min(missed, LOST) + 1;
    if (missed == LOST) {
      out.accept(
          "no Kafka cluster answers at "
              + servers
              + " any more; the pipeline continues when a broker answers (no data lost, no "
              + "double charge)");
    }
  }

  /**
   * The cluster has answered.
   *
   * @param writes whether it completes transactions
   */
  void heard(boolean writes) {
    if (missed >= LOST) {
      out.accept("the Kafka cluster answers again");
    }
    missed = 0;
    if (writes) {
      if (stuck >= LOST) {
        out.accept("the Kafka cluster completes transactions again");
      }
      stuck = 0;
      return;
    }
    stuck = Math.min(stuck, LOST) + 1;
    if (stuck == LOST) {
      out.accept(
          "the Kafka cluster answers, but does not complete transactions: brokers are down, or "
              + "fewer replicas than min.insync.replicas are in sync. The pipeline continues when "
              + "they are back (no data lost, no double charge)");
    }
  }
}
