// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.OutputFormat;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is planned of a file stays what it was: a running pipeline's state refuses a plan with other
 * parameters, so a change of them here is one for everybody who runs such a file. It needs a
 * reason, such as that the old ones were not private enough, and a word to operators.
 */
class PlannedParametersTest {
  /**
   * A file and what its plan was.
   *
   * @param name path of a file, or the words of a file that is made up: release, settings
   * @param digest of the plan
   * @param mechanisms with their exact parameters
   */
  record Golden(String name, String digest, String mechanisms) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Golden> goldens() throws IOException {
    try (InputStream in =
        PlannedParametersTest.class.getResourceAsStream("planned-parameters.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> line.split(" = |; ", 3))
          .map(parts -> new Golden(parts[0], parts[1], parts[2]))
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("goldens")
  void plansStayWhatTheyWere(Golden golden) throws PipelineFileException {
    Pipeline pipeline =
        golden.name().endsWith(".yaml")
            ? PipelineFile.read(Path.of(golden.name()))
            : PipelineFile.parse("p.yaml", madeUp(golden.name()));
    Plan plan = Plan.of("p.yaml", pipeline);
    assertThat(
            plan.releases().stream()
                .map(release -> release.charge().mechanism())
                .collect(Collectors.joining(" + ")))
        .isEqualTo(golden.mechanisms());
    // The digests are of files that wrote Avro, when this was the default.
    Plan avro = new Plan(pipeline.with(OutputFormat.AVRO), plan.releases());
    assertThat(avro.digestText()).isEqualTo(golden.digest());
  }

  private static String madeUp(String words) {
    boolean items = words.startsWith("mollifier");
    return """
        pipeline: p
        version: 1
        input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c, d, e, f] }
        window: { size: 1d%s }
        budget: { name: b, unit: %s, epsilon: 100, delta: 1e-3 }
        releases:
          - %s: { name: r, %s }
        """
        .formatted(
            items ? ", clock: ticks" : "",
            items ? "dataset" : "record",
            words.substring(0, words.indexOf(' ')),
            words.substring(words.indexOf(' ') + 1))
        .concat(items ? "subjects: roster\n" : "");
  }
}
