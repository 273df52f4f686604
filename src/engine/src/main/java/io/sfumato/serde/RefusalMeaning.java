// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.schema.RefusalCode;

/**
 * What the codes of refusals mean. Avro generates {@link RefusalCode} from its schema, so their
 * sentences are declared here, in the same order; docs/reference/codes.md prints them.
 */
public enum RefusalMeaning {
  EXHAUSTED(
      Refused.EITHER,
      "The budget has 'period: lifetime', and this subject's share is spent. Published once "
          + "for a subject and output.",
      "Nothing more will come: the share has ended for good. 'sfumato plan' says after how "
          + "many windows."),
  PERIOD_SPENT(
      Refused.EITHER,
      "The share of this budget period is spent; with 'any', some span that the window "
          + "touches has no room. Published for each window.",
      "Wait for the next period. Queries that had begun continue, because they were charged "
          + "as a whole."),
  UNKNOWN_SUBJECT(
      Refused.CANDIDATE,
      "The window holds no record of the subject, or the subject is not on the roster.",
      "Correct the subject or the window, or enrol the subject."),
  DATASET_GONE(
      Refused.CANDIDATE,
      "The window closed more than 'keep' windows ago, so its dataset was deleted.",
      "Ask earlier, or raise 'keep'. Answers that were given are still repeated."),
  BEYOND_QUERY(
      Refused.CANDIDATE,
      "The candidate's number is not below the query's number of candidates.",
      "Number the candidates of a query from 0."),
  CONTENTS_DIFFER(
      Refused.CANDIDATE,
      "This candidate of the query was sent before with other contents.",
      "Send another candidate in a new query."),
  QUERY_DIFFERS(
      Refused.CANDIDATE,
      "The query began with another number of candidates or another window.",
      "Use a new query id."),
  QUERY_OVER(
      Refused.CANDIDATE,
      "Sparse vector: the query has given all of its planned acceptances.",
      "Begin a new query if the share allows one."),
  WAITING_LIMIT(
      Refused.CANDIDATE,
      "Too many candidates, or too many bytes, of this subject wait for open windows.",
      "Send fewer at once, or raise the limits in 'waiting'."),
  EXPIRED(
      Refused.CANDIDATE,
      "The candidate waited longer than 'waiting.time', measured by the largest Kafka "
          + "timestamp of all watermarks so far. The refusal has that timestamp.",
      "Send it again after the window has closed."),
  VERSION_CHANGED(
      Refused.CANDIDATE,
      "The window belongs to another version of the pipeline file, or the ledger was sealed "
          + "while the window was open. Of a candidate that waited, the refusal has the timestamp "
          + "of the activation or seal.",
      "Ask the version that the window belongs to, or ask about a later window."),
  OPERATOR_SKIPPED(
      Refused.EITHER,
      "The release or answer could not be made, and an operator skipped it: it is charged "
          + "and will not come.",
      "Report the failure that the log names."),
  NO_BOUNDS(
      Refused.WINDOW,
      "The release has 'bounds: auto', and no bounds have been found yet. Nothing was drawn "
          + "or charged; published for each window.",
      "Wait for the release that finds bounds."),
  LIST_FULL(
      Refused.WINDOW,
      "A partition's list of discovered subjects is full, so no more were looked for in "
          + "this window. Published once for a window and partition, without a subject.",
      "Raise 'most', or protect the topic from invented users."),
  TOO_MANY_EVENTS(
      Refused.EITHER,
      "With unit record and 'input.id', the subject had more than 10,000 events in the window, "
          + "so that copies could no longer be told apart. Nothing was drawn or charged; published "
          + "for each window.",
      "Choose shorter windows or more subjects, or remove 'input.id'."),
  OTHER(
      Refused.EITHER,
      "A newer program published a code that this program's schema does not have.",
      "Read the topic with a newer version of the schema.");

  /** What is refused. */
  public enum Refused {
    /** The release of a closed window. */
    WINDOW,
    /** A candidate of a query. */
    CANDIDATE,
    /** Either of them. */
    EITHER
  }

  private final Refused refused;
  private final String meaning;
  private final String remedy;

  RefusalMeaning(Refused refused, String meaning, String remedy) {
    this.refused = refused;
    this.meaning = meaning;
    this.remedy = remedy;
  }

  /**
   * The meaning of a code.
   *
   * @throws IllegalArgumentException if the schema has a code without a meaning
   */
  public static RefusalMeaning of(RefusalCode code) {
    return valueOf(code.name());
  }

  /** What is refused with this code. */
  public Refused refused() {
    return refused;
  }

  /** What happened. */
  public String meaning() {
    return meaning;
  }

  /** What to do. */
  public String remedy() {
    return remedy;
  }
}
