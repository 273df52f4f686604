// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.LossReport;
import io.sfumato.accounting.LossReport.Counted;
import io.sfumato.audit.Audit;
import io.sfumato.audit.ReplayAudit;
import io.sfumato.audit.Violation;
import io.sfumato.console.Progress;
import io.sfumato.console.Terminal;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.release.Plan;
import io.sfumato.release.histogram.PlannedHistogram;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.TemporaryFolder;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    description = {
      "Audits a pipeline file on synthetic data, without a broker.",
      "Replays the whole pipeline on logs that differ in what is protected. Outputs must "
          + "be the same, byte by byte, except where the protected records may touch them. The "
          + "privacy loss of all draws must not exceed what the ledgers were charged. "
          + "Comparisons are exact: no finding is by chance.",
      "With --former, a new version takes over from the former one in the middle of each log. "
          + "Draws of both versions together must not lose more than the budget in any period.",
      "Also draws from worst-case neighbours of every histogram, and prints an empirical "
          + "lower bound of epsilon beside the claim. A bound far below the claim proves "
          + "nothing; a bound above it proves a defect."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:no violation was found",
      "1:a violation was found, or nothing could be tested"
    },
    footer = {
      "",
      "Examples:",
      "  sfumato audit topology/wards.yaml",
      "  sfumato audit topology/diary.yaml --draws 1000000 --neighbours 500 --seed 7",
      "  sfumato audit mine.yaml -o json",
      "  sfumato audit mine-v2.yaml --former mine-v1.yaml"
    })
final class AuditCommand extends PipelineCommand {
  @Option(
      names = "--former",
      paramLabel = "FILE",
      description = "Pipeline file of the running version: audits the takeover from it by FILE.")
  private Optional<Path> former = Optional.empty();

  @Option(
      names = "--draws",
      paramLabel = "N",
      description = "Draws of each neighbour of a histogram, 1000 to 100000000; by default 400000.")
  private long draws = 400_000;

  @Option(
      names = "--failure",
      paramLabel = "PROBABILITY",
      description = "Probability with which a bound may be wrong; by default 1e-6.")
  private double failure = 1e-6;

  @Option(
      names = "--neighbours",
      paramLabel = "N",
      description = "Most pairs of logs to replay, 1 to 100000; by default ${DEFAULT-VALUE}.",
      defaultValue = "96")
  private int neighbours;

  @Option(
      names = "--windows",
      paramLabel = "N",
      description =
          "Most windows of a log, 3 to 10000; by default ${DEFAULT-VALUE}, fewer where fewer say"
              + " the same.",
      defaultValue = "130")
  private int windows;

