// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.pipeline.DerivedSpec;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.OutputQuestion;
import io.sfumato.pipeline.OutputSpec;
import io.sfumato.pipeline.Problems;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.TopicNames;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a file publishes.
 *
 * @param releases that are drawn
 * @param derived what is made of their records
 * @param questions of those that are about something of their own
 */
record FileOutputs(
    List<ReleaseSpec> releases, List<DerivedSpec> derived, List<OutputQuestion> questions) {
  /**
   * Names, ledgers and topics: each is of one output.
   *
   * @param pipeline its name
   */
  void checkNames(String pipeline, InputSpec input, Problems problems) {
    Set<String> names = new HashSet<>();
    Set<String> ledgers = new HashSet<>();
    Set<String> topics = new HashSet<>(TopicNames.taken(pipeline, input));
    Stream.<OutputSpec>concat(releases.stream(), derived.stream())
        .forEach(
            output -> {
              if (!names.add(output.name())) {
                problems.conflict(
                    "field 'releases': two releases are named '" + output.name() + "'");
              }
              if (!topics.add(output.topic())) {
                problems.conflict(
                    "field 'releases': topic '"
                        + output.topic()
                        + "' is used twice; set 'topic' to another, and none of the pipeline's own");
              }
            });
    TopicNames.ownInput(
            pipeline,
            input,
            Stream.<OutputSpec>concat(releases.stream(), derived.stream())
                .map(OutputSpec::topic)
                .toList())
        .ifPresent(
            topic ->
                problems.conflict(
                    input.topics().pattern().isEmpty()
                        ? "field 'input.topic': found '%s', which is a topic of the pipeline itself; allowed is a topic of records"
                            .formatted(topic)
                        : "field 'input.topic': the pattern matches '%s', which is no topic of records; allowed is a pattern that matches no topic of a pipeline or of the cluster"
                            .formatted(topic)));
    for (ReleaseSpec release : releases) {
      if (!ledgers.add(release.share().ledger())) {
        problems.conflict(
            "field 'releases': two releases spend the ledger '"
                + release.share().ledger()
                + "'; give each a share of its own");
      }
    }
  }

  /** Whether what is derived has something to be made of. */
  void checkSources(Problems problems) {
    for (DerivedSpec made : derived) {
      made.conflicts(name -> releases.stream().filter(spec -> spec.name().equals(name)).findFirst())
          .forEach(problems::conflict);
    }
  }
}
