// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;

/** The embedded broker's libraries, which an installation for production lacks. */
public final class BrokerPart {
  private static final String BROKER = "kafka.server.KafkaRaftServer";

  private BrokerPart() {}

  /**
   * To be called before anything that starts a broker.
   *
   * @throws RefusedException if there is none on the class path
   */
  public static void require() throws RefusedException {
    try {
      Class.forName(BROKER, false, BrokerPart.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "this installation has no embedded broker (production does not need one): name a "
              + "cluster with --bootstrap-servers HOST:PORT, or use "
              + "the image target 'demo', the Debian package sfumato-demo or a source checkout");
    }
  }
}
