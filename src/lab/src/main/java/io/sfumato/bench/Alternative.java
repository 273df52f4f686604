// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import io.sfumato.runtime.RefusedException;
import java.util.Properties;
import java.util.function.LongSupplier;
import org.apache.kafka.streams.Topology;

/** One way to do the work. */
interface Alternative {
  String name();

  /**
   * Makes ready what must be there before the start.
   *
   * @param topic of the events
   * @param id unique in the cluster
   */
  Prepared prepare(Arena arena, String topic, String id) throws RefusedException;

  /**
   * A topology that is ready to start.
   *
   * @param counted events that were counted so far
   * @param released subjects of closed windows that were released so far
   */
  record Prepared(
      Topology topology, Properties settings, LongSupplier counted, LongSupplier released) {}
}
