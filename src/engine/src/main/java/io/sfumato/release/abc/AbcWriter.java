// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.abc;

import io.sfumato.mechanism.abc.QueryNoise;
import io.sfumato.mechanism.abc.SoftWeights;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.schema.AbcDecision;
import io.sfumato.schema.AbcWeight;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/** Writes answers down: decisions, or weights. */
public record AbcWriter(AbcSpec spec) {
  /**
   * What was asked.
   *
   * @param query its id
   * @param candidate its number in the query, from 0
   * @param candidates T of the query
   * @param records N of the window
   * @param parameters of the model, as the candidate gave them
   */
  public record Asked(
      String query, int candidate, int candidates, long records, List<Double> parameters) {}

  /**
   * An output.
   *
   * @param answer 1 for an accepted candidate and 0 for a rejected one, or a distance in steps
   */
  public SpecificRecord write(OutputLabel label, Asked asked, QueryNoise noise, long answer) {
    return noise instanceof SoftWeights weights
        ? weight(label, asked, weights, answer)
        : decision(label, asked, noise, answer == 1);
  }

  private AbcDecision decision(OutputLabel label, Asked asked, QueryNoise noise, boolean accepted) {
    AbcDecision decision = label.on(new AbcDecision());
    decision.setQueryId(asked.query());
    decision.setCandidate(asked.candidate());
    decision.setCandidates(asked.candidates());
    decision.setRecords(asked.records());
    decision.setParameters(asked.parameters());
    decision.setThreshold(spec.threshold());
    decision.setNoiseScale(noise.scale());
    decision.setAccepted(accepted);
    return decision;
  }

  private AbcWeight weight(OutputLabel label, Asked asked, SoftWeights weights, long steps) {
    AbcWeight weight = label.on(new AbcWeight());
    weight.setQueryId(asked.query());
    weight.setCandidate(asked.candidate());
    weight.setCandidates(asked.candidates());
    weight.setRecords(asked.records());
    weight.setParameters(asked.parameters());
    weight.setThreshold(spec.threshold());
    weight.setNoiseScale(weights.scale());
    weight.setNoisyDistance(weights.distance(steps));
    weight.setWeight(weights.weight(steps));
    return weight;
  }
}
