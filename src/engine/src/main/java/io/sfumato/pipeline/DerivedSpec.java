// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.random.CanonicalEncoder;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;

/**
 * An output that is made of what others publish, and of nothing else: it has no share, no charge
 * and no draw. Whatever is made of private outputs alone is as private as they are
 * (docs/theory/additive-noise.md, "Post-processing").
 */
public interface DerivedSpec extends OutputSpec {
  /** The word of its kind. */
  String kind();

  /** Name of the output that it is made of, or of the first one. */
  String of();

  /** Names of all outputs that it is made of, {@link #of} first. */
  default List<String> sources() {
    return List.of(of());
  }

  /**
   * What does not fit the rest of the file, each a whole sentence; empty if all does.
   *
   * @param outputs by name; nothing where the file has none of that name
   */
  List<String> conflicts(Function<String, Optional<ReleaseSpec>> outputs);

  /** What bears on what is published, beside its name, its topic and its source. */
  void digest(CanonicalEncoder digest);

  /** What it is and on what its privacy rests, for whoever must sign for it. */
  PrivacyRationale rationale();

  /**
   * What a plan says of it.
   *
   * @param sources the outputs that it is made of, in their order
   */
  Facts facts(Pipeline pipeline, List<PlannedRelease> sources);

  /**
   * How long texts and lists of the largest record are that it publishes, but for the fields that
   * every release has.
   */
  Caps caps();

  /**
   * How it is made.
   *
   * @param sources the outputs that it is made of, in their order
   */
  Maker maker(List<PlannedRelease> sources);

  /** Makes its records. */
  interface Maker {
    /**
     * That of one subject and window.
     *
     * @param source all that its sources publish of them, in their order; at least one of each
     */
    SpecificRecord made(OutputLabel label, List<? extends SpecificRecord> source);
  }
}
