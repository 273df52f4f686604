// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.context;

import io.sfumato.pipeline.Pipeline;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Names of nodes, stores and headers. They are part of the state on disk: never rename one. */
public final class Names {
  /**
   * Header of a tick in the records' topic: a signed one, or an event time as eight bytes
   * big-endian or ISO-8601 text.
   */
  public static final String TICK_HEADER = "sfumato-tick";

  /** Header of every output that was drawn. */
  public static final String RELEASE_ID_HEADER = "sfumato-release-id";

  /** Header of every output that was drawn: digest of its guarantee. */
  public static final String GUARANTEE_HEADER = "sfumato-guarantee";

  /** Header of every output: version of the pipeline that made it. */
  public static final String VERSION_HEADER = "sfumato-pipeline-version";

  public static final String RECORDS = "records";
  public static final String INTAKE = "intake";
  public static final String CONTROL = "control";
  public static final String CONTROL_INTAKE = "control-intake";
  public static final String CANDIDATES = "candidates";
  public static final String CANDIDATE_INTAKE = "candidate-intake";
  public static final String CANDIDATE_ENTRIES = "candidate-entries";
  public static final String CANDIDATE_DEAD_LETTERS = "candidate-dead-letters";
  public static final String ENTRIES = "entries";
  public static final String JOURNAL = "journal";
  public static final String KEEPER = "keeper";
  public static final String USERS_JOURNAL = "users-journal";
  public static final String USERS = "users";
  public static final String COUNTED = "counted";
  public static final String DEAD_LETTERS = "dead-letters";
  public static final String REFUSALS = "refusals";

  // With a full stop, which no output's name has.
  public static final String RELEASED = "windows.released";
  public static final String ROWS = "outputs.rows";

  public static final String SOURCE_STORE = "source-store";
  public static final String DATASET_STORE = "dataset-store";
  public static final String SUBJECT_STORE = "subject-store";
  public static final String LEDGER_STORE = "ledger-store";
  public static final String QUERY_STORE = "query-store";
  public static final String META_STORE = "meta-store";
  public static final String CONTRIBUTION_STORE = "contribution-store";
  public static final String SUBJECTS_META_STORE = "subjects-meta-store";
  public static final String RUNNING_STORE = "running-store";
  public static final String NAME_STORE = "name-store";
  public static final String PERIOD_STORE = "period-store";
  public static final String CELL_STORE = "cell-store";

  private static final Set<String> PROCESSORS =
      Set.of(
          RECORDS,
          INTAKE,
          CONTROL,
          CONTROL_INTAKE,
          CANDIDATES,
          CANDIDATE_INTAKE,
          CANDIDATE_ENTRIES,
          CANDIDATE_DEAD_LETTERS,
          ENTRIES,
          JOURNAL,
          KEEPER,
          USERS_JOURNAL,
          USERS,
          COUNTED,
          DEAD_LETTERS,
          REFUSALS);

  /** What Kafka Streams adds to names that it is given. */
  private static final Pattern OF_KAFKA_STREAMS = Pattern.compile(".*-(repartition.*|sink)");

  private static final List<String> ALL_STORES =
      List.of(
          SOURCE_STORE,
          DATASET_STORE,
          SUBJECT_STORE,
          LEDGER_STORE,
          QUERY_STORE,
          META_STORE,
          CONTRIBUTION_STORE,
          SUBJECTS_META_STORE,
          RUNNING_STORE,
          NAME_STORE,
          PERIOD_STORE,
          CELL_STORE);

  public static final String INTAKE_COMMIT = "intake-commit";
  public static final String KEEPER_COMMIT = "keeper-commit";
  public static final String USERS_COMMIT = "users-commit";

  private Names() {}

  /**
   * The sink of an output: its name, unless a processor may have that. No output has a point in its
   * name.
   */
  public static String sink(String output) {
    return PROCESSORS.contains(output) || OF_KAFKA_STREAMS.matcher(output).matches()
        ? output + ".output"
        : output;
  }

  /** The headers of every output. */
  public static Headers headers(Pipeline pipeline) {
    Headers headers = new RecordHeaders();
    headers.add(
        VERSION_HEADER, Integer.toString(pipeline.version()).getBytes(StandardCharsets.UTF_8));
    return headers;
  }

  /** A store's changelog, which Kafka Streams names. */
  public static String changelogTopic(String applicationId, String store) {
    return applicationId + "-" + store + "-changelog";
  }

  /** The stores that a pipeline may have: each has a changelog. */
  public static List<String> stores(Pipeline pipeline) {
    List<String> stores = new ArrayList<>(List.of(SOURCE_STORE, DATASET_STORE));
    stores.addAll(List.of(LEDGER_STORE, META_STORE));
    if (pipeline.subjects() != Pipeline.Subjects.LISTED) {
      stores.add(SUBJECT_STORE);
    }
    if (pipeline.population().isPresent()) {
      stores.addAll(List.of(CONTRIBUTION_STORE, SUBJECTS_META_STORE));
    }
    if (!pipeline.queries().isEmpty()) {
      stores.add(QUERY_STORE);
    }
    if (pipeline.remembers()) {
      stores.add(RUNNING_STORE);
    }
    if (pipeline.input().discovers()) {
      stores.add(NAME_STORE);
    }
    if (pipeline.boundsNamesOfPeriods()) {
      stores.add(PERIOD_STORE);
    }
    if (pipeline.lastOfUsers() > 1) {
      stores.add(CELL_STORE);
    }
    return stores;
  }

  /** The changelogs of a pipeline, which Kafka Streams names. */
  public static List<String> changelogTopics(Pipeline pipeline) {
    return stores(pipeline).stream()
        .map(store -> changelogTopic(pipeline.applicationId(), store))
        .toList();
  }

  /** The topics that hold a pipeline's state: its journals, then its changelogs. */
  public static List<String> stateTopics(Pipeline pipeline) {
    List<String> topics = new ArrayList<>(journalTopics(pipeline));
    topics.addAll(changelogTopics(pipeline));
    return topics;
  }

  /**
   * Whether a topic is a changelog of an application, of whatever file. By its whole name: the name
   * of a budget may begin with another's.
   */
  public static boolean isChangelogOf(String applicationId, String topic) {
    return ALL_STORES.stream().anyMatch(s -> topic.equals(changelogTopic(applicationId, s)));
  }

  /** Whether a topic is a journal or a changelog of an application, of whatever file. */
  public static boolean isInternalTo(String applicationId, String topic) {
    return isChangelogOf(applicationId, topic)
        || topic.equals(journalTopic(applicationId, JOURNAL))
        || topic.equals(journalTopic(applicationId, USERS_JOURNAL));
  }

  private static String journalTopic(String applicationId, String journal) {
    return applicationId + "-" + journal + "-repartition";
  }

  /** The store of a keeper of subjects: with users before it the ledger is theirs. */
  public static String keeperMeta(Pipeline pipeline) {
    return pipeline.population().isPresent() ? SUBJECTS_META_STORE : META_STORE;
  }

  /** The journals' topics, which Kafka Streams names. */
  public static List<String> journalTopics(Pipeline pipeline) {
    String subjects = journalTopic(pipeline.applicationId(), JOURNAL);
    String users = journalTopic(pipeline.applicationId(), USERS_JOURNAL);
    return pipeline.population().isPresent() ? List.of(users, subjects) : List.of(subjects);
  }
}
