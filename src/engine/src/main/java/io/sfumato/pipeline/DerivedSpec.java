// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.random.CanonicalEncoder;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;

/**
 * An output that is made of what another one publishes, and of nothing else: it has no share, no
 * charge and no draw. Whatever is made of private outputs alone is as private as they are
 * (docs/theory/additive-noise.md, "Post-processing").
 */
public interface DerivedSpec extends OutputSpec {
  /** Name of the output that it is made of. */
  String of();

  /**
   * What does not fit the rest of the file, each a whole sentence; empty if all does.
   *
   * @param source the output that it is made of; nothing where the file has none of that name
   */
  List<String> conflicts(Optional<ReleaseSpec> source);

  /** What bears on what is published, beside its name, its topic and its source. */
  void digest(CanonicalEncoder digest);

  /** What it is and on what its privacy rests, for whoever must sign for it. */
  PrivacyRationale rationale();

  /** What a plan says of it. */
  Facts facts();

  /**
   * How long texts and lists of the largest record are that it publishes, but for the fields that
   * every release has.
   */
  Caps caps();

  /**
   * Makes its record of one subject and window.
   *
   * @param source all that its source publishes of them, in that order; at least one
   */
  SpecificRecord made(OutputLabel label, List<? extends SpecificRecord> source);
}
