// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.pipeline.MessageLimit;
import io.sfumato.pipeline.SizeBound;
import io.sfumato.pipeline.SizeBound.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The largest Kafka records that a plan can ever need: every journal entry, row of a store and
 * output, with the longest subjects, full samples and counts of any size. Bounds, each a little
 * above the truth. Two things grow beyond the file: what earlier versions of it were charged with
 * stays in the state (some hundred bytes a version), and the roster remembers what operators have
 * announced for the future (counted as {@value RowSizes#SPANS} changes a subject).
 *
 * @param limit most bytes of one record
 * @param all of them
 */
public record WorstCase(long limit, List<SizeBound> all) {
  public WorstCase {
    all = List.copyOf(all);
  }

  /** Of a plan. */
  public static WorstCase of(Plan plan) {
    return new WorstCase(
        MessageLimit.of(plan.pipeline()),
        Stream.of(EntrySizes.of(plan), RowSizes.of(plan), OutputSizes.of(plan))
            .flatMap(List::stream)
            .toList());
  }

  /** The largest of a kind. */
  public SizeBound largest(Kind kind) {
    return all.stream()
        .filter(one -> one.kind() == kind)
        .max(Comparator.comparingLong(SizeBound::bytes))
        .orElseThrow();
  }

  /** The largest of all. */
  public SizeBound largest() {
    return all.stream().max(Comparator.comparingLong(SizeBound::bytes)).orElseThrow();
  }

  /** That of one store, output or journal. */
  public Optional<SizeBound> of(Kind kind, String name) {
    return all.stream()
        .filter(one -> one.kind() == kind && one.name().equals(name))
        .max(Comparator.comparingLong(SizeBound::bytes));
  }

  /** What does not fit into one record, and what to do. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    all.forEach(one -> one.excess(limit).ifPresent(problems::add));
    return problems;
  }
}
