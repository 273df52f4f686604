// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.pipeline.DerivedSpec;
import io.sfumato.pipeline.OutputQuestion;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Pipeline.Subjects;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.Selections;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Whether the outputs of each question of a file fit its bounds.
 *
 * @param pipeline as the file says it
 */
record QuestionsCheck(Pipeline pipeline) {
  /** What does not fit, each a whole sentence; empty if all does. */
  List<String> problems() {
    List<String> conflicts = new ArrayList<>();
    for (Pipeline part : pipeline.parts()) {
      part.population()
          .flatMap(users -> PeriodCheck.of(users, part.window(), part.budget()))
          .ifPresent(check -> conflicts.addAll(check.of(part.subjects(), part.releases())));
    }
    cells().ifPresent(conflicts::add);
    pipeline.parts().stream()
        .filter(Pipeline::countsBeyond)
        .forEach(part -> conflicts.addAll(beyond(part)));
    if (!pipeline.questions().isEmpty()) {
      discovered().ifPresent(conflicts::add);
      held().ifPresent(conflicts::add);
      alike().ifPresent(conflicts::add);
      account().ifPresent(conflicts::add);
      pipeline.questions().forEach(question -> conflicts.addAll(own(question)));
      pipeline.releases().forEach(release -> conflicts.addAll(bounds(release)));
      pipeline.derived().forEach(derived -> conflicts.addAll(made(derived)));
    }
    return conflicts;
  }

  /** A bound of distinct users by category needs a count of these. */
  private Optional<String> cells() {
    OptionalInt all = cellsOf(pipeline);
    boolean unused =
        pipeline.parts().stream()
            .filter(part -> cellsOf(part).isPresent())
            // What a question has from the file may be meant for others.
            .filter(part -> !cellsOf(part).equals(all))
            .anyMatch(part -> !countsCells(part));
    boolean nobody =
        all.isPresent() && pipeline.parts().stream().noneMatch(QuestionsCheck::countsCells);
    return unused || nobody
        ? Optional.of(
            "field 'contributions.cells': found without a count 'of: users' by category, which alone is"
                + " bounded by it; leave it out, or add such a count")
        : Optional.empty();
  }

  private static OptionalInt cellsOf(Pipeline part) {
    return part.population().map(Population::cells).orElse(OptionalInt.empty());
  }

  private static boolean countsCells(Pipeline part) {
    return part.releases().stream()
        .flatMap(release -> release.cells().stream())
        .anyMatch(cells -> cells.categories() > 0);
  }

  /** Whoever has more records than others tell of must be known to have them. */
  private static List<String> beyond(Pipeline part) {
    List<String> conflicts = new ArrayList<>();
    if (part.input().id().isPresent()) {
      conflicts.add(
          "field 'input.id': found with a count 'by: beyond', which would take copies of an event for more records; allowed is one of them");
    }
    Population people = part.population().orElseThrow();
    int needed = people.records() + people.leftOut().orElse(0) + 1;
    if (people.items().orElse(needed) < needed) {
      conflicts.add(
          "field 'contributions.%s': found %,d with a count 'by: beyond', which needs at least %,d: one more than count or are left out"
              .formatted(
                  part.input().weight().isPresent() ? "max-weight" : "max-items",
                  people.items().getAsInt(),
                  needed));
    }
    return conflicts;
  }

  /** Whom an output finds is found by records that count for all outputs. */
  private Optional<String> discovered() {
    return pipeline.subjects() == Subjects.DISCOVERED
        ? Optional.of(
            "field 'releases': found outputs with 'contributions', 'where' or 'category' with 'subjects: discover'; allowed"
                + " is what holds for the whole file, or a list of subjects")
        : Optional.empty();
  }

  /** Accounts compare the windows of their budgets, and know one size of each. */
  private Optional<String> account() {
    boolean longer = pipeline.questions().stream().anyMatch(question -> question.windows() > 1);
    return longer && pipeline.budget().account().isPresent()
        ? Optional.of(
            "field 'releases': found an output with a longer 'window' with 'budget.account'; allowed is one of them")
        : Optional.empty();
  }

  /** The widest bounds of all outputs together say what is kept of an open window. */
  private Optional<String> held() {
    Population widest = Selections.of(pipeline).widest().orElseThrow();
    return (long) widest.records() * widest.subjects() > Population.MOST_HELD
        ? Optional.of(
            "field 'releases': the largest 'per-window' of all outputs, %,d, times the largest 'subjects', %,d, is above %,d; lower one of them"
                .formatted(widest.records(), widest.subjects(), Population.MOST_HELD))
        : Optional.empty();
  }

  /** Once in 2^31 files with two selections. */
  private Optional<String> alike() {
    List<Integer> ids = Selections.of(pipeline).ids();
    return ids.stream().distinct().count() < ids.size()
        ? Optional.of(
            "field 'releases': two of the outputs' 'where' have one name in the state, by chance; write one of them otherwise, with a condition that always holds")
        : Optional.empty();
  }

  private List<String> own(OutputQuestion question) {
    return pipeline.releases().stream()
        .filter(release -> question.outputs().contains(release.name()))
        .filter(ReleaseSpec::countsLeftOut)
        .map(
            release ->
                "release '%s': it counts what the file's 'contributions' leave out of all records; leave out what it says of its own"
                    .formatted(release.name()))
        .toList();
  }

  /** What is made of several outputs is about what they are about. */
  private List<String> made(DerivedSpec derived) {
    long questions =
        pipeline.releases().stream()
            .filter(release -> derived.sources().contains(release.name()))
            .map(pipeline::questionOf)
            .distinct()
            .count();
    return questions > 1
        ? List.of(
            "release '%s': its outputs '%s' are about different records; give them the same 'contributions', 'where', 'category' and 'window'"
                .formatted(derived.name(), String.join("' and '", derived.sources())))
        : List.of();
  }

  /** Bounds that were found of other records may not fit these. */
  private List<String> bounds(ReleaseSpec release) {
    int question = pipeline.questionOf(release);
    return release.boundsWanted().stream()
        .flatMap(place -> pipeline.boundsOf(place).stream())
        .filter(found -> pipeline.questionOf(found) != question)
        .map(
            found ->
                "release '%s': it needs bounds that '%s' finds of other records; give both the same 'contributions', 'where' and 'category'"
                    .formatted(release.name(), found.name()))
        .distinct()
        .toList();
  }
}
