// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.partitionselection;

/**
 * What may be told of a name that is public.
 *
 * @param test at which it was found, from 1; 0 if it was public when the block began
 * @param found its estimate at that test, in steps of 2^-20; 0 if there was none
 * @param told its running count in steps of 2^-20
 * @param windows since it was found
 */
public record PublicName(int test, long found, long told, long windows) {
  /** Of a name, without what is secret of it. */
  public static PublicName of(RunningName.Public name) {
    return new PublicName(name.test(), name.found(), name.told(), name.fine().windows());
  }
}
