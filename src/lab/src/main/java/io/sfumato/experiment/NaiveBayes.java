// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.random.KeyedRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Section 5.1 of the Dirichlet paper: naive Bayes classifiers with private tables. Each of the K
 * features' tables and the class counts spend epsilon / (K + 1).
 */
final class NaiveBayes {
  /** The paper's data sets, less two that the experiment was not given. */
  static final List<String> DATA_SETS =
      List.of("Thyroid", "Digit", "GermanCredit", "Bank", "Spam", "Adult");

  static final List<String> METRICS = List.of("cross_entropy", "accuracy");

  /** Of NumPy's generator: the split of the reference figures. */
  static final int SPLIT_SEED = 1;

  private static final double TINY = 1e-20;
  private static final int MOST_CLASSES = 1000;

  private final DataSet data;
  private final int classes;
  private final int[] testLabels;
  private final double[] classCounts;
  private final List<Coded> features = new ArrayList<>();
  private final List<double[][]> tables = new ArrayList<>();

  /**
   * Prepares one data set: split, coded, counted.
   *
   * @throws ExperimentException if its last column tells no classes, or the others tell nothing
   */
  NaiveBayes(DataSet data, int bins, Encoding encoding) throws ExperimentException {
    this.data = data;
    Split split = Split.of(data.size(), SPLIT_SEED);
    Coded label = Coded.of(data.label().asCategories(), split, bins, encoding);
    this.classes = label.categories();
    if (classes < 2 || classes > MOST_CLASSES) {
      throw new ExperimentException(
          "%s.csv.gz: the last column, '%s', has %d different values in training; needed are classes, 2 to %d: put the label last"
              .formatted(data.name(), data.label().name(), classes, MOST_CLASSES));
    }
    this.testLabels = label.test();
    this.classCounts = new double[classes];
    Arrays.stream(label.train()).forEach(j -> classCounts[j]++);
    for (ResultColumn column : data.columns().subList(0, data.columns().size() - 1)) {
      Coded coded = Coded.of(column, split, bins, encoding);
      if (coded.categories() < 2) {
        continue; // constant
      }
      double[][] counts = new double[classes][coded.categories()];
      for (int i = 0; i < coded.train().length; i++) {
        counts[label.train()[i]][coded.train()[i]]++;
      }
      features.add(coded);
      tables.add(counts);
    }
    if (features.isEmpty()) {
      throw new ExperimentException(
          data.name() + ".csv.gz: every column but the last is constant, so nothing tells classes");
    }
  }

  /** Test rows of classes that training has not seen, to which every model gives probability 0. */
  long unseenClasses() {
    return Arrays.stream(testLabels).filter(j -> j == Coded.UNSEEN).count();
  }

  /** Number of features that are not constant, K. */
  int features() {
    return features.size();
  }

  /** The model without privacy. */
  Result nonPrivate() {
    List<double[][]> shares =
        tables.stream()
            .map(
                table ->
                    Arrays.stream(table).map(CategoryShares::nonPrivate).toArray(double[][]::new))
            .toList();
    double[] score = score(CategoryShares.normalised(classCounts), shares);
    return Result.of(data.name(), "Non-private", OptionalDouble.empty(), List.of(score), "");
  }

  /** Guessing. */
  Result random() {
    double[] score = {Math.log(classes), 1.0 / classes};
    return Result.of(data.name(), "Random", OptionalDouble.empty(), List.of(score), "");
  }

  /** One mechanism at one epsilon, {@code repeats} times. */
  Result run(Contender contender, double epsilon, int repeats, Estimators estimators)
      throws ExperimentException {
    double records = Arrays.stream(classCounts).sum();
    List<PublicRows> rowsOf = new ArrayList<>(List.of(PublicRows.one(classes, records)));
    features.forEach(k -> rowsOf.add(PublicRows.several(k.categories(), records, classes)));
    List<Estimator> each = estimators.of(contender, epsilon, rowsOf);
    Estimator prior = each.get(0);
    List<double[]> scores = new ArrayList<>();
    for (int repeat = 0; repeat < repeats; repeat++) {
      KeyedRandom random =
          KeyedRandom.ofPublicSeed(
              String.format(
                  Locale.ROOT, "naive-bayes %s %s %s %d", data.name(), contender, epsilon, repeat));
      double[] classShares = prior.shares(classCounts, random);
      List<double[][]> shares = new ArrayList<>();
      for (int k = 0; k < tables.size(); k++) {
        double[][] rows = new double[classes][];
        for (int j = 0; j < classes; j++) {
          rows[j] = each.get(k + 1).shares(tables.get(k)[j], random);
        }
        shares.add(rows);
      }
      scores.add(score(classShares, shares));
    }
    return Result.of(
        data.name(), contender.title(), OptionalDouble.of(epsilon), scores, prior.parameters());
  }

  /** Cross-entropy in nats and accuracy on the test rows; unseen categories are ignored. */
  private double[] score(double[] classShares, List<double[][]> shares) {
    List<double[][]> logs =
        shares.stream()
            .map(
                table ->
                    Arrays.stream(table)
                        .map(row -> Arrays.stream(row).map(Math::log).toArray())
                        .toArray(double[][]::new))
            .toList();
    double crossEntropy = 0;
    int right = 0;
    double[] ln = new double[classes];
    for (int i = 0; i < testLabels.length; i++) {
      int best = 0;
      for (int j = 0; j < classes; j++) {
        ln[j] = Math.log(classShares[j]);
        for (int k = 0; k < logs.size(); k++) {
          int code = features.get(k).test()[i];
          ln[j] += code == Coded.UNSEEN ? 0 : logs.get(k)[j][code];
        }
        best = ln[j] > ln[best] ? j : best;
      }
      double sum = 0;
      for (int j = 0; j < classes; j++) {
        sum += Math.exp(ln[j] - ln[best]);
      }
      int truth = testLabels[i];
      double share = truth == Coded.UNSEEN ? 0 : Math.exp(ln[truth] - ln[best]) / sum;
      crossEntropy -= Math.log(share + TINY);
      right += best == truth ? 1 : 0;
    }
    return new double[] {crossEntropy / testLabels.length, right / (double) testLabels.length};
  }
}
