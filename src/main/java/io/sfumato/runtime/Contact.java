// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.util.function.Consumer;

/**
 * Says once that a cluster does not answer any more, and once that it does again: Kafka's own log,
 * which would repeat it for ever, is off.
 */
final class Contact {
  /** A single answer may be late. */
  private static final int LOST = 2;

  private final String servers;
  private final Consumer<String> out;
  private int missed;

  /**
   * @param servers that are asked, for the message
   * @param out takes whole sentences
   */
  Contact(String servers, Consumer<String> out) {
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
              + " any more; nothing is lost or charged twice, and the pipeline goes on when it is"
              + " back");
    }
  }

  /** The cluster has answered. */
  void heard() {
    if (missed >= LOST) {
      out.accept("the Kafka cluster answers again");
    }
    missed = 0;
  }
}
