// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.count.CountQuery;
import io.sfumato.mechanism.count.CountTree;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.release.Plan;
import io.sfumato.release.Plans;
import io.sfumato.release.count.CountSpec;
import io.sfumato.release.count.PlannedCount;
import io.sfumato.release.count.PlannedRunningCount;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Pipelines of texts under the referee. */
public final class Audited {
  private static final Path FOLDER = Path.of("target", "audited");

  private Audited() {}

  /** Says of a file that its running counts are drawn by trees, however few windows there are. */
  static final String BY_TREES = "# by trees\n";

  static Plan plan(String yaml) {
    Plan plan = Plans.valid(yaml);
    return yaml.startsWith(BY_TREES) ? plan.with(Audited::byTree) : plan;
  }

  private static PlannedRelease byTree(PlannedRelease release) {
    if (release instanceof PlannedRunningCount counts) {
      CountSpec spec = counts.spec();
      CountTree tree = new CountTree(spec.over().until().orElseThrow());
      Sensitivity nodes = tree.perWindow(spec.sensitivityOfOneWindow(), spec.horizon());
      Calibrated<CountMeasurement<CountQuery>> plan =
          VectorCalibrator.laplaceWindows(spec.request(), new CountQuery(), nodes).orElseThrow();
      return new PlannedCount(spec, Optional.of(tree), plan, List.of(plan));
    }
    return release;
  }

  static ReplayAudit.Findings of(Plan plan, ReplayAudit audit) {
    return audit.of(plan, FOLDER, () -> {});
  }

  static ReplayAudit.Findings of(String yaml, ReplayAudit audit) {
    return of(plan(yaml), audit);
  }

  /** Of a version that takes over from another one. */
  static ReplayAudit.Findings across(String former, String next, ReplayAudit audit) {
    return audit.across(plan(former), plan(next), FOLDER, () -> {});
  }

  /** The same of a change of version, as {@link #violations} says it. */
  public static Map<String, String> violationsAcross(
      List<String> files, int neighbours, int windows, int randomScenes, long seed, String until) {
    return kinds(
        new ReplayAudit(neighbours, windows, randomScenes, seed)
            .of(
                Versions.of(plan(files.get(0)), plan(files.get(1))),
                FOLDER,
                () -> {},
                violation -> kind(violation).equals(until)));
  }

  /**
   * An example of each kind of violation that is found until there is one of a kind, for {@link
   * Mutant}.
   */
  public static Map<String, String> violations(
      String yaml, int neighbours, int windows, int randomScenes, long seed, String until) {
    return kinds(
        new ReplayAudit(neighbours, windows, randomScenes, seed)
            .of(
                Versions.of(plan(yaml)),
                FOLDER,
                () -> {},
                violation -> kind(violation).equals(until)));
  }

  private static Map<String, String> kinds(ReplayAudit.Findings found) {
    Map<String, String> kinds = new TreeMap<>();
    found.violations().forEach(v -> kinds.putIfAbsent(kind(v), v.toString()));
    return kinds;
  }

  private static String kind(Violation violation) {
    return violation.kind().name().toLowerCase(Locale.ROOT);
  }
}
