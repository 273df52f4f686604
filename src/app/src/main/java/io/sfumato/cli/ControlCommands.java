// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.client.EventPublisher;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.schema.ControlEntry;
import io.sfumato.serde.Outputs;
import java.util.List;

/** Writes operators' commands to a pipeline's control topic. */
final class ControlCommands {
  private ControlCommands() {}

  static void send(KafkaSettings settings, Pipeline pipeline, List<ControlEntry> entries)
      throws RefusedException {
    try (EventPublisher publisher = new EventPublisher(settings)) {
      for (ControlEntry entry : entries) {
        String key = entry.getSubject() == null ? pipeline.name() : entry.getSubject();
        publisher.event(pipeline.controlTopic(), key, Outputs.encode(entry));
      }
      publisher.flush();
    }
  }
}
