// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

/** How test values of binned columns find their training bin. */
public enum Encoding {
  /**
   * By comparing the bins' printed labels, as the reference figures look as if they were made: the
   * lowest training bin's label begins a little lower than the test rows' does, and edges are
   * rounded to 0 decimals for training and to 3 for test rows. What finds no label is unseen.
   */
  PUBLISHED,
  /** By the bins' edges. */
  CLEAN
}
