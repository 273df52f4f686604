package io.sfumato.pipeline;

import io.sfumato.mechanism.ReleasePlan;
import io.sfumato.noise.Framing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a pipeline will do, before it touches any data: the parameters of every release, its share's
 * one order, what it costs and how long it lasts.
 *
 * @param pipeline that is planned
 * @param releases in the file's order
 */
public record Plan(Pipeline pipeline, List<PlannedRelease> releases) {
  public Plan {
    releases = List.copyOf(releases);
  }

  /**
   * One release and its parameters.
   *
   * @param spec of the file
   * @param plan the candidate with the least expected KL
   * @param candidates the plans among which the method chose, at least one
   */
  public record PlannedRelease(
      HistogramSpec spec, ReleasePlan plan, List<ReleasePlan> candidates) {}

  /**
   * Plans every release.
   *
   * @throws PipelineFileException if a share cannot afford its horizon, or a unit does not fit
   */
  public static Plan of(String file, Pipeline pipeline) throws PipelineFileException {
    List<String> problems = new ArrayList<>();
    List<PlannedRelease> planned = new ArrayList<>();
    for (ReleaseSpec release : pipeline.releases()) {
      HistogramSpec spec = (HistogramSpec) release;
      List<ReleasePlan> candidates = HistogramPlanner.candidates(spec);
      Optional<ReleasePlan> plan =
          candidates.stream().min(Comparator.comparingDouble(ReleasePlan::expectedKl));
      if (plan.isEmpty()) {
        problems.add(
            "release '%s': a share of epsilon %s and delta %s cannot afford %d releases; raise the share or plan fewer windows"
                .formatted(
                    spec.name(), spec.share().epsilon(), spec.share().delta(), spec.horizon()));
        continue;
      }
      var unit = plan.get().mechanism().charge().unit();
      if (!unit.implies(pipeline.budget().unit())) {
        problems.add(
            "release '%s' protects the unit '%s', which says nothing about the budget's unit '%s'; use a budget of unit '%s'"
                .formatted(spec.name(), unit.word(), pipeline.budget().unit().word(), unit.word()));
      }
      planned.add(new PlannedRelease(spec, plan.get(), candidates));
    }
    if (!problems.isEmpty()) {
      throw new PipelineFileException(file, problems);
    }
    return new Plan(pipeline, planned);
  }

  /**
   * SHA-256 of everything in the file that bears on what is released: a running pipeline's state
   * refuses any other file.
   */
  public byte[] digest() {
    Framing framing =
        new Framing()
            .text(pipeline.name())
            .number(pipeline.version())
            .text(pipeline.input().toString())
            .text(pipeline.window().toString())
            .text(pipeline.subjects().toString())
            .text(pipeline.budget().toString());
    for (PlannedRelease release : releases) {
      framing
          .text(release.spec().name())
          .text(release.spec().topic())
          .text(release.spec().output().toString())
          .text(release.spec().postProcessing().word())
          .text(release.plan().mechanism().charge().mechanism())
          .text(release.plan().share().toString());
    }
    return framing.digest();
  }
}
