// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import io.sfumato.mechanism.ExactData;
import io.sfumato.random.CanonicalEncoder;

/** What all answers of one query depend on. {@link QueryMechanism#query} makes it. Secret. */
public final class QueryInput implements ExactData {
  private final QueryMechanism mechanism;
  private final QueryNoise noise;
  private final double sensitivity;
  private final long records;
  private final long candidates;
  private final byte[] dataset;

  QueryInput(
      QueryMechanism mechanism, double sensitivity, long records, long candidates, byte[] dataset) {
    this.mechanism = mechanism;
    this.noise = mechanism.noise(sensitivity, candidates);
    this.sensitivity = sensitivity;
    this.records = records;
    this.candidates = candidates;
    this.dataset = dataset.clone();
  }

  /** The mechanism that answers. */
  public QueryMechanism mechanism() {
    return mechanism;
  }

  /** Refuses to answer by another mechanism than the one that the noise was made for. */
  void requireOf(QueryMechanism other) {
    if (!mechanism.equals(other)) {
      throw new IllegalArgumentException("the query belongs to another mechanism");
    }
  }

  /** The noise of its answers. */
  public QueryNoise noise() {
    return noise;
  }

  /** D: how far replacing one record moves a distance, above 0; public. */
  public double sensitivity() {
    return sensitivity;
  }

  /** Canonical encoding of the exact dataset: secret. */
  public byte[] dataset() {
    return dataset.clone();
  }

  /** Writes what is public about the query: the first part of what its randomness depends on. */
  public void encodeInput(CanonicalEncoder encoder) {
    encoder.text(mechanism.charge().mechanism()).number(records).number(candidates);
    noise.encode(encoder);
  }

  /** Never prints the dataset. */
  @Override
  public String toString() {
    return "QueryInput[masked]";
  }
}
