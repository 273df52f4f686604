// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import java.util.List;

/**
 * A Bayesian network's shape.
 *
 * @param dataset that it describes
 * @param nodes parents before children
 */
record Network(String dataset, List<Node> nodes) {
  /**
   * One attribute.
   *
   * @param name of its column
   * @param parents names of theirs
   */
  record Node(String name, List<String> parents) {}

  /** Figure 6 of the Dirichlet paper. */
  static final List<Network> PAPER =
      List.of(
          of(
              "Adult",
              "age[] sex[] education[age] occupation[age,sex,education]"
                  + " capital-gain[sex,education,occupation]"
                  + " capital-loss[sex,occupation,capital-gain]"
                  + " income[occupation,capital-gain,capital-loss]"),
          of(
              "Bank",
              "month[] day_of_week[] housing[month] pdays[housing,month] poutcome[housing,pdays]"
                  + " previous[poutcome] contact[previous,month] campaign[day_of_week,month]"
                  + " duration[housing,contact,campaign] y[poutcome,duration,month]"),
          of(
              "GermanCredit",
              "housing[] property[housing] age[housing] amount[property] other_debtors[property]"
                  + " personal_status_sex[amount] purpose[amount] installment_rate[amount]"
                  + " duration[amount,installment_rate] people_liable[personal_status_sex]"
                  + " foreign_worker[duration] number_credits[age]"
                  + " credit_history[number_credits] other_installment_plans[credit_history]"));

  /** {@code child[parent,parent] ...} */
  static Network of(String dataset, String shape) {
    return new Network(
        dataset,
        List.of(shape.split(" ")).stream()
            .map(
                text -> {
                  int bracket = text.indexOf('[');
                  String parents = text.substring(bracket + 1, text.length() - 1);
                  return new Node(
                      text.substring(0, bracket),
                      parents.isEmpty() ? List.of() : List.of(parents.split(",")));
                })
            .toList());
  }
}
