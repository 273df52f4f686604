// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

/** Texts of pipeline files to audit. Windows are ten seconds long and have two seconds of grace. */
final class AuditedFiles {
  /** The subject and the user of a record. */
  static final String WARD = "subject: ward, user: who";

  /** A category of two values. */
  static final String A_OR_B = "category: what, categories: [a, b]";

  private AuditedFiles() {}

  /** A file that protects users. */
  static String ofUsers(
      String input, String contributions, String subjects, String budget, String... releases) {
    return "pipeline: test\n"
        + "input: { topic: in, time: at, %s }\n".formatted(input)
        + "contributions: { %s }\n".formatted(contributions)
        + "subjects: %s\n".formatted(subjects)
        + "window: { size: 10s, grace: 2s, clock: ticks }\n"
        + "budget: { name: test, unit: user, %s }\n".formatted(budget)
        + listed(releases);
  }

  /** A file that protects single records. */
  static String ofRecords(String input, String budget, String... releases) {
    return "pipeline: test\n"
        + "input: { topic: in, time: at, %s }\n".formatted(input)
        + "window: { size: 10s, grace: 2s }\n"
        + "budget: { name: test, unit: record, %s }\n".formatted(budget)
        + listed(releases);
  }

  /** A file that protects all records of a subject, who is enrolled. */
  static String ofDatasets(String input, String budget, String... releases) {
    return "pipeline: test\n"
        + "input: { topic: in, time: at, %s }\n".formatted(input)
        + "subjects: roster\n"
        + "window: { size: 10s, grace: 2s, clock: ticks }\n"
        + "budget: { name: test, unit: dataset, %s }\n".formatted(budget)
        + listed(releases);
  }

  private static String listed(String... releases) {
    return releases.length == 0 ? "" : "releases:\n  - " + String.join("\n  - ", releases) + "\n";
  }
}
