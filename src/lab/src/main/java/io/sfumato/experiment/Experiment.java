// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import java.util.ArrayList;
import java.util.List;

/**
 * What is repeated from a paper, or measured beside one: it leaves tables and plots in a folder.
 */
public interface Experiment {
  /** Steps of the progress. */
  long steps();

  /**
   * Writes tables and plots, named after the experiment.
   *
   * @param progress runs after each step
   * @return what was found, for people
   */
  List<String> run(Runnable progress) throws ExperimentException;

  /** This one and then another, as if they were one. */
  default Experiment then(Experiment next) {
    Experiment first = this;
    return new Experiment() {
      @Override
      public long steps() {
        return first.steps() + next.steps();
      }

      @Override
      public List<String> run(Runnable progress) throws ExperimentException {
        List<String> found = new ArrayList<>(first.run(progress));
        found.addAll(next.run(progress));
        return found;
      }
    };
  }
}
