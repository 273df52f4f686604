// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.client.Synthesis;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.abc.AbcSpec;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Of which release a posterior is, and what is drawn from it. */
final class SynthesisOptions {
  private static final int MOST_DATASETS = 1_000_000;

  @Option(
      names = "--release",
      paramLabel = "NAME",
      description = "Name of the abc release that answers; by default the only one.")
  private Optional<String> release = Optional.empty();

  @Option(
      names = "--datasets",
      paramLabel = "K",
      description = "Synthetic datasets, each of one draw from the posterior; by default 10.")
  private int datasets = 10;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      description = "PUBLIC seed: another one draws other candidates and datasets.")
  private long seed = 1;

  int datasets() {
    return datasets;
  }

  long seed() {
    return seed;
  }

  /** Before anything is asked. */
  void require(JsonOrText output) {
    output.within("--datasets", datasets, 1, MOST_DATASETS);
  }

  /** The release of a file. */
  AbcSpec abc(Path file, Pipeline pipeline) throws RefusedException {
    return Chosen.of(
        file,
        AbcSpec.of(pipeline),
        AbcSpec::name,
        release,
        "answers no queries; add a release '- abc: {...}'");
  }

  Synthesis into(Path csv) {
    return new Synthesis(csv, datasets, seed);
  }
}
