// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import io.sfumato.mechanism.ReleasedData;
import io.sfumato.mechanism.abc.NoisyAnswer;
import io.sfumato.mechanism.abc.NoisyThreshold;
import io.sfumato.mechanism.abc.QueryInput;
import io.sfumato.mechanism.abc.SparseVector.State;
import io.sfumato.mechanism.abc.ThresholdMechanism;
import io.sfumato.mechanism.partitionselection.DiscoveryMechanism;
import io.sfumato.mechanism.partitionselection.NameCount;
import io.sfumato.mechanism.partitionselection.NoisyName;
import io.sfumato.random.CanonicalEncoder;
import java.util.Optional;

/**
 * The only place where exact data leave the trusted core. A draw needs a permit, and so a charge.
 * Its randomness follows from the noise key, its id and its exact input, so that a retry gives the
 * same bytes.
 */
public final class Gate {
  private final NoiseKey key;
  private final Witness witness;

  /**
   * Unwatched.
   *
   * @param key of the noise: one key for as long as ledgers and outputs last
   */
  public Gate(NoiseKey key) {
    this(key, Witness.NONE);
  }

  /**
   * @param witness sees every release; only for synthetic data
   */
  public Gate(NoiseKey key, Witness witness) {
    this.key = key;
    this.witness = witness;
  }

  /**
   * Draws; every other member draws through this one.
   *
   * @param permit for this draw
   * @param id of this draw
   * @param measured the mechanism that was charged, with its exact input
   * @return the same bytes for the same key, id and input
   * @throws IllegalStateException if the permit was used before, or is for something else
   */
  public <R extends ReleasedData> R release(Permit permit, ReleaseId id, Measured<?, R> measured) {
    permit.use(id, measured.mechanism());
    CanonicalEncoder input = new CanonicalEncoder();
    measured.distribution().encodeInput(input);
    if (witness != Witness.NONE) {
      witness.drew(measured.seen(id), input);
    }
    return measured.distribution().draw(key.forRelease(id, input.digest()));
  }

  /**
   * Draws the count of a name that is not public, as {@link #release} does.
   *
   * @param permit for this draw
   * @param id of this draw
   * @param measured the mechanism that was charged, with the name's exact count
   * @return nothing unless it passes the threshold of its mechanism
   * @throws IllegalStateException if the permit was used before, or is for something else
   */
  public Optional<NoisyName> discover(
      Permit permit, ReleaseId id, Measured<NameCount, NoisyName> measured) {
    NoisyName noisy = release(permit, id, measured);
    DiscoveryMechanism mechanism = (DiscoveryMechanism) measured.mechanism();
    return Optional.of(noisy).filter(count -> count.passes(mechanism.threshold()));
  }

  /**
   * The secret state of a query before its first candidate; nothing for mechanisms without one.
   *
   * @param answer for any answer of the query; it stays usable for that answer
   */
  public Optional<State> start(Permit answer, Secret<QueryInput> query) {
    return query.exact().noise().start(accepted -> threshold(answer, accepted, query));
  }

  /**
   * The secret state of a query after an answer; nothing for mechanisms without one.
   *
   * @param answer for that answer
   */
  public Optional<State> after(
      Permit answer, Secret<QueryInput> query, Optional<State> state, NoisyAnswer given) {
    return query
        .exact()
        .noise()
        .after(state, given.outcome(), accepted -> threshold(answer, accepted, query));
  }

  private NoisyThreshold threshold(Permit answer, long accepted, Secret<QueryInput> query) {
    Permit permit = answer.ofThreshold(accepted);
    return release(
        permit, permit.id(), Measured.of(new ThresholdMechanism(query.exact().mechanism()), query));
  }
}
