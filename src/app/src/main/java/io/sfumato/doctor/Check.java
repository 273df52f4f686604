// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import io.sfumato.runtime.RefusedException;
import java.util.List;

/** One look among others. */
@FunctionalInterface
interface Check {
  /**
   * What it finds.
   *
   * @throws RefusedException if there is no answer
   */
  List<Finding> findings() throws RefusedException;

  /**
   * Looks; a look that fails is a finding itself, so that it hides no other.
   *
   * @throws RefusedException if whoever looks was told to stop
   */
  static List<Finding> at(String subject, Check look) throws RefusedException {
    try {
      return look.findings();
    } catch (RefusedException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw e;
      }
      return List.of(Finding.problem(subject, "could not be checked", e.getMessage()));
    }
  }
}
