// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which topics a file may name. Whoever writes one says what a cluster allows its pipeline: a name
 * that is a budget's own would be a right on that budget's ledger.
 */
public final class TopicNames {
  /** What the topics of every budget begin with. */
  private static final String BUDGETS = "sfumato-";

  /** A budget's changelogs, journals and registry; and what all accounts share. */
  private static final Pattern OF_A_BUDGET =
      Pattern.compile(BUDGETS + "(.+-(changelog|repartition|registry)|accounts)");

  /** Where brokers keep the offsets and transactions of everybody. */
  private static final Set<String> OF_THE_CLUSTER =
      Set.of("__consumer_offsets", "__transaction_state", "__share_group_state");

  /** What the topics of a cluster itself begin with. */
  private static final String OF_CLUSTERS = "__";

  /** Such as every budget has. */
  private static final String INTERNAL = "sfumato-b-journal-repartition";

  private static final List<String> OWN =
      List.of(
          "-refusals",
          "-released",
          "-dead-letters",
          "-control",
          "-candidates",
          "-registry",
          ".rows");

  private TopicNames() {}

  /** Refuses a pipeline whose topics would be called like a budget's. */
  public static void checkPipeline(Fields file, String field, String name, String rule) {
    if (name.startsWith(BUDGETS)) {
      file.problem(
          field,
          "found '" + name + "'",
          rule + ", and not '" + BUDGETS + "' first: so begin budgets");
    }
  }

  /** Refuses a topic that belongs to a budget, this one or another, or to the cluster. */
  public static void checkTopic(Fields fields, String field, String topic) {
    if (OF_A_BUDGET.matcher(topic).matches()) {
      fields.problem(
          field,
          "found '" + topic + "'",
          "any topic but those of budgets: sfumato-accounts, and sfumato-...-changelog,"
              + " -repartition and -registry");
    }
    if (OF_THE_CLUSTER.contains(topic)) {
      fields.problem(field, "found '" + topic + "'", "any topic but those of the cluster itself");
    }
  }

  /** Whether a topic is a budget's, or the cluster's own: no pattern reads it. */
  public static boolean isReserved(String topic) {
    return OF_A_BUDGET.matcher(topic).matches() || topic.startsWith(OF_CLUSTERS);
  }

  /** Whether topics of budgets, or the cluster's own, may begin so. */
  public static boolean mayBeReserved(String prefix) {
    return Stream.of(BUDGETS, OF_CLUSTERS)
        .anyMatch(start -> start.startsWith(prefix) || prefix.startsWith(start));
  }

  /** What no output may be called: the inputs, and what a pipeline has beside its outputs. */
  public static List<String> taken(String pipeline, InputSpec input) {
    return Stream.concat(input.topics().names().stream(), own(pipeline)).toList();
  }

  private static Stream<String> own(String pipeline) {
    return OWN.stream().map(end -> pipeline + end);
  }

  /**
   * A topic of the pipeline itself that is named as an input, or that a pattern of its inputs
   * matches; nothing if there is none.
   *
   * @param outputs topics of its outputs
   */
  public static Optional<String> ownInput(
      String pipeline, InputSpec input, Collection<String> outputs) {
    return input.topics().pattern().isEmpty()
        ? own(pipeline).filter(input.topics()::include).findFirst()
        : Stream.of(own(pipeline), outputs.stream(), OF_THE_CLUSTER.stream(), Stream.of(INTERNAL))
            .flatMap(topics -> topics)
            .filter(input.topics()::include)
            .sorted()
            .findFirst();
  }
}
