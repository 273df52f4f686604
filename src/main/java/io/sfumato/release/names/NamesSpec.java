// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.mechanism.ShareRequest;
import io.sfumato.mechanism.discovery.NameBounds;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.UnplannableException;
import io.sfumato.schema.NamesRelease;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * Names that nobody listed, of every subject and closed window.
 *
 * @param name of the output
 * @param topic that it is published to
 * @param noise on counts
 * @param most names of a subject that may be public, 1 to {@value #MOST}
 * @param forget after how many windows without passing a name is public no more
 * @param bounds what one user may add to a window
 * @param share what it may spend
 * @param horizon number of windows of one user and period that the share must cover
 */
public record NamesSpec(
    String name,
    String topic,
    Noise noise,
    long most,
    Optional<Integer> forget,
    NameBounds bounds,
    ShareSpec share,
    long horizon)
    implements ReleaseSpec {
  /** Most names of a subject's list that any file may allow. */
  public static final long MOST = 1_000_000;

  /** Where a file does not say. */
  static final long USUAL = 100_000;

  /** On counts. */
  public enum Noise {
    /** Whichever finds more names. */
    BEST,
    /** Discrete Gaussian. */
    GAUSSIAN,
    /** Discrete Laplace. */
    LAPLACE
  }

  @Override
  public Schema schema() {
    return NamesRelease.getClassSchema();
  }

  @Override
  public PlannedRelease plan() throws UnplannableException {
    return PlannedNames.of(this).orElseThrow(() -> share.cannotAfford(horizon));
  }

  /** What the share must afford. */
  ShareRequest request() {
    return new ShareRequest(share.ledger(), share.epsilon(), share.delta(), horizon);
  }
}
