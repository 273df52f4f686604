// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Many users feed one subject: what of them counts is bounded for each user and window, before
 * subjects are looked at.
 *
 * @param user field that names the user; {@link InputSpec#RECORD_KEY} for the record's key
 * @param records C: most records of one user that count in a window, over all subjects, 1 to
 *     {@value #MOST}
 * @param subjects S: most subjects to which one user's records of a window count, 1 to C
 * @param example of users, public, from which it is told what C leaves out
 */
public record Population(String user, int records, int subjects, Optional<ExampleUsers> example) {
  /** Most records of a user that can count in one window. */
  public static final int MOST = 1000;

  /** Most records of a user that are held while a window is open: C for each of S subjects. */
  public static final int MOST_HELD = 10_000;

  public Population(String user, int records, int subjects) {
    this(user, records, subjects, Optional.empty());
  }

  /** The same with an example. */
  public Population with(ExampleUsers users) {
    return new Population(user, records, subjects, Optional.of(users));
  }

  /** Share of the example's records that C leaves out. */
  public OptionalDouble exampleLeftOut() {
    return example
        .map(users -> OptionalDouble.of(users.leftOut(records)))
        .orElse(OptionalDouble.empty());
  }

  /** What a pipeline's digest is taken of: files without an example keep the digest they had. */
  String digested() {
    String bounds =
        "Population[user=%s, records=%d, subjects=%d".formatted(user, records, subjects);
    return bounds + example.map(users -> ", example=" + users).orElse("") + "]";
  }
}
