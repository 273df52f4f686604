// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.modeller.Posterior;
import io.sfumato.modeller.PseudoData;
import io.sfumato.modeller.Simulator;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.random.KeyedRandom;
import io.sfumato.release.abc.AbcSpec;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Synthetic datasets, each of one draw from a query's posterior. Post-processing of answers that
 * were paid for, with public randomness: it costs no budget (section 5 of the ABCDP paper).
 *
 * @param out CSV
 * @param datasets number of them, at least 1
 * @param seed public
 */
public record Synthesis(Path out, int datasets, long seed) {
  private static final String EMPTY =
      "no candidate has any weight, so there is no posterior to draw from: raise the threshold, "
          + "or ask about more candidates";

  /**
   * Simulated anew at parameters drawn from the posterior.
   *
   * @param records of each dataset
   * @return what the rows lack
   * @throws RefusedException if nothing has any weight, or the file cannot be written
   */
  public SkippedRows simulate(
      Pipeline pipeline, Posterior posterior, Simulator simulator, int records)
      throws RefusedException {
    requireWeight(posterior);
    try (SyntheticFile file = new SyntheticFile(out, pipeline.input())) {
      for (int i = 1; i <= datasets; i++) {
        KeyedRandom random = random(i);
        double[] theta = posterior.theta(posterior.draw(random));
        file.add(i, simulator.simulate(theta, records, random));
      }
      return file.leftOut();
    }
  }

  /**
   * What came of drawing pseudo-data again.
   *
   * @param posterior of what was answered
   * @param answered candidates
   * @param leftOut of the rows that were written
   */
  public record Resampled(Posterior posterior, int answered, SkippedRows leftOut) {}

  /**
   * The pseudo-data of candidates, drawn by their weights.
   *
   * @param window start; any if the query was asked of but one
   * @param candidates a file of them; by default they are read from their topic
   * @throws RefusedException if there is no answer, nothing has any weight, or a candidate that has
   *     some is not there with its pseudo-data
   */
  public Resampled resample(
      Pipeline pipeline,
      AbcSpec spec,
      String subject,
      String id,
      Optional<Instant> window,
      Optional<Path> candidates,
      KafkaSettings settings)
      throws RefusedException {
    GivenAnswers.Query query = new GivenAnswers.Query(spec, subject, id, window);
    GivenAnswers answers = GivenAnswers.read(query, settings);
    Posterior posterior = answers.posterior();
    requireWeight(posterior);
    AskedCandidates asked =
        candidates.isPresent()
            ? AskedCandidates.ofFile(query, candidates.get())
            : AskedCandidates.ofTopic(query, pipeline.candidatesTopic(), settings);
    List<Optional<PseudoData>> pseudo = new ArrayList<>();
    for (Map.Entry<Integer, GivenAnswers.Answer> entry : answers.byCandidate().entrySet()) {
      GivenAnswers.Answer answer = entry.getValue();
      Optional<PseudoData> data =
          asked.pseudoData(entry.getKey(), answer.parameters(), pipeline.input());
      if (answer.weight() > 0 && data.isEmpty()) {
        throw new RefusedException(
            ExitCode.REFUSED_FILE,
            "candidate %d has weight, but %s lacks a candidate with its parameters and pseudo-data"
                    .formatted(
                        entry.getKey(),
                        candidates
                            .map(Path::toString)
                            .orElse("topic " + pipeline.candidatesTopic()))
                + " (values or counts): --candidates names a file of candidates that does");
      }
      pseudo.add(data);
    }
    try (SyntheticFile file = new SyntheticFile(out, pipeline.input())) {
      for (int i = 1; i <= datasets; i++) {
        file.add(i, pseudo.get(posterior.draw(random(i))).orElseThrow());
      }
      return new Resampled(posterior, answers.byCandidate().size(), file.leftOut());
    }
  }

  private KeyedRandom random(int dataset) {
    return KeyedRandom.ofPublicSeed("synthetic " + seed + " dataset " + dataset);
  }

  private static void requireWeight(Posterior posterior) throws RefusedException {
    if (posterior.isEmpty()) {
      throw new RefusedException(ExitCode.FAILED, EMPTY);
    }
  }
}
