// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.pipeline.Pipeline;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Names of nodes, stores and headers. They are part of the state on disk: never rename one. */
public final class Names {
  /**
   * Header of a tick in the records' topic: event time, as eight bytes big-endian or ISO-8601 text.
   */
  public static final String TICK_HEADER = "sfumato-tick";

  /** Header of every output that was drawn. */
  public static final String RELEASE_ID_HEADER = "sfumato-release-id";

  /** Header of every output that was drawn: digest of its guarantee. */
  public static final String GUARANTEE_HEADER = "sfumato-guarantee";

  /** Header of every output: version of the pipeline that made it. */
  public static final String VERSION_HEADER = "sfumato-pipeline-version";

  static final String RECORDS = "records";
  static final String INTAKE = "intake";
  static final String CONTROL = "control";
  static final String CONTROL_INTAKE = "control-intake";
  static final String CANDIDATES = "candidates";
  static final String CANDIDATE_INTAKE = "candidate-intake";
  static final String CANDIDATE_ENTRIES = "candidate-entries";
  static final String CANDIDATE_DEAD_LETTERS = "candidate-dead-letters";
  static final String ENTRIES = "entries";
  static final String JOURNAL = "journal";
  static final String KEEPER = "keeper";
  static final String USERS_JOURNAL = "users-journal";
  static final String USERS = "users";
  static final String COUNTED = "counted";
  static final String DEAD_LETTERS = "dead-letters";
  static final String REFUSALS = "refusals";

  static final String SOURCE_STORE = "source-store";
  static final String DATASET_STORE = "dataset-store";
  static final String SUBJECT_STORE = "subject-store";
  static final String LEDGER_STORE = "ledger-store";
  static final String QUERY_STORE = "query-store";
  static final String META_STORE = "meta-store";
  static final String CONTRIBUTION_STORE = "contribution-store";
  static final String SUBJECTS_META_STORE = "subjects-meta-store";
  static final String RUNNING_STORE = "running-store";

  static final String INTAKE_COMMIT = "intake-commit";
  static final String KEEPER_COMMIT = "keeper-commit";
  static final String USERS_COMMIT = "users-commit";

  private Names() {}

  /** The headers of every output. */
  static Headers headers(Pipeline pipeline) {
    Headers headers = new RecordHeaders();
    headers.add(
        VERSION_HEADER, Integer.toString(pipeline.version()).getBytes(StandardCharsets.UTF_8));
    return headers;
  }

  /** A store's changelog, which Kafka Streams names. */
  public static String changelogTopic(String applicationId, String store) {
    return applicationId + "-" + store + "-changelog";
  }

  /** The store of a keeper of subjects: with users before it the ledger is theirs. */
  static String keeperMeta(Pipeline pipeline) {
    return pipeline.population().isPresent() ? SUBJECTS_META_STORE : META_STORE;
  }

  /** The journals' topics, which Kafka Streams names. */
  public static List<String> journalTopics(Pipeline pipeline) {
    String subjects = pipeline.applicationId() + "-" + JOURNAL + "-repartition";
    String users = pipeline.applicationId() + "-" + USERS_JOURNAL + "-repartition";
    return pipeline.population().isPresent() ? List.of(users, subjects) : List.of(subjects);
  }
}
