// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.release.PipelineFile;
import io.sfumato.release.Plan;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A command about the pipeline of a file, which prints facts for people or for programs. */
abstract class PipelineCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "FILE", description = "Pipeline file.")
  Path file;

  @Mixin JsonOrText output;

  final Pipeline pipeline() throws PipelineFileException {
    return PipelineFile.read(file);
  }

  final Plan plan() throws PipelineFileException {
    return planOf(file);
  }

  static Plan planOf(Path file) throws PipelineFileException {
    return Plan.of(file.toString(), PipelineFile.read(file));
  }

  /** The same of a pipeline that runs on a cluster. */
  abstract static class OnCluster extends PipelineCommand {
    @Mixin ClusterOptions cluster;
  }

  /** The same, where the folder of an embedded cluster says which, and no secret is needed. */
  abstract static class OnNearbyCluster extends OnCluster {
    @Mixin FolderOptions nearby;

    final KafkaSettings reach(Pipeline pipeline) throws RefusedException {
      return cluster.reach(pipeline.kafka(), nearby.folder);
    }
  }
}
