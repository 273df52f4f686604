// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import io.sfumato.mechanism.ReleasedData;
import io.sfumato.mechanism.abc.NoisyAnswer;
import io.sfumato.mechanism.abc.QueryInput;
import io.sfumato.mechanism.abc.SparseVector.State;
import io.sfumato.mechanism.discovery.DiscoveryMechanism;
import io.sfumato.mechanism.discovery.NameCount;
import io.sfumato.mechanism.discovery.NoisyName;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;
import java.util.Optional;
import java.util.function.Function;

/**
 * The only place where exact data leave the trusted core. A draw needs a permit, and so a charge.
 * Its randomness follows from the noise key, its id and its exact input, so that a retry gives the
 * same bytes.
 */
public final class Gate {
  private final NoiseKey key;
  private final Witness witness;

  /** Unwatched. */
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
   * Draws what may be published.
   *
   * @param permit for this draw
   * @param id of this draw
   * @throws IllegalStateException if the permit was used before, or is for something else
   */
  public <R extends ReleasedData> R release(Permit permit, ReleaseId id, Measured<?, R> measured) {
    permit.use(id, measured.mechanism());
    Framing input = new Framing();
    measured.law().frame(input);
    if (witness != Witness.NONE) {
      witness.drew(measured.seen(id), input);
    }
    return measured.law().draw(key.forRelease(id, input.digest()));
  }

  /**
   * Draws the count of a name that is not public, as {@link #release} does.
   *
   * @return nothing unless it passes the threshold of its mechanism
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
   * @param answer the id of any of its answers
   * @param permits a permit for each noisy threshold, by its id
   */
  public Optional<State> start(
      Secret<QueryInput> query, ReleaseId answer, Function<ReleaseId, Permit> permits) {
    QueryInput exact = query.exact();
    return exact.noise().start(accepted -> threshold(exact, answer.threshold(accepted), permits));
  }

  /** The secret state of a query after an answer; nothing for mechanisms without one. */
  public Optional<State> after(
      Secret<QueryInput> query,
      Optional<State> state,
      ReleaseId answer,
      NoisyAnswer given,
      Function<ReleaseId, Permit> permits) {
    QueryInput exact = query.exact();
    return exact
        .noise()
        .after(
            state,
            given.outcome(),
            accepted -> threshold(exact, answer.threshold(accepted), permits));
  }

  private ReplayableRandom threshold(
      QueryInput query, ReleaseId id, Function<ReleaseId, Permit> permits) {
    permits.apply(id).use(id, query.mechanism());
    Framing input = new Framing();
    query.frame(input);
    return key.forRelease(id, input.bytes(query.dataset()).digest());
  }
}
