// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

/**
 * Many users feed one subject: what of them counts is bounded for each user and window, before
 * subjects are looked at.
 *
 * @param user field that names the user; {@link InputSpec#RECORD_KEY} for the record's key
 * @param records C: most records of one user that count in a window, over all subjects, 1 to
 *     {@value #MOST}
 * @param subjects S: most subjects to which one user's records of a window count, 1 to C
 */
public record Population(String user, int records, int subjects) {
  /** Most records of a user that can count in one window. */
  public static final int MOST = 1000;

  /** Most records of a user that are held while a window is open: C for each of S subjects. */
  public static final int MOST_HELD = 10_000;
}
