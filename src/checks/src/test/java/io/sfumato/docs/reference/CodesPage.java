// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.docs.reference;

import static io.sfumato.docs.reference.Markdown.code;
import static io.sfumato.docs.reference.Markdown.words;

import io.sfumato.runtime.ExitCode;
import io.sfumato.schema.RefusalCode;
import io.sfumato.serde.RefusalMeaning;
import io.sfumato.serde.RejectionCode;
import java.util.List;
import java.util.stream.Stream;

/** docs/reference/codes.md, from the enums of codes. */
final class CodesPage {
  private CodesPage() {}

  static String text() {
    Markdown page =
        new Markdown(
            "Codes",
            "This page is for operators and developers who have found a code in a dead letter, a"
                + " refusal, a metric or the end of a process. It says what happened, and what to"
                + " do.",
            "RejectionCode, RefusalMeaning and ExitCode");
    deadLetters(page);
    refusals(page);
    exitCodes(page);
    return page.toString();
  }

  private static void deadLetters(Markdown page) {
    page.heading(2, "Dead letters")
        .paragraph(
            "A record that is refused becomes a [DeadLetter](outputs.md#deadletter) in"
                + " `NAME-dead-letters`: its topic, partition and offset, its Kafka timestamp, a"
                + " code, and sometimes a hint. It never says what the record holds, nor whose it"
                + " is. `LATE` and `EARLY` records have no dead letter: a"
                + " [metric](metrics.md#metrics-of-a-pipeline) counts them.")
        .paragraph(
            "Give dead letters to operators only. Each is a fact about a single record, and a"
                + " person who may read the records' topic can look the record up. Under the units"
                + " `user` and `dataset` the guarantee does not cover them.")
        .table(
            List.of("code", "what happened", "what to do"),
            Stream.of(RejectionCode.values())
                .map(c -> List.of(code(c.name()), words(c.meaning()), words(c.remedy())))
                .toList());
  }

  private static void refusals(Markdown page) {
    page.heading(2, "Refusals")
        .paragraph(
            "If a window is not released, or a candidate of a query not answered, a"
                + " [Refusal](outputs.md#refusal) in `NAME-refusals` says why. Refusals depend on"
                + " public facts only. In user pipelines a spent budget is never announced, because"
                + " that would reveal that the user was there: the records do not count.")
        .table(
            List.of("code", "refused", "what happened", "what to do"),
            Stream.of(RefusalCode.values())
                .map(
                    refused -> {
                      RefusalMeaning c = RefusalMeaning.of(refused);
                      return List.of(
                          code(refused.name()),
                          refused(c.refused()),
                          words(c.meaning()),
                          words(c.remedy()));
                    })
                .toList());
  }

  private static String refused(RefusalMeaning.Refused refused) {
    return switch (refused) {
      case WINDOW -> "release";
      case CANDIDATE -> "candidate";
      case EITHER -> "release or candidate";
    };
  }

  private static void exitCodes(Markdown page) {
    page.heading(2, "Exit codes")
        .paragraph(
            "The last line of the log says why a process ended. These are the codes of `run`."
                + " Other commands use them too. A check, such as `doctor` or `ledger adopt`, also"
                + " ends with a code to report what it found: see its [section](commands.md).")
        .table(
            List.of("code", "what happened", "what to do"),
            Stream.concat(
                    Stream.of(ExitCode.values())
                        .map(
                            c ->
                                List.of(
                                    Integer.toString(c.number()),
                                    words(c.meaning()),
                                    words(c.remedy()))),
                    Stream.of(
                        List.of(
                            "130, 143",
                            "Ctrl-C or SIGTERM. Everything is committed, and the partitions are"
                                + " handed over within 30 seconds.",
                            "Restart when you like.")))
                .toList())
        .paragraph("What to do about an alert: [runbook](../operate/runbook.md).");
  }
}
