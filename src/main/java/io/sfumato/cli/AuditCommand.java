package io.sfumato.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.sfumato.accounting.LossReport;
import io.sfumato.accounting.LossReport.Counted;
import io.sfumato.audit.Audit;
import io.sfumato.console.Progress;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.Plan;
import io.sfumato.pipeline.PlannedRelease.PlannedHistogram;
import io.sfumato.runtime.ExitCode;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    description = {
      "Attacks every histogram release of a pipeline file: draws from worst-case neighbours and prints an empirical lower bound of epsilon beside the claim. Needs no broker.",
      "A bound far below the claim proves nothing; one above it proves a defect (exit code 1)."
    },
    footer = {"", "Example: sfumato audit topology/diary.yaml --draws 1000000"})
final class AuditCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "Pipeline file.")
  private Path file;

  @Option(
      names = "--draws",
      description = "Draws of each neighbour, 1000 to 100000000; by default 400000.")
  private long draws = 400_000;

  @Option(
      names = "--failure",
      description = "Probability with which a bound may be wrong; by default 1e-6.")
  private double failure = 1e-6;

  @Option(
      names = {"-o", "--output"},
      description = "text or json.")
  private Format format = Format.TEXT;

  @Override
  public Integer call() throws PipelineFileException {
    Audit audit = audit();
    Plan plan = PlanCommand.load(file);
    int categories = plan.pipeline().input().allCategories().size();
    if (plan.histograms().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), file + ": has no histogram release; audit attacks these");
    }
    ArrayNode found = new ObjectMapper().createArrayNode();
    boolean broken = false;
    for (PlannedHistogram release : plan.histograms()) {
      double delta = release.spec().share().delta().roundedDown();
      double claim =
          LossReport.of(List.of(new Counted(release.plan().mechanism().charge(), 1)), delta)
              .best()
              .epsilon();
      Audit.Finding finding;
      try (Progress progress = new Progress(System.err, release.spec().name(), 2 * draws)) {
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
      broken |= !kept;
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
      if (format == Format.TEXT) {
        spec.commandLine()
            .getOut()
            .printf(
                Locale.ROOT,
                "%s: epsilon of one release claimed %.4g, found at least %.4g (delta %.3g): %s%n",
                release.spec().name(),
                claim,
                finding.epsilon(),
                delta,
                kept ? "kept" : "BROKEN");
      }
    }
    if (format == Format.JSON) {
      spec.commandLine().getOut().println(found.toPrettyString());
    }
    spec.commandLine().getOut().flush();
    return broken ? ExitCode.FAILED.number() : 0;
  }

  private Audit audit() {
    try {
      return new Audit(draws, failure);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--draws, --failure: " + e.getMessage());
    }
  }
}
