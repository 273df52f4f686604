// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.client.CsvEvents;
import io.sfumato.client.HistoryReplay;
import io.sfumato.pipeline.Plurals;

/** What was published of a file, in one line. */
final class PublishedLine {
  private PublishedLine() {}

  static String of(CsvEvents events, String topic, HistoryReplay.Sent sent) {
    long dead = events.rejected(CsvEvents.Fate.SENT);
    return "published %s to %s%s, %s not sent"
        .formatted(
            Plurals.of(sent.events(), "event"),
            topic,
            dead == 0
                ? ""
                : " (%s without a usable time, number, subject or user: the pipeline will write %s)"
                    .formatted(
                        Plurals.of(dead, "of them is", "of them are"),
                        dead == 1 ? "a dead letter for it" : "dead letters for them"),
            Plurals.of(events.rejected(CsvEvents.Fate.NOT_SENT), "line")
                + (sent.beyond() == 0
                    ? ""
                    : ", %s held back".formatted(Plurals.of(sent.beyond(), "event"))));
  }
}
