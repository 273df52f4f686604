// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

  private static final String ENDING = ".network";

  private static final Pattern NODE = Pattern.compile("\\s*([^\\[\\],]+)\\[([^\\[\\]]*)\\]\\s*");

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

  /**
   * The shape of a data set's network: of {@code DIR/NAME.network}, if there is such a file, else
   * the paper's.
   */
  static Network find(Path folder, String dataset) throws ExperimentException {
    Path file = folder.resolve(dataset + ENDING);
    if (Files.exists(file)) {
      try {
        return of(dataset, Files.readString(file));
      } catch (IOException e) {
        throw new ExperimentException(file + ": cannot be read as text");
      } catch (IllegalArgumentException e) {
        throw new ExperimentException(file + ": " + e.getMessage());
      }
    }
    return PAPER.stream()
        .filter(network -> network.dataset().equals(dataset))
        .findFirst()
        .orElseThrow(
            () ->
                new ExperimentException(
                    "%s: no such file, and %s is no network of the paper, which has %s; write every attribute with its parents into the file, parents first: age[] education[age] income[age,education]"
                        .formatted(file, dataset, PAPER.stream().map(Network::dataset).toList())));
  }

  /**
   * {@code child[parent,parent] ...}, parents before children, in one line or several.
   *
   * @throws IllegalArgumentException where it is anything else
   */
  static Network of(String dataset, String shape) {
    List<Node> nodes = new ArrayList<>();
    Set<String> named = new HashSet<>();
    Matcher matcher = NODE.matcher(shape);
    int end = 0;
    while (matcher.find(end) && matcher.start() == end) {
      end = matcher.end();
      Node node = new Node(matcher.group(1).strip(), names(matcher.group(2)));
      for (String parent : node.parents()) {
        if (!named.contains(parent)) {
          throw new IllegalArgumentException(
              "'%s' has the parent '%s', which must stand before it"
                  .formatted(node.name(), parent));
        }
      }
      if (!named.add(node.name())) {
        throw new IllegalArgumentException("'" + node.name() + "' stands there twice");
      }
      nodes.add(node);
    }
    String rest = shape.substring(end).strip();
    if (nodes.isEmpty() || !rest.isEmpty()) {
      throw new IllegalArgumentException(
          "found '%s', allowed is attribute[parent,parent], with [] where there is none"
              .formatted(rest.lines().findFirst().orElse("")));
    }
    return new Network(dataset, nodes);
  }

  private static List<String> names(String list) {
    return list.isBlank()
        ? List.of()
        : Arrays.stream(list.split(",")).map(String::strip).distinct().toList();
  }
}
