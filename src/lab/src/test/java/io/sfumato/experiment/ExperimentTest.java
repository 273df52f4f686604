// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import static io.sfumato.experiment.Encoding.CLEAN;
import static io.sfumato.experiment.ModelExperiment.Models.NAIVE_BAYES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.random.GammaSampler;
import io.sfumato.random.KeyedRandom;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("deep")
class ExperimentTest {
  @TempDir Path folder;

  /** NumPy's own numbers: RandomState(1).permutation(12). */
  @Test
  void splitIsTheOneOfNumpyAndScikitLearn() {
    Split split = Split.of(12, 1);
    assertThat(split.test()).containsExactly(2, 3, 4, 10);
    assertThat(split.train()).hasSize(8).doesNotContain(split.test());
  }

  @Test
  void numericColumnsAreBinnedByTheTrainingRows() {
    Split split = new Split(range(0, 100), range(100, 104));
    double[] numbers = new double[104];
    Arrays.setAll(numbers, i -> i < 40 ? 7 : i);
    numbers[100] = 7;
    numbers[101] = -5;
    numbers[102] = 99;
    numbers[103] = 1e9;
    Coded coded =
        Coded.of(
            ResultColumn.of(
                "x", Arrays.stream(numbers).mapToObj(Double::toString).toArray(String[]::new)),
            split,
            Coded.PAPER_BINS,
            CLEAN);
    assertThat(coded.categories()).as("7 is frequent, the rest are deciles").isEqualTo(11);
    assertThat(coded.train()[0]).isEqualTo(coded.test()[0]).isZero();
    assertThat(coded.test()[1]).as("below the lowest edge").isEqualTo(1);
    assertThat(coded.test()[2]).isEqualTo(coded.test()[3]).isEqualTo(10);
    long perBin = Arrays.stream(coded.train()).filter(c -> c == 5).count();
    assertThat(perBin).isEqualTo(6);
  }

  /** What pandas prints: numbers from its own documentation of qcut and from hand. */
  @Test
  void labelsAreRoundedUntilTheyDiffer() {
    double[] edges = {0, 0.0001, 0.0005, 0.00232, 0.0031, 0.53};
    assertThat(BinLabels.rounded(edges, 0)).containsExactly(0, 0.0001, 0.0005, 0.002, 0.003, 0.5);
    assertThat(BinLabels.rounded(edges, 3)).containsExactly(edges);
    assertThat(BinLabels.rounded(new double[] {958.9, 1286.2, 1940}, 0))
        .containsExactly(959, 1286, 1940);
    assertThat(BinLabels.found(new double[] {250, 958.9, 1940, 2335, 2860.2}))
        .containsExactly(false, false, true, false);
  }

