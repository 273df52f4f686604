// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.ReleaseKind;
import io.sfumato.release.abc.AbcKind;
import io.sfumato.release.count.CountKind;
import io.sfumato.release.histogram.HistogramKind;
import io.sfumato.release.mollifier.MollifierKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.generic.IndexedRecord;

/**
 * The kinds of release that there are: one line each. A library on the class path may bring others
 * ({@link ServiceLoader}).
 */
public final class Releases {
  private static final List<ReleaseKind> KINDS =
      Stream.concat(
              Stream.of(new HistogramKind(), new CountKind(), new AbcKind(), new MollifierKind()),
              ServiceLoader.load(ReleaseKind.class).stream().map(ServiceLoader.Provider::get))
          .toList();

  private static final Map<String, OutputView> VIEWS =
      outputs().stream()
          .collect(
              Collectors.toUnmodifiableMap(
                  view -> view.schema().getFullName(), Function.identity()));

  private Releases() {}

  /** In the order in which they are told. */
  public static List<ReleaseKind> kinds() {
    return KINDS;
  }

  /** How the records that they publish are shown: one for each public schema of theirs. */
  public static List<OutputView> outputs() {
    return KINDS.stream().flatMap(kind -> kind.outputs().stream()).toList();
  }

  /** How a record is shown; nothing if no kind publishes its schema. */
  public static Optional<OutputView> viewOf(IndexedRecord record) {
    return Optional.ofNullable(VIEWS.get(record.getSchema().getFullName()));
  }
}
