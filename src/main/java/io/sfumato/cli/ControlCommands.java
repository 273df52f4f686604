// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.client.EventPublisher;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.schema.ControlEntry;
import io.sfumato.serde.Outputs;
import java.util.List;

/** Writes operators' commands to a pipeline's control topic. */
final class ControlCommands {
  private ControlCommands() {}

  /**
   * Refuses names that nobody has, before anything is sent.
   *
   * @throws RefusedException if one is empty
   */
  static void requireNames(List<String> subjects) throws RefusedException {
    if (subjects.stream().anyMatch(String::isEmpty)) {
      throw new RefusedException(
          ExitCode.USAGE,
          "a subject's name is empty; nothing was sent: give names that records have");
    }
  }

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
