// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.mechanism.Planned;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.count.CountMechanism;
import io.sfumato.mechanism.count.CountPlanner;
import io.sfumato.mechanism.count.CountTree;
import io.sfumato.mechanism.count.FormerTrees;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Counts that run by the binary tree: with Laplace noise, where it errs less than independent sums;
 * and those that earlier programs began.
 *
 * @param spec whose counts run up to a window
 * @param tree of as many windows
 */
record TreeMethods(CountSpec spec, CountTree tree) {
  /** Of a file; nothing where counts do not run, or for ever, or last ones are counted beside. */
  static Optional<TreeMethods> of(CountSpec spec) {
    return spec.over().last().isPresent()
        ? Optional.empty()
        : spec.tree().map(tree -> new TreeMethods(spec, tree));
  }

  /** With Laplace noise. */
  Optional<PlannedCount> laplace() {
    return CountPlanner.laplace(spec.request(), sensitivity())
        .map(plan -> planned(plan, formerly()));
  }

  /** What earlier programs planned, those first that this one would plan. */
  List<PlannedCount> formerly() {
    Stream<Optional<Planned<CountMechanism>>> gaussian =
        spec.mayBe(CountSpec.Method.GAUSSIAN)
            ? Stream.of(CountPlanner.gaussian(spec.request(), sensitivity()))
            : Stream.empty();
    Stream<Optional<Planned<CountMechanism>>> laplace =
        spec.mayBe(CountSpec.Method.LAPLACE)
            ? Stream.of(CountPlanner.laplace(spec.request(), sensitivity()), former())
            : Stream.empty();
    return former(Stream.concat(gaussian, laplace).flatMap(Optional::stream).toList());
  }

  private List<PlannedCount> former(List<Planned<CountMechanism>> plans) {
    return plans.stream().map(plan -> planned(plan, List.of())).toList();
  }

  private PlannedCount planned(Planned<CountMechanism> plan, List<PlannedCount> former) {
    return new PlannedCount(spec, Optional.of(tree), plan, List.of(plan), former);
  }

  /** Charged too little at its time. */
  private Optional<Planned<CountMechanism>> former() {
    return FormerTrees.laplace(spec.request(), tree, spec.sensitivityOfOneWindow());
  }

  private Sensitivity sensitivity() {
    return tree.perWindow(spec.sensitivityOfOneWindow(), spec.horizon());
  }
}
