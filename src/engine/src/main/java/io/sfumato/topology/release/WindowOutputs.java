// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.release;

import io.sfumato.pipeline.DerivedSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.topology.budget.Charger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Makes what is published of every closed window. */
public final class WindowOutputs {
  private final PartitionContext context;

  public WindowOutputs(PartitionContext context) {
    this.context = context;
  }

  /**
   * All that the plan has, those that others go by before them.
   *
   * @param memories what draws leave to later ones: whoever reads another output's sees what the
   *     same transaction put there
   */
  public List<WindowOutput> of(Function<PlannedRelease, Charger> charging, DrawMemories memories) {
    List<Releaser> first = new ArrayList<>();
    List<Releaser> second = new ArrayList<>();
    for (PlannedRelease release : context.plan().releases()) {
      release
          .sampler(pipeline().partOf(release.spec()))
          .ifPresent(
              sampler ->
                  (sampler.reads().isEmpty() ? first : second)
                      .add(
                          releaser(
                              release,
                              sampler,
                              charging.apply(release),
                              memories,
                              Optional.of(context.refusals()))));
    }
    first.addAll(second);
    return withDerived(first);
  }

  /** Those that something is made of together come first, in one. */
  private List<WindowOutput> withDerived(List<Releaser> releasers) {
    List<DerivedSpec> derived =
        pipeline().derived().stream().filter(spec -> spec.sources().size() > 1).toList();
    if (derived.isEmpty()) {
      return List.copyOf(releasers);
    }
    Set<String> names =
        derived.stream().flatMap(spec -> spec.sources().stream()).collect(Collectors.toSet());
    List<WindowOutput> outputs = new ArrayList<>();
    outputs.add(
        new DerivedFromSeveral(
            context.plan(),
            releasers.stream().filter(releaser -> names.contains(releaser.name())).toList(),
            derived,
            context.publisher()));
    releasers.stream().filter(releaser -> !names.contains(releaser.name())).forEach(outputs::add);
    return outputs;
  }

  /** The one that finds subjects, if the plan has any. */
  public Optional<Discovery> discovery(
      Function<PlannedRelease, Charger> charging, DrawMemories memories) {
    return context.plan().releases().stream()
        .filter(release -> release.spec().findsSubjects().isPresent())
        .findFirst()
        .map(
            release ->
                new Discovery(
                    release.spec(),
                    new ReleaseSchedule(pipeline(), release.spec()),
                    releaser(
                        release,
                        release.sampler(pipeline()).flatMap(ReleaseSampler::ofHidden).orElseThrow(),
                        charging.apply(release),
                        memories,
                        Optional.empty()),
                    memories.of(release.spec().name()).orElseThrow(),
                    context.refusals()));
  }

  private Releaser releaser(
      PlannedRelease release,
      ReleaseSampler sampler,
      Charger charging,
      DrawMemories memories,
      Optional<Refusals> told) {
    return new Releaser(
        context,
        context.publisher().outputOf(release),
        new ReleaseSchedule(pipeline(), release.spec()),
        charging,
        sampler,
        new Releaser.Memories(
            memories.of(release.spec().name()),
            sampler.reads().stream().map(output -> memories.of(output).orElseThrow()).toList()),
        told);
  }

  private Pipeline pipeline() {
    return context.plan().pipeline();
  }
}
