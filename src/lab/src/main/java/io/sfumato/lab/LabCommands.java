// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.lab;

import io.sfumato.cli.CommandProvider;
import java.util.Map;

/** The commands of the lab. */
public final class LabCommands implements CommandProvider {
  @Override
  public Map<String, Class<?>> commands() {
    return Map.of("bench", BenchCommand.class, "experiment", ExperimentCommand.class);
  }
}
