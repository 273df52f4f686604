// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import static io.sfumato.experiment.Encoding.CLEAN;
import static io.sfumato.experiment.ModelExperiment.Models.BAYESIAN_NETWORKS;
import static io.sfumato.experiment.ModelExperiment.Models.NAIVE_BAYES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Delta;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The model experiments on data sets that the paper does not have, and at (epsilon, delta). */
class AnyDataSetTest {
  @TempDir Path folder;

  private void write(String name, String csv) throws IOException {
    try (Writer out =
        new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(folder.resolve(name + ".csv.gz"))),
            StandardCharsets.UTF_8)) {
      out.write(csv);
    }
  }

  /** The colour tells the class but for one row in ten; the number does not. */
  private void writeVisits(int rows) throws IOException {
    StringBuilder csv = new StringBuilder("colour,number,bought\n");
    for (int i = 0; i < rows; i++) {
      boolean bought = i % 2 == 0;
      boolean red = bought == (i / 2 % 10 != 0);
      csv.append(red ? "red," : "blue,").append(i * 7919 % 1009 / 8.0);
      csv.append(bought ? ",yes\n" : ",no\n");
    }
    write("Visits", csv.toString());
  }

  private ModelExperiment experiment(
      ModelExperiment.Models models, String dataset, Optional<Delta> delta) {
    return new ModelExperiment(
        models,
        folder,
        folder.resolve("out"),
        Optional.empty(),
        List.of(dataset),
        2,
        10,
        CLEAN,
        delta);
  }

  private double metric(String file, String start) throws IOException {
    String row =
        Files.readAllLines(folder.resolve("out").resolve(file)).stream()
            .filter(line -> line.startsWith(start))
            .findFirst()
            .orElseThrow();
    return Double.parseDouble(row.split(",")[3]);
  }

  @Test
  void anyFileOfTheFolderIsEncodedAndClassified() throws Exception {
    writeVisits(2000);
    List<String> found = experiment(NAIVE_BAYES, "Visits", Optional.empty()).run(() -> {});
    assertThat(found).contains("Visits: 2 features");
    // The colour is right in 9 of 10: its entropy, and a little for ten deciles that say nothing.
    double entropy = -0.9 * Math.log(0.9) - 0.1 * Math.log(0.1);
    assertThat(metric("naive-bayes.csv", "Visits,Non-private,")).isCloseTo(entropy, within(0.05));
  }

  /** Figures 9 and 10: at the largest epsilon all are near, at the smallest none is. */
  @Test
  void atDeltaEveryMechanismIsComparedWithTheEarlierGuarantee() throws Exception {
    writeVisits(2000);
    ModelExperiment experiment = experiment(NAIVE_BAYES, "Visits", Optional.of(Delta.of("1e-5")));
    long[] steps = {0};
    experiment.run(() -> steps[0]++);
    assertThat(steps[0]).isEqualTo(experiment.steps()).isEqualTo(70);
    double truth = metric("naive-bayes-delta.csv", "Visits,Non-private,");
    for (Contender contender : Contender.values()) {
      String start = "Visits," + contender.title() + ",";
      assertThat(metric("naive-bayes-delta.csv", start + "10.0"))
          .as(contender.title())
          .isCloseTo(truth, within(0.05));
      assertThat(metric("naive-bayes-delta.csv", start + "0.01"))
          .as(contender.title())
          .isGreaterThan(truth + 0.05);
    }
    // The whole point of figure 9.
    assertThat(metric("naive-bayes-delta.csv", "Visits,Dirichlet,0.46"))
        .isLessThan(metric("naive-bayes-delta.csv", "Visits,Gohari et al.,0.46"));
    assertThat(folder.resolve("out").resolve("naive-bayes-delta-accuracy.png")).isNotEmptyFile();
  }

  /** The pair that Gohari et al. afford does keep their guarantee, whose k and eta are public. */
  @Test
  void earlierGuaranteeIsKeptByItsPlan() {
    PublicRows rows = new PublicRows(6, 300, 4000);
    var pair = GohariPlan.best(1, 1e-6, rows).orElseThrow();
    double k = pair.r() * 4000 + 6 * pair.a();
    Gohari gohari = new Gohari(pair.a() / k, 0, 6, 2 * pair.r() / k);
    assertThat(gohari.epsilonAt(k, 1e-6).orElseThrow()).isBetween(0.98, 1.0);
  }

  @Test
  void aNetworkIsReadFromAPublicFileAndOthersAreRefused() throws Exception {
    writeVisits(2000);
    assertThatThrownBy(
            () -> experiment(BAYESIAN_NETWORKS, "Visits", Optional.empty()).run(() -> {}))
        .isInstanceOf(ExperimentException.class)
        .hasMessageContaining("Visits.network: no such file")
        .hasMessageContaining("[Adult, Bank, GermanCredit]");
    Path shape = folder.resolve("Visits.network");
    Files.writeString(shape, "bought[]\ncolour [ bought ]\nnumber[]\n");
    experiment(BAYESIAN_NETWORKS, "Visits", Optional.of(Delta.of("1e-5"))).run(() -> {});
    double entropy = -0.9 * Math.log(0.9) - 0.1 * Math.log(0.1);
    assertThat(-metric("bayesian-networks-delta.csv", "Visits,Non-private,") / 600)
        .isCloseTo(Math.log(2) + entropy + Math.log(10), within(0.05));
    Files.writeString(shape, "colour[bought] bought[]");
    assertThatThrownBy(
            () -> experiment(BAYESIAN_NETWORKS, "Visits", Optional.empty()).run(() -> {}))
        .hasMessageContaining("Visits.network: 'colour' has the parent 'bought', which must stand");
    Files.writeString(shape, "bought[] colour(bought)");
    assertThatThrownBy(
            () -> experiment(BAYESIAN_NETWORKS, "Visits", Optional.empty()).run(() -> {}))
        .hasMessageContaining("found 'colour(bought)', allowed is attribute[parent,parent]");
    Files.writeString(shape, "bought[] bought[]");
    assertThatThrownBy(() -> Network.find(folder, "Visits")).hasMessageContaining("twice");
    Files.writeString(shape, "price[]");
    assertThatThrownBy(
            () -> experiment(BAYESIAN_NETWORKS, "Visits", Optional.empty()).run(() -> {}))
        .hasMessageContaining("has no column 'price'");
  }

  @Test
  void whatCannotBeClassifiedIsRefused() throws Exception {
    write("Flat", "a,class\n" + "1,x\n".repeat(20));
    write("Same", "a,class\n" + "1,x\n1,y\n".repeat(20));
    assertThatThrownBy(() -> experiment(NAIVE_BAYES, "Flat", Optional.empty()).run(() -> {}))
        .hasMessageContaining("'class', has 1 different values");
    assertThatThrownBy(() -> experiment(NAIVE_BAYES, "Same", Optional.empty()).run(() -> {}))
        .hasMessageContaining("every column but the last is constant");
    assertThatThrownBy(() -> experiment(NAIVE_BAYES, "Gone", Optional.empty()).run(() -> {}))
        .hasMessageContaining("Gone.csv.gz: no such file; --data names the folder that has it")
        .hasMessageContaining("it has Flat, Same");
  }

  /** One class lies in a test row alone: no model gives it anything. */
  @Test
  void aClassThatTrainingHasNotSeenIsNotAnError() throws Exception {
    int unseen = Split.of(40, NaiveBayes.SPLIT_SEED).test()[0];
    StringBuilder csv = new StringBuilder("a,class\n");
    for (int i = 0; i < 40; i++) {
      csv.append(i % 2 == 0 ? "1," : "2,");
      csv.append(i == unseen ? "rare" : i % 2 == 0 ? "x" : "y").append('\n');
    }
    write("Rare", csv.toString());
    List<String> found = experiment(NAIVE_BAYES, "Rare", Optional.empty()).run(() -> {});
    assertThat(found).contains("Rare: 1 test rows are of classes that training has not seen");
    assertThat(metric("naive-bayes.csv", "Rare,Non-private,"))
        .isGreaterThan(20 * Math.log(10) / 12);
  }
}