  @Option(
      names = "--random-logs",
      paramLabel = "N",
      description = "Logs of random events, 0 to 10000; by default ${DEFAULT-VALUE}.",
      defaultValue = "6")
  private int randomLogs;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      description = "Seed of the synthetic data; by default ${DEFAULT-VALUE}.",
      defaultValue = "1")
  private long seed;

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    Audit audit = checked("--draws, --failure", () -> new Audit(draws, failure));
    ReplayAudit replays =
        checked(
            "--neighbours, --windows, --random-logs",
            () -> new ReplayAudit(neighbours, windows, randomLogs, seed));
    Plan plan = plan();
    Optional<Plan> before =
        former.isPresent() ? Optional.of(planOf(former.get())) : Optional.empty();
    ObjectNode found = JsonOrText.object();
    boolean kept = replay(replays, before, plan, found);
    kept &= draw(audit, plan, found.putArray("releases"));
    if (output.isJson()) {
      output.print(found);
    }
    return kept ? 0 : ExitCode.FAILED.number();
  }

  /** Replays the pipeline; whether its promise is kept. */
  private boolean replay(ReplayAudit audit, Optional<Plan> before, Plan plan, ObjectNode found)
      throws RefusedException {
    ReplayAudit.Findings findings;
    try (TemporaryFolder folder = TemporaryFolder.make("sfumato-audit");
        Progress progress =
            new Progress(
                Terminal.forProgress(),
                "replay",
                before.isPresent() ? audit.steps(before.get(), plan) : audit.steps(plan))) {
      findings =
          before.isPresent()
              ? audit.across(before.get(), plan, folder.path(), progress::step)
              : audit.of(plan, folder.path(), progress::step);
    } catch (IllegalArgumentException e) {
      throw output.bad(file + " cannot be replayed: " + e.getMessage());
    }
    write(found, plan, findings);
    before.ifPresent(
        version ->
            found
                .put("former_plan", version.digestText())
                .put("shared_loss_ratio_max", findings.sharedRatio())
                .put("shared_loss_ratio_at", findings.sharedAt()));
    if (!output.isJson()) {
      print(findings);
    }
    return findings.violations().isEmpty() && isTested(findings);
  }

  private static long replayViolations(ReplayAudit.Findings findings) {
    return findings.count(Violation.Kind.REPLAY) + findings.count(Violation.Kind.SLICING);
  }

  private void write(ObjectNode found, Plan plan, ReplayAudit.Findings findings) {
    found
        .put("plan", plan.digestText())
        .put("program", new Main.Version().getVersion()[0])
        .put("replay_violations", replayViolations(findings))
        .put("slicing_violations", findings.count(Violation.Kind.SLICING))
        .put("distance_violations", findings.count(Violation.Kind.DISTANCE))
        .put("loss_violations", findings.count(Violation.Kind.LOSS))
        .put("loss_ratio_max", findings.lossRatio())
        .put("loss_ratio_at", findings.lossAt())
        .put("replays", findings.replays())
        .put("neighbours", findings.neighbours())
        .put("draws_compared", findings.draws())
        .put("reordered", findings.reordered())
        .put("seed", seed);
    found
        .putObject("options")
        .put("draws", draws)
        .put("failure", failure)
        .put("neighbours", neighbours)
        .put("windows", windows)
        .put("random_logs", randomLogs);
    ArrayNode unjudged = found.putArray("loss_not_judged");
    findings.unjudged().forEach(unjudged::add);
    ArrayNode violations = found.putArray("violations");
    findings
        .shown()
        .forEach(
            violation ->
                violations
                    .addObject()
                    .put("kind", violation.kind().name().toLowerCase(Locale.ROOT))
                    .put("where", violation.where())
                    .put("what", violation.what()));
  }

  private void print(ReplayAudit.Findings findings) {
    print(
        "replay: %d runs of the pipeline, %d neighbours: %s",
        findings.replays(), findings.neighbours(), verdict(replayViolations(findings)));
    print(
        "sensitivity: distance between the exact inputs of %d differing draws: %s",
        findings.draws(), verdict(findings, findings.count(Violation.Kind.DISTANCE)));
    print(
        "privacy loss: at most %.4f of the charged loss (%s): %s",
        findings.lossRatio(),
        findings.lossAt().isEmpty() ? "no draw differs" : findings.lossAt(),
        verdict(findings, findings.count(Violation.Kind.LOSS)));
    if (former.isPresent()) {
      print(
          "both versions: at most %.4f of what one period affords (%s): %s",
          findings.sharedRatio(),
          findings.sharedAt().isEmpty()
              ? "no period has draws of both that differ"
              : findings.sharedAt(),
          verdict(findings, findings.count(Violation.Kind.LOSS)));
    }
    if (!isTested(findings)) {
      print(
          "nothing was tested: no draw differs between any two neighbouring logs, so this audit "
              + "shows nothing about sensitivities and losses. The pipeline may drop the "
              + "synthetic records: check input and window in the file");
    }
    findings
        .unjudged()
        .forEach(
            name ->
                print(
                    "privacy loss of output '%s': not checked, its distribution has no "
                        + "closed form",
                    name));
    findings.shown().forEach(violation -> print("  %s", violation));
    if (findings.shown().size() < findings.violations().size()) {
      print("  ... %d in all", findings.violations().size());
    }
  }

  /** Without a draw that differs there was nothing to find. */
  private static boolean isTested(ReplayAudit.Findings findings) {
    return findings.draws() > 0;
  }

  private static String verdict(ReplayAudit.Findings findings, long violations) {
    return isTested(findings) ? verdict(violations) : "NOT TESTED";
  }

  private static String verdict(long violations) {
    return violations == 0 ? "kept" : violations + " violations: BROKEN";
  }

  private void print(String line, Object... arguments) {
    output.out().println(String.format(Locale.ROOT, line, arguments));
  }

  /** Attacks every histogram's mechanism; whether all claims are kept. */
  private boolean draw(Audit audit, Plan plan, ArrayNode found) {
    boolean allKept = true;
    int categories = plan.pipeline().input().allCategories().size();
    for (PlannedHistogram release : plan.all(PlannedHistogram.class)) {
      double delta = release.spec().share().delta().roundedDown();
      double claim =
          LossReport.of(List.of(new Counted(release.plan().mechanism().charge(), 1)), delta)
              .best()
              .epsilon();
      Audit.Finding finding;
      try (Progress progress =
          new Progress(Terminal.forProgress(), release.spec().name(), 2 * draws)) {
        finding =
            audit.of(
                release.plan().mechanism(),
                categories,
                plan.pipeline()
                    .population()
                    .map(users -> OptionalInt.of(users.records()))
                    .orElseGet(OptionalInt::empty),
                delta,
                "audit " + release.spec().name(),
                progress::step);
      }
      boolean kept = finding.epsilon() <= claim;
      allKept &= kept;
      found
          .addObject()
          .put("release", release.spec().name())
          .put("mechanism", release.plan().mechanism().charge().mechanism())
          .put("epsilon_claimed", claim)
          .put("epsilon_at_least", finding.epsilon())
          .put("delta", delta)
          .put("draws", draws)
          .put("failure", failure)
          .put("kept", kept);
      if (!output.isJson()) {
        print(
            "%s: epsilon of one release claimed %.4g, found at least %.4g (delta %.3g): %s",
            release.spec().name(), claim, finding.epsilon(), delta, kept ? "kept" : "BROKEN");
      }
    }
    return allKept;
  }

  private <T> T checked(String options, Supplier<T> made) {
    try {
      return made.get();
    } catch (IllegalArgumentException e) {
      throw output.bad(options + ": " + e.getMessage());
    }
  }
}