  /** A little world of three features, of which two tell the class. */
  private void write(String name, int rows) throws IOException {
    KeyedRandom random = KeyedRandom.ofPublicSeed("toy");
    try (Writer out =
        new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(folder.resolve(name + ".csv.gz"))),
            StandardCharsets.UTF_8)) {
      out.write("colour,height,noise,class\n");
      for (int i = 0; i < rows; i++) {
        boolean first = random.nextOpenDouble() < 0.5;
        String colour = random.nextOpenDouble() < (first ? 0.9 : 0.2) ? "red" : "blue";
        double height = random.nextStandardGaussian() + (first ? 2 : 0);
        out.write(colour + "," + height + "," + random.nextOpenDouble() + "," + first + "\n");
      }
    }
  }

  @Test
  void naiveBayesLearnsAndEveryMechanismApproachesItAsEpsilonGrows() throws Exception {
    write("Toy", 2000);
    Path out = folder.resolve("out");
    ModelExperiment experiment =
        new ModelExperiment(
            NAIVE_BAYES,
            folder,
            out,
            Optional.empty(),
            List.of("Toy"),
            2,
            10,
            CLEAN,
            Optional.empty());
    long[] steps = {0};
    List<String> lines = experiment.run(() -> steps[0]++);
    assertThat(steps[0]).isEqualTo(experiment.steps());
    assertThat(lines).anyMatch(line -> line.startsWith("Toy: best by cross_entropy"));
    assertThat(out.resolve("naive-bayes-cross-entropy.png")).isNotEmptyFile();
    List<String> csv = Files.readAllLines(out.resolve("naive-bayes.csv"));
    double nonPrivate = crossEntropy(csv, "Toy,Non-private,,");
    assertThat(nonPrivate).isLessThan(0.5).isGreaterThan(0.2);
    for (Contender contender : new RenyiEstimators().contenders()) {
      assertThat(crossEntropy(csv, "Toy," + contender.title() + ",10.0"))
          .as(contender.title())
          .isCloseTo(nonPrivate, within(0.05));
    }
    // Compared with itself, nothing differs.
    Files.copy(out.resolve("naive-bayes.csv"), folder.resolve("naive-bayes.csv"));
    assertThat(
            new ModelExperiment(
                    NAIVE_BAYES,
                    folder,
                    out,
                    Optional.of(folder),
                    List.of("Toy"),
                    2,
                    10,
                    CLEAN,
                    Optional.empty())
                .run(() -> {}))
        .anyMatch(line -> line.contains("within 3 deviations at 10 of 10"));
  }

  private static double crossEntropy(List<String> csv, String start) {
    String line = csv.stream().filter(row -> row.startsWith(start)).findFirst().orElseThrow();
    return Double.parseDouble(line.split(",")[3]);
  }

  @Test
  void networkLikelihoodIsThatOfTheRelativeFrequencies() throws Exception {
    write("Toy", 2000);
    DataSet data = DataSet.read(folder, "Toy");
    BayesianNetwork model =
        new BayesianNetwork(
            Network.of("Toy", "class[] colour[class] height[class]"), data, 10, CLEAN);
    double found = model.nonPrivate().metrics().get(0).mean();
    // Independent: entropies of the world itself, 600 test rows; height has ten quantile bins.
    double colour = 0.5 * (entropy(0.9) + entropy(0.2));
    assertThat(-found / 600)
        .isBetween(Math.log(2) + colour + 1.2, Math.log(2) + colour + Math.log(10));
    Result near = model.run(Contender.GAUSSIAN_FAIR, 10, 3, new RenyiEstimators());
    assertThat(near.metrics().get(0).mean()).isCloseTo(found, within(30.0));
  }

  private static double entropy(double p) {
    return -p * Math.log(p) - (1 - p) * Math.log1p(-p);
  }

  /** The paper's own parameters at epsilon = 0.001 / 21, order 5 (its published table). */
  @Test
  void contendersHaveThePapersParameters() {
    assertThat(parameters(Contender.DIRICHLET_PAPER)).isEqualTo("r=0.00245767;alpha=1.03932");
    assertThat(parameters(Contender.GAUSSIAN_PAPER)).isEqualTo("sigma=324.037");
    assertThat(parameters(Contender.LAPLACE_PAPER)).isEqualTo("b=457.910");
  }

  private static String parameters(Contender contender) {
    List<PublicRows> tables = Collections.nCopies(21, new PublicRows(10, 100, 100));
    return new RenyiEstimators().of(contender, 0.001, tables).get(20).parameters();
  }

  /** The union over W lies between the truth and its second-order correction: 10,000 draws. */
  @Test
  void earlierGuaranteesDeltaIsTheUnionOfItsTails() {
    Gohari gohari = new Gohari(0.1, 0.5, 2, 0.01);
    double k = 20;
    double gamma = 0.02;
    KeyedRandom random = KeyedRandom.ofPublicSeed("union");
    int draws = 100_000;
    int below = 0;
    for (int i = 0; i < draws; i++) {
      double x = GammaSampler.sample(random, k * 0.1);
      double y = GammaSampler.sample(random, k * 0.4);
      double z = GammaSampler.sample(random, k * 0.5);
      double sum = x + y + z;
      below += x / sum < gamma || y / sum < gamma ? 1 : 0;
    }
    double p = gohari.delta(k, gamma);
    // Hoeffding at 1e-9: sqrt(ln(2e9) / 2n).
    assertThat(below / (double) draws)
        .isCloseTo(p, within(Math.sqrt(Math.log(2e9) / (2.0 * draws))));
    assertThat(gohari.largestK(0.01, 1e-5)).isEmpty();
    double found = gohari.largestK(5, 1e-5).orElseThrow();
    assertThat(gohari.epsilonAt(found, 1e-5).orElseThrow()).isLessThanOrEqualTo(5);
  }

  @Test
  void badDataIsOneClearLine() throws IOException {
    assertThatThrownBy(() -> DataSet.read(folder, "None"))
        .isInstanceOf(ExperimentException.class)
        .hasMessageContaining("None.csv.gz: no such file; --data");
    Files.writeString(folder.resolve("Plain.csv.gz"), "a,b\n");
    assertThatThrownBy(() -> DataSet.read(folder, "Plain")).hasMessageContaining("gzipped CSV");
    try (Writer out =
        new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(folder.resolve("Ragged.csv.gz"))),
            StandardCharsets.UTF_8)) {
      out.write("a,b\n" + "1,2\n".repeat(12) + "1,2,3\n");
    }
    assertThatThrownBy(() -> DataSet.read(folder, "Ragged"))
        .hasMessageContaining("line 14 has 3 fields, the header has 2");
  }

  @Test
  void tightnessWritesItsTableAndPlot() throws Exception {
    List<String> lines = new TightnessExperiment(folder).run(() -> {});
    assertThat(lines).hasSize(3);
    assertThat(folder.resolve("tightness.png")).isNotEmptyFile();
    List<String> csv = Files.readAllLines(folder.resolve("tightness.csv"));
    for (String line : csv.subList(1, csv.size())) {
      double[] values = Arrays.stream(line.split(",")).mapToDouble(Double::parseDouble).toArray();
      assertThat(values[3]).isLessThanOrEqualTo(values[4]);
      // Figure 3's upper curve, by equation 5's series.
      double argument = 1 + 3 * (values[0] - 1) * values[1];
      assertThat(values[5])
          .isCloseTo(
              values[0] * values[1] * values[1] * series(argument), within(1e-4 * values[5]));
      assertThat(values[4]).isLessThanOrEqualTo(values[5] * (1 + 1e-5));
    }
  }

  /** psi'(x) as the sum over 1 / (x + k)^2, the rest of it by its integral. */
  private static double series(double x) {
    double sum = 0;
    int terms = 100_000;
    for (int k = 0; k < terms; k++) {
      sum += 1 / ((x + k) * (x + k));
    }
    return sum + 1 / (x + terms - 0.5);
  }

  @Test
  void bestSettingsAreShownBesideThePublicChoiceAndTheMedian() {
    AbcErrors.Settings settings =
        AbcErrors.Settings.of(List.of(row(3, 9), row(1, 8), row(10, 2), row(2, 7)));
    assertThat(settings).isEqualTo(new AbcErrors.Settings(4, 1, 10, 2.5));
    assertThat(AbcErrors.Settings.of(List.of(row(5, 1), row(4, 2), row(9, 3))).median())
        .isEqualTo(5);
    assertThat(AbcErrors.Settings.of(List.of()).median()).isNaN();
  }

  private static AbcErrors.Row row(double error, double rehearsed) {
    return new AbcErrors.Row(
        "m", 1, Double.NaN, 0.1, 0, new MeasurementSummary(error, 0), rehearsed);
  }

  @Test
  void figureOneShowsObservationsOfTheTrueShares() throws Exception {
    AbcToyWorld.write(folder);
    assertThat(folder.resolve("abc-toy-data.png")).isNotEmptyFile();
    List<String> csv = Files.readAllLines(folder.resolve("abc-toy-data.csv"));
    double[] records = new double[5];
    for (String line : csv.subList(1, csv.size())) {
      String[] cells = line.split(",");
      records[Integer.parseInt(cells[2]) - 1] += Double.parseDouble(cells[4]);
    }
    assertThat(Arrays.stream(records).sum()).isEqualTo(5000);
    double[] truth = {0.25, 0.04, 0.33, 0.04, 0.34};
    for (int i = 0; i < 5; i++) {
      // Hoeffding, all five together at 1e-9.
      assertThat(records[i] / 5000).isCloseTo(truth[i], within(Math.sqrt(Math.log(1e10) / 1e4)));
    }
  }

  private static int[] range(int from, int to) {
    int[] range = new int[to - from];
    Arrays.setAll(range, i -> from + i);
    return range;
  }
}
