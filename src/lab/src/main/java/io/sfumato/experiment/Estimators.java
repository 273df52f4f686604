// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import java.util.List;

/**
 * Mechanisms that are calibrated to the same guarantee of a whole model: one record is replaced.
 */
interface Estimators {
  /** In the order of tables and plots. */
  List<Contender> contenders();

  /**
   * One contender for every table of a model, in their order.
   *
   * @param epsilon that all of them keep together
   * @throws ExperimentException if so little epsilon affords no such table
   */
  List<Estimator> of(Contender contender, double epsilon, List<PublicRows> tables)
      throws ExperimentException;
}
