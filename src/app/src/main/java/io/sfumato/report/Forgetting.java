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
            "open windows (counts, or the record fields that releases need)",
            "until the window is released"
                + (pipeline.keep() > 0
                    ? "; %s more windows, to answer queries".formatted(pipeline.keep())
                    : "")));
    if (pipeline.remembers()) {
      all.add(
          new Forgetting(
              "the memory of running sums",
              users
                  ? "sums per subject, without user names; deleted when the subject leaves"
                  : "until the subject is erased or leaves"));
    }
    if (pipeline.input().discovers()
        && pipeline.releases().stream()
            .anyMatch(spec -> spec.readsEarlierWindows() && spec.windowsCounted() > 1)) {
      all.add(
          new Forgetting(
              "names counted over several windows, including unpublished ones",
              "with exact counts until their block of windows ends, which no command shortens. "
                  + "They name no user, but the value of a name may"));
    }
    all.add(
        new Forgetting(
            users ? "erasure of one user on request" : "erasure of one subject on request",
            "'sfumato forget %s NAME' erases the open data of that %s. The ledger is retained, because published releases cannot be recalled. Deleting records in '%s' and copies elsewhere is up to you"
                .formatted(
                    Shell.file(file),
                    users ? "user" : "subject",
                    pipeline.input().topics().words())));
    all.add(
        new Forgetting(
            "ledgers: spent budget by name",
            "for the lifetime of the budget: without them it could be spent twice"));
    all.add(
        new Forgetting(
            "outputs",
            "as long as you keep them. The guarantee does not require deleting them: it holds "
                + "against every reader at any time"));
    return all;
  }
}
