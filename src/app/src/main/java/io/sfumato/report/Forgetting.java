// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Shell;
import java.util.ArrayList;
import java.util.List;

/**
 * What becomes of somebody's data, and who deletes it.
 *
 * @param what is kept, or deleted
 * @param how long, or by whom
 */
public record Forgetting(String what, String how) {
  static List<Forgetting> of(String file, Pipeline pipeline) {
    boolean users = pipeline.population().isPresent();
    List<Forgetting> all = new ArrayList<>();
    all.add(
        new Forgetting(
            "open windows (counts, or what releases need of records)",
            "until the window is released"
                + (pipeline.keep() > 0
                    ? "; for %s windows more, to answer queries".formatted(pipeline.keep())
                    : "")));
    if (pipeline.remembers()) {
      all.add(
          new Forgetting(
              "what runs over windows remembers",
              users
                  ? "sums of subjects, which name no user; they go with a subject that leaves"
                  : "until the subject is forgotten or leaves"));
    }
    if (pipeline.input().discovers()
        && pipeline.releases().stream()
            .anyMatch(spec -> spec.readsEarlierWindows() && spec.windowsCounted() > 1)) {
      all.add(
          new Forgetting(
              "names that count over windows, also those that nobody published",
              "with exact counts until their block of windows ends, which no command shortens. They name no user, but what stands in a name may"));
    }
    all.add(
        new Forgetting(
            users ? "one user's data, on demand" : "one subject's data, on demand",
            "'sfumato forget %s NAME': what is open of that %s goes; the ledger stays, since what was released stays. Records in '%s' and copies elsewhere are yours to delete"
                .formatted(
                    Shell.file(file), users ? "user" : "subject", pipeline.input().topic())));
    all.add(
        new Forgetting(
            "ledgers: who has lost how much",
            "as long as the budget lives: without them it could be spent twice"));
    all.add(
        new Forgetting(
            "outputs",
            "as long as you keep them. Nothing has to be deleted to keep the promise, which holds for whoever reads them at any time"));
    return all;
  }
}
