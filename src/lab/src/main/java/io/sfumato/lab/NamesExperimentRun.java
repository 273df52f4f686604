// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.lab;

import io.sfumato.experiment.Experiment;
import io.sfumato.experiment.NamesExperiment;
import io.sfumato.workload.NameSetting;
import java.nio.file.Path;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Names that nobody listed, over a made-up stream. */
final class NamesExperimentRun extends ExperimentRun {
  private static final int SAMPLE = 100;

  @Option(
      names = "--full",
      description =
          "All 10 million users (about a minute, 1 GB), by the library alone; by default 100,000 of"
              + " them. The same stream through a pipeline on a broker: sfumato bench --only names.")
  private boolean full;

  @Option(
      names = "--per-name",
      paramLabel = "K",
      defaultValue = "1",
      description = "Records of a user that count for one name at most; by default 1.")
  private int perName;

  @Option(
      names = "--test-every",
      paramLabel = "E",
      defaultValue = "10",
      description = "Names are tested at the end of every E-th window; by default 10.")
  private int every;

  @Override
  Experiment experiment(Path folder) {
    if (perName < 1 || perName > NameSetting.RECORDS) {
      throw bad("--per-name", perName, NameSetting.RECORDS);
    }
    if (every < 1 || every > NameSetting.WINDOWS) {
      throw bad("--test-every", every, NameSetting.WINDOWS);
    }
    int users = NameSetting.ALL_USERS / (full ? 1 : SAMPLE);
    return new NamesExperiment(folder, users, perName, every);
  }

  private ParameterException bad(String option, int found, int most) {
    return new ParameterException(
        spec.commandLine(), "%s: found %d, allowed is 1 to %d".formatted(option, found, most));
  }
}
