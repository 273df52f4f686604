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
  /** The subject's field is missing, empty, longer than 256 bytes, or not plain text. */
  NO_SUBJECT,
  /** The time's field is missing or is neither ISO-8601 with an offset nor milliseconds. */
  NO_TIME,
  /** The event time is before 1900 or more than a day after the record's Kafka timestamp. */
  TIME_OUT_OF_RANGE,
  /** The category's field is missing. */
  NO_CATEGORY,
  /** The category is not in the pipeline file, which names no category for others. */
  UNKNOWN_CATEGORY,
  /** The window had closed before the record was read from its partition. */
  LATE,
  /** The event lies too far beyond the last tick. */
  EARLY,
  /** A tick header that is not eight bytes. */
  BAD_TICK,
  /** An entry of the control topic that this program did not write. */
  BAD_CONTROL
}
