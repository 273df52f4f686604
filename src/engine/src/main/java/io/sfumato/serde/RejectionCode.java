// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

/** Why a record is no event. Stands in dead letters and metrics; says nothing of the content. */
public enum RejectionCode {
  /** The record has no value. */
  NULL_VALUE,
  /** The subject is the record's key, and the key is missing. */
  NULL_KEY,
  /** The value is larger than {@code input.max-bytes}. */
  TOO_LARGE,
  /** The value is not of the declared format. */
  MALFORMED,
  /** An Avro record whose schema nobody knows, or which is no Avro schema. */
  UNKNOWN_SCHEMA,
  /**
   * The record's schema lacks a field that the pipeline file names, or has it with a wrong type.
   */
  SCHEMA_MISMATCH,
  /** The subject's field is missing, empty, longer than 256 bytes, or not plain text. */
  NO_SUBJECT,
  /** The user's field is missing, empty, longer than 256 bytes, or not plain text. */
  NO_USER,
  /** The subject is not in the pipeline file's list. */
  UNLISTED_SUBJECT,
  /** The time's field is missing; the Kafka timestamp or header that the time is read from, too. */
  NO_TIME,
  /** The time is not written as {@code input.time-format} and {@code input.zone} say. */
  TIME_UNREADABLE,
  /** As milliseconds since 1970 the number is a time before 1990 or after 2100. */
  TIME_IMPLAUSIBLE,
  /**
   * The time of an event or tick is before 1900, after the year 9999, or further than {@code
   * window.max-ahead} after the record's Kafka timestamp; or, of an event under a roster or list,
   * so far after it that more than {@code window.max-jump} windows would close.
   */
  TIME_OUT_OF_RANGE,
  /**
   * The category's field is missing; or no item of the array has one. Where nobody listed any,
   * also: it is empty, longer than 256 bytes, or not plain text.
   */
  NO_CATEGORY,
  /**
   * The category is not in the pipeline file, which names no category for others; of an array, no
   * item's is.
   */
  UNKNOWN_CATEGORY,
  /** A number is missing, not finite or beyond 1e12. */
  BAD_VALUE,
  /**
   * The window lies before {@code window.begin}, or had closed before the record was read from its
   * partition.
   */
  LATE,
  /** The event lies too far beyond the later of {@code window.begin} and the last tick. */
  EARLY,
  /** A tick that nobody signed, where the pipeline file does not say {@code ticks: trusted}. */
  UNSIGNED_TICK,
  /** A tick for this budget that was signed with another key. */
  OTHER_KEY_TICK,
  /**
   * A tick header that is none of the forms, or whose signature is not for its budget, partition
   * and time.
   */
  BAD_TICK,
  /** An operator said that the record does not count: {@code sfumato skip-record}. */
  SKIPPED,
  /** An entry of the control topic that this program did not write. */
  BAD_CONTROL,
  /** Not an {@code AbcCandidate}, or its query id or subject has not the right form. */
  BAD_CANDIDATE,
  /** A candidate for an output that the pipeline file does not have. */
  UNKNOWN_OUTPUT,
  /** A query of no candidates, of more than the pipeline file allows, or a negative number. */
  BAD_QUERY_SIZE,
  /** A candidate's window_start is no window's start, or not between 1900 and 9999. */
  BAD_WINDOW,
  /** Parameters that are not finite, or more than 100. */
  BAD_PARAMETERS,
  /** Pseudo-data that is missing, given twice, empty, not finite or of the wrong dimension. */
  BAD_PSEUDO_DATA,
  /** A mean that is not finite, of the wrong dimension, or that no pseudo-data can have. */
  BAD_FEATURE_MEAN
}
