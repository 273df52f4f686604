// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.pipeline.DerivedKind;
import io.sfumato.pipeline.DerivedSpec;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.ReleaseKind;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.release.abc.AbcKind;
import io.sfumato.release.bounds.BoundsKind;
import io.sfumato.release.count.CountKind;
import io.sfumato.release.count.TotalKind;
import io.sfumato.release.features.FeatureSumsKind;
import io.sfumato.release.histogram.HistogramKind;
import io.sfumato.release.mean.MeanKind;
import io.sfumato.release.mollifier.MollifierKind;
import io.sfumato.release.names.NamesKind;
import io.sfumato.release.names.TopKind;
import io.sfumato.release.quantile.QuantileKind;
import io.sfumato.release.subjects.SubjectsKind;
import io.sfumato.release.table.TableKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/**
 * The kinds of release that there are: one line each. A library on the class path may bring others
 * ({@link java.util.ServiceLoader}).
 */
public final class Releases {
  private static final ReleaseKindRegistry FOUND =
      ReleaseKindRegistry.beside(
          List.of(
              new SubjectsKind(),
              new HistogramKind(),
              new CountKind(),
              new MeanKind(),
              new BoundsKind(),
              new QuantileKind(),
              new TableKind(),
              new FeatureSumsKind(),
              new NamesKind(),
              new AbcKind(),
              new MollifierKind()));

  /** The kinds of outputs that are made of others'. */
  private static final List<DerivedKind> DERIVED = List.of(new TopKind(), new TotalKind());

  private static final Map<String, OutputView> VIEWS =
      outputs().stream()
          .collect(
              Collectors.toUnmodifiableMap(
                  view -> view.schema().getFullName(), Function.identity()));

  private Releases() {}

  /** In the order in which they are told. */
  public static List<ReleaseKind> kinds() {
    return FOUND.kinds();
  }

  /** Kinds that are made of what others publish, in the order in which they are told. */
  public static List<DerivedKind> derived() {
    return DERIVED;
  }

  /** What is wrong with kinds of libraries, which are left out; empty if nothing is. */
  public static List<String> problems() {
    return FOUND.problems();
  }

  /** How the records that they publish are shown: one for each public schema of theirs. */
  public static List<OutputView> outputs() {
    return Stream.concat(
            kinds().stream().flatMap(kind -> kind.outputs().stream()),
            DERIVED.stream().flatMap(kind -> kind.outputs().stream()))
        .toList();
  }

  /** The word of the kind that a release is of. */
  public static String kindOf(ReleaseSpec spec) {
    return kinds().stream()
        .filter(
            kind -> kind.outputs().stream().anyMatch(view -> view.schema().equals(spec.schema())))
        .map(ReleaseKind::word)
        .findFirst()
        .orElseThrow();
  }

  /** The word of the kind that an output is of that is made of another's. */
  public static String kindOf(DerivedSpec spec) {
    return spec.kind();
  }

  /** How a record is shown; nothing if no kind publishes its schema. */
  public static Optional<OutputView> viewOf(IndexedRecord record) {
    return viewOf(record.getSchema());
  }

  /** How records of a schema are shown; nothing if no kind publishes it. */
  static Optional<OutputView> viewOf(Schema schema) {
    return Optional.ofNullable(VIEWS.get(schema.getFullName()));
  }
}
