// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.List;
import java.util.Optional;

/**
 * A kind of release: its word in pipeline files, how it is read, what it publishes and how that is
 * shown. All that the program knows of kinds stands in this interface, {@link ReleaseSpec} and
 * {@link PlannedRelease}.
 */
public interface ReleaseKind {
  /** Its word in pipeline files, such as {@code histogram}. */
  String word();

  /**
   * What a file may say of one, beside its name, topic, share and windows. Readers ask for these
   * fields; the reference and the JSON Schema describe them. Nothing by default.
   */
  default Section section() {
    return Section.of("An output of kind " + word() + ".");
  }

  /**
   * Where its one section stands in a file, if that is not an entry of {@code releases:}. What
   * stands outside comes before all others.
   */
  default Optional<Place> place() {
    return Optional.empty();
  }

  /** Whether its share needs a delta above 0; what is purely private does without. */
  default boolean needsDelta() {
    return true;
  }

  /** Whether its share must last for a number of windows, which files then may have to name. */
  default boolean lastsWindows() {
    return true;
  }

  /**
   * Whether a file may say how much of one user counts in it alone. Not where bounds of several
   * outputs have to be the same.
   */
  default boolean boundsUsers() {
    return false;
  }

  /** Reads one from a file; what is wrong with it is told to the fields. */
  ReleaseSpec read(ReleaseFields fields);

  /** The records that it publishes. */
  List<OutputView> outputs();

  /**
   * A section outside {@code releases:}.
   *
   * @param section its path, such as {@code subjects.discover}
   * @param name of its output, where the section gives none
   */
  record Place(String section, String name) {}
}
