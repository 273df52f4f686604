// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.topology.context.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Why a pipeline stops when its topics change under it, and what to do. */
final class ChangedTopics {
  private final Pipeline pipeline;

  ChangedTopics(Pipeline pipeline) {
    this.pipeline = pipeline;
  }

  /** What the settings of its own topics must be. */
  TopicRules rules() {
    return new TopicRules(pipeline);
  }

  /** Every topic that a pipeline reads, writes or owns. */
  List<String> watched() {
    List<String> topics = new ArrayList<>(Names.stateTopics(pipeline));
    topics.addAll(pipeline.writtenTopics());
    topics.addAll(pipeline.input().topics().names());
    topics.add(pipeline.controlTopic());
    if (!pipeline.queries().isEmpty()) {
      topics.add(pipeline.candidatesTopic());
    }
    return topics.stream().distinct().toList();
  }

  /** The reason that weighs most: lost state before lost records before lost outputs. */
  RefusedException reason(TopicWatch.Changes changes) {
    Set<String> gone = new TreeSet<>(changes.deleted());
    gone.addAll(changes.recreated());
    List<String> state =
        Names.stateTopics(pipeline).stream().filter(gone::contains).sorted().toList();
    if (!state.isEmpty()) {
      return new RefusedException(
          ExitCode.STOPPED,
          "topics of the pipeline's state were deleted or created again while it ran: "
              + state
              + ". The pipeline stopped before releasing anything that is missing in them; see "
              + "docs/operate/backup.md");
    }
    List<String> records =
        pipeline.input().topics().names().stream().filter(gone::contains).toList();
    if (!records.isEmpty()) {
      return new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "the records' topic "
              + String.join(", ", records)
              + " was deleted or re-created while the pipeline ran, so its records are new "
              + "ones: carry the ledger over (sfumato ledger export OLD --stopped --for NEW, "
              + "sfumato ledger import NEW)");
    }
    if (!changes.resized().isEmpty()) {
      return resized(changes);
    }
    return new RefusedException(
        ExitCode.REFUSED_CLUSTER,
        "topics that outputs go to were deleted: "
            + gone
            + "; no data lost, no double charge: start again, which re-creates them and "
            + "continues where it stopped");
  }

  private RefusedException resized(TopicWatch.Changes changes) {
    Optional<String> input =
        pipeline.input().topics().names().stream()
            .filter(changes.resized()::containsKey)
            .findFirst();
    return new RefusedException(
        ExitCode.REFUSED_CLUSTER,
        input.isEmpty()
            ? "the number of partitions was changed of "
                + changes.resized().keySet()
                + ". Outputs of one subject would lie in two partitions: carry the ledger over to a"
                + " pipeline with other topics (sfumato ledger export OLD --stopped --for NEW,"
                + " sfumato ledger import NEW)"
            : "the records' topic %s has %d partitions now, but this pipeline reads only those that it started with. Records in the others would not count. No data lost, no double charge: carry the ledger over (sfumato ledger export OLD --stopped --for NEW, sfumato ledger import NEW) and start with all partitions"
                .formatted(input.get(), changes.resized().get(input.get())));
  }
}
