// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.modeller.EventRates;
import io.sfumato.modeller.MixtureOfUniforms;
import io.sfumato.modeller.Posterior;
import io.sfumato.modeller.PseudoData;
import io.sfumato.modeller.Simulator;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.PipelineFile;
import io.sfumato.release.abc.AbcSpec;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SynthesisTest {
  @TempDir Path folder;

  private Pipeline pipeline(String input, String distance) throws Exception {
    Path file = folder.resolve("p.yaml");
    Files.writeString(
        file,
        """
        pipeline: p
        version: 1
        input: { topic: in, subject: who, time: at, %s }
        window: { size: 1d }
        budget: { name: b, unit: record, epsilon: 1, delta: 1e-5 }
        %s
        releases:
          - abc: { name: m, threshold: 0.3, share: { epsilon: 1, delta: 1e-6 }, queries: 1 }
        """
            .formatted(input, distance));
    return PipelineFile.read(file);
  }

  @Test
  void shouldWriteARowARecordOfDrawsWithWeightAlone() throws Exception {
    Pipeline pipeline = pipeline("category: what, categories: ['plain', 'a, \"b\"']", "");
    Posterior posterior = new Posterior();
    posterior.add(new double[] {1, 0}, 0);
    posterior.add(new double[] {0, 1}, 0.25);
    Path out = folder.resolve("out.csv");
    Synthesis synthesis = new Synthesis(out, 2, 1);
    synthesis.simulate(pipeline, posterior, new EventRates(List.of("x", "y")), 3);
    assertThat(Files.readAllLines(out))
        .containsExactly(
            "dataset,what",
            "1,\"a, \"\"b\"\"\"",
            "1,\"a, \"\"b\"\"\"",
            "1,\"a, \"\"b\"\"\"",
            "2,\"a, \"\"b\"\"\"",
            "2,\"a, \"\"b\"\"\"",
            "2,\"a, \"\"b\"\"\"");
  }

  @Test
  void shouldRepeatItselfWithTheSameSeedAlone() throws Exception {
    Pipeline pipeline = pipeline("values: [x]", "features: { count: 10, bandwidth: 1, seed: s }");
    Posterior posterior = new Posterior();
    for (int i = 0; i < 5; i++) {
      double[] theta = new double[5];
      theta[i] = 1;
      posterior.add(theta, 1);
    }
    MixtureOfUniforms model = new MixtureOfUniforms(5);
    for (String name : List.of("one", "two")) {
      new Synthesis(folder.resolve(name), 4, 7).simulate(pipeline, posterior, model, 50);
    }
    new Synthesis(folder.resolve("three"), 4, 8).simulate(pipeline, posterior, model, 50);
    assertThat(folder.resolve("two")).hasSameTextualContentAs(folder.resolve("one"));
    assertThat(Files.readString(folder.resolve("three")))
        .startsWith("dataset,x\n1,")
        .hasLineCount(201)
        .isNotEqualTo(Files.readString(folder.resolve("one")));
  }

  /** Whoever looks at the file alone would take them for records without numbers. */
  @Test
  void shouldSayWhatRowsLack() throws Exception {
    EventRates rates = new EventRates(List.of("x", "y"));
    MixtureOfUniforms mixture = new MixtureOfUniforms(5);
    String features = "features: { count: 10, bandwidth: 1, seed: s }";
    String categories = "category: what, categories: [a, b]";
    assertThat(leftOut(pipeline(categories + ", values: [speed, height]", features), rates, 2))
        .hasValueSatisfying(
            line ->
                assertThat(line)
                    .startsWith("note: numbers are left out: speed, height, because")
                    .hasLineCount(1));
    assertThat(leftOut(pipeline(categories + ", values: [speed]", features), mixture, 5))
        .hasValueSatisfying(
            line -> assertThat(line).startsWith("note: categories are left out: what, because"));
    assertThat(leftOut(pipeline(categories, ""), rates, 2)).isEmpty();
    assertThat(leftOut(pipeline("values: [speed]", features), mixture, 5)).isEmpty();
  }

  private Optional<String> leftOut(Pipeline pipeline, Simulator simulator, int parameters)
      throws Exception {
    Posterior posterior = new Posterior();
    double[] theta = new double[parameters];
    theta[0] = 1;
    posterior.add(theta, 1);
    return new Synthesis(folder.resolve("lacking.csv"), 2, 1)
        .simulate(pipeline, posterior, simulator, 3)
        .sentence();
  }

  @Test
  void shouldRefuseAPosteriorOfNothing() throws Exception {
    Pipeline pipeline = pipeline("category: what, categories: [a, b]", "");
    Posterior posterior = new Posterior();
    posterior.add(new double[] {1, 0}, 0);
    Path out = folder.resolve("out.csv");
    assertThatThrownBy(
            () ->
                new Synthesis(out, 1, 1)
                    .simulate(pipeline, posterior, new EventRates(List.of("a", "b")), 3))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("no candidate has any weight");
    assertThat(out).doesNotExist();
  }

  /** What was asked of another subject or query, or has other parameters, is not this one's. */
  @Test
  void shouldFindTheCandidatesOfAFile() throws Exception {
    Pipeline pipeline = pipeline("category: what, categories: [a, b]", "");
    String line =
        "{\"output\":\"m\",\"query_id\":\"q\",\"candidate\":%d,\"candidates\":9,\"subject\":\"%s\","
            + "\"window_start\":\"2026-06-01T00:00:00Z\",\"parameters\":[0.5],%s}";
    Path file = folder.resolve("asked.jsonl");
    Files.write(
        file,
        List.of(
            line.formatted(0, "ann", "\"counts\":[3,4]"),
            "",
            line.formatted(1, "bob", "\"counts\":[3,4]"),
            line.formatted(2, "ann", "\"mean\":[0.5,0.5]"),
            line.formatted(3, "ann", "\"counts\":[1,2,3]")));
    GivenAnswers.Query query =
        new GivenAnswers.Query(AbcSpec.of(pipeline).get(0), "ann", "q", Optional.empty());
    AskedCandidates asked = AskedCandidates.ofFile(query, file);
    PseudoData found = asked.pseudoData(0, List.of(0.5), pipeline.input()).orElseThrow();
    assertThat(((PseudoData.Counts) found).byCategory()).containsExactly(3, 4);
    assertThat(asked.pseudoData(0, List.of(0.6), pipeline.input())).isEmpty();
    for (int other : List.of(1, 2, 3, 4)) {
      assertThat(asked.pseudoData(other, List.of(0.5), pipeline.input())).isEmpty();
    }
    Files.writeString(file, line.formatted(0, "Mu\u0308nchen", "\"counts\":[3,4]"));
    GivenAnswers.Query composed =
        new GivenAnswers.Query(query.spec(), "M\u00fcnchen", "q", Optional.empty());
    assertThat(AskedCandidates.ofFile(composed, file).pseudoData(0, List.of(0.5), pipeline.input()))
        .as("a name in parts, as the pipeline takes it")
        .isPresent();
    Files.writeString(file, "\n{\"output\": 3}\n");
    assertThatThrownBy(() -> AskedCandidates.ofFile(query, file))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("asked.jsonl line 2: not a candidate");
    assertThatThrownBy(() -> AskedCandidates.ofFile(query, folder.resolve("none")))
        .hasMessageContaining("none: cannot be read");
  }
}
