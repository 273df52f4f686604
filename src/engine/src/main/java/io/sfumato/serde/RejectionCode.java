// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

/**
 * Why a record, tick, command or candidate is refused. Dead letters and metrics carry the name;
 * docs/reference/codes.md prints the sentences. No code says anything of a record's content.
 */
public enum RejectionCode {
  NULL_KEY(
      "'input.subject' or 'input.user' reads the record's key, and the record has no key.",
      "Have the producer set the key, or name a field of the value in the pipeline file."),
  TOO_LARGE(
      "The value is larger than 'input.max-bytes'.",
      "Send smaller records, or raise 'input.max-bytes'."),
  MALFORMED(
      "The value or key is not in the declared format, is not valid UTF-8, or has two "
          + "fields or headers with the same name.",
      "Correct the producer's encoding, or 'input.format' and 'input.key-format'."),
  UNKNOWN_SCHEMA(
      "Neither the program nor the schema registry has a usable schema for the record.",
      "Check that the producer registers its schemas in the registry that the pipeline reads."),
  SCHEMA_MISMATCH(
      "The record's schema lacks a field that the pipeline file names, or declares it with "
          + "an unusable type.",
      "Add the field to the producer's schema, or correct its name in the pipeline file."),
  NO_SUBJECT(
      "The subject is missing, empty, longer than 256 bytes, or not usable as a name.",
      "Correct the producer, or 'input.subject'."),
  NO_USER(
      "The user is missing, empty, longer than 256 bytes, or not usable as a name.",
      "Correct the producer, or 'input.user'."),
  NO_ID(
      "The id of the event is missing, empty, longer than 256 bytes, or not usable as a name.",
      "Correct the producer, or 'input.id'."),
  UNLISTED_SUBJECT(
      "The subject is not in the list 'subjects' of the pipeline file.",
      "Correct the name, or add the subject to the list in a new version of the file."),
  NO_TIME(
      "The record has no event time where 'input.time' says that it is.",
      "Correct the producer, or 'input.time'."),
  TIME_UNREADABLE(
      "The time is not written as 'input.time-format' and 'input.zone' say, or its schema "
          + "declares another type. If the time has only digits and punctuation, the hint shows "
          + "its form, with 9 for each digit.",
      "Correct the producer, 'input.time-format' or 'input.zone'."),
  TIME_IMPLAUSIBLE(
      "Read as milliseconds since 1970, the number is a time before 1990 or after 2100.",
      "Set 'input.time-format' to the format that the hint names, such as epoch-s."),
  TIME_OUT_OF_RANGE(
      "The time of a record or tick is before 1900, after the year 9999, or more than "
          + "'window.max-ahead' after its Kafka timestamp. With a roster or a list of subjects: "
          + "or the record claims a time that would close more than 'window.max-jump' windows.",
      "Correct the producer's clock. For history with such times, raise 'window.max-ahead'."),
  NO_CATEGORY(
      "The category is missing or not usable as a name; of an array, no item is usable.",
      "Correct the producer, or 'input.category'."),
  UNKNOWN_CATEGORY(
      "The category is not in 'input.categories', and the file has no 'input.other'; of an "
          + "array, no item is in the list.",
      "Add the category in a new version of the file, or collect unknown ones with "
          + "'input.other'."),
  BAD_VALUE(
      "A number is missing (unit user: a weight), not a number, or above 1e12 in magnitude, or a "
          + "weight is below 1.",
      "Correct the producer. A decimal comma is a frequent cause."),
  LATE(
      "The record's window lies before 'window.begin', or had already closed when the "
          + "record was read.",
      "If many records are late, raise 'window.grace', or let ticks come later."),
  EARLY(
      "The event time is more than 'window.ahead' after the last tick, or after "
          + "'window.begin' before the first tick.",
      "Write ticks. To read the past of a topic, start with 'run --catch-up' or raise "
          + "'window.ahead'."),
  UNSIGNED_TICK(
      "The tick is not signed, and the file does not set 'window.ticks' to trusted.",
      "Give the ticker a key: 'sfumato tick-key'."),
  OTHER_KEY_TICK(
      "The tick is for this budget, but it was signed with another key.",
      "Make a new key for the ticker from the current noise secret: 'sfumato tick-key'."),
  BAD_TICK(
      "The record has two tick headers, the header has no known form, or its signature is "
          + "not for this budget, topic, partition and time.",
      "Write ticks with 'sfumato tick', each to the partition that it was signed for."),
  SKIPPED(
      "An operator excluded the record with 'sfumato skip-record'.",
      "Nothing: this confirms the command."),
  BAD_CONTROL(
      "A control entry was not written by Sfumato, does not fit this kind of pipeline, or "
          + "has a time after the year 9999.",
      "Find out who wrote it, and restrict WRITE on the control topic to operators."),
  NULL_VALUE("The candidate has no value.", "Correct the modeller's client."),
  BAD_CANDIDATE(
      "The candidate is not an 'AbcCandidate', its subject is not usable as a name, or its "
          + "query id has a wrong form.",
      "Correct the modeller's client. A query id has 1 to 64 of the characters A-Z a-z 0-9 "
          + ". _ -"),
  UNKNOWN_OUTPUT(
      "The candidate names an output that the pipeline file does not have.",
      "Use the name of an abc release of the file."),
  BAD_QUERY_SIZE(
      "The query's number of candidates is below 1 or above the output's 'candidates', or "
          + "the candidate's number is negative.",
      "Send a smaller query, or raise 'candidates' in a new version of the file."),
  BAD_WINDOW(
      "The candidate's window_start is not the start of a window, or is not between the "
          + "years 1900 and 9999.",
      "Send the start of a window, as milliseconds since 1970."),
  BAD_PARAMETERS(
      "The candidate has more than 100 parameters, or one that is not finite.",
      "Correct the modeller's client."),
  BAD_PSEUDO_DATA(
      "The candidate does not carry exactly the pseudo-data that the output measures, or "
          + "they are empty, not finite, or of the wrong dimension.",
      "Send values, counts or a mean, as the schema of 'AbcCandidate' says."),
  BAD_FEATURE_MEAN(
      "The candidate's mean is not finite, has the wrong dimension, or is impossible: its "
          + "norm exceeds 1, or its shares add up wrongly.",
      "Send the mean of your pseudo-data, or the pseudo-data.");

  private final String meaning;
  private final String remedy;

  RejectionCode(String meaning, String remedy) {
    this.meaning = meaning;
    this.remedy = remedy;
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
