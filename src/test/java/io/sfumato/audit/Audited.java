// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.release.Plan;
import io.sfumato.release.Plans;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Pipelines of texts under the referee. */
public final class Audited {
  private static final Path FOLDER = Path.of("target", "audited");

  private Audited() {}

  /** Says of a file that a live budget goes on with what earlier programs planned of it. */
  static final String BEGUN_BEFORE = "# begun by an earlier program\n";

  static Plan plan(String yaml) {
    Plan plan = Plans.valid(yaml);
    return yaml.startsWith(BEGUN_BEFORE)
        ? plan.with(release -> release.formerly().stream().findFirst().orElse(release))
        : plan;
  }

  static ReplayAudit.Findings of(Plan plan, ReplayAudit audit) {
    return audit.of(plan, FOLDER, () -> {});
  }

  static ReplayAudit.Findings of(String yaml, ReplayAudit audit) {
    return of(plan(yaml), audit);
  }

  /**
   * An example of each kind of violation that is found until there is one of a kind, for {@link
   * Mutant}.
   */
  public static Map<String, String> violations(
      String yaml, int neighbours, int windows, int randomScenes, long seed, String until) {
    Map<String, String> kinds = new TreeMap<>();
    new ReplayAudit(neighbours, windows, randomScenes, seed)
        .of(plan(yaml), FOLDER, () -> {}, violation -> kind(violation).equals(until))
        .violations()
        .forEach(v -> kinds.putIfAbsent(kind(v), v.toString()));
    return kinds;
  }

  private static String kind(Violation violation) {
    return violation.kind().name().toLowerCase(Locale.ROOT);
  }
}
