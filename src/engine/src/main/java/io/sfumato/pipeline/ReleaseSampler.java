// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.gate.Gate;
import io.sfumato.gate.Measured;
import io.sfumato.gate.Memory;
import io.sfumato.gate.Permit;
import io.sfumato.gate.Secret;
import io.sfumato.mechanism.ExactData;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.ReleasedData;
import io.sfumato.mechanism.partitionselection.NameCount;
import io.sfumato.mechanism.partitionselection.NoisyName;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.avro.specific.SpecificRecord;

/**
 * How one output is drawn of closed datasets, through the gate. Whoever asks has charged before,
 * and publishes after.
 */
public interface ReleaseSampler {
  /** Number of charged draws of one dataset, at least 1. */
  default int draws() {
    return 1;
  }

  /** Whether a draw leaves something to a subject's later ones, or to other outputs' draws. */
  default boolean remembers() {
    return false;
  }

  /**
   * Whether what it {@link #remembers} holds data of records: it is deleted where a subject is
   * forgotten, or is not released any more. What follows from outputs alone is as public as they
   * are, and stays.
   */
  default boolean remembersData() {
    return remembers();
  }

  /** Other outputs whose memory of a subject it goes by: they are drawn of a window before it. */
  default List<String> reads() {
    return List.of();
  }

  /**
   * The same sampler, going by what other outputs left of a subject.
   *
   * @param memories one for each output that it {@link #reads}, in that order
   */
  default ReleaseSampler going(List<Memory> memories) {
    return this;
  }

  /**
   * The same sampler for a subject that is not public: it is published only where the noise lets it
   * pass. Nothing where subjects that nobody listed are not looked for.
   */
  default Optional<ReleaseSampler> ofHidden() {
    return Optional.empty();
  }

  /**
   * Prepares the draws of one dataset; called once the first is charged.
   *
   * @param windowStart of the dataset, milliseconds since 1970
   * @param memory what the subject's draws before left; none for one that {@link #remembers} not
   */
  Prepared prepare(long windowStart, Secret<? extends WindowData> data, Memory memory);

  /** The draws of one dataset: all of one mechanism and one exact input. */
  interface Prepared {
    /** How often a learner failed while the mechanism was fitted. */
    int failures();

    /** Draws what the label's id names, and writes it down. */
    Drawn draw(OutputLabel label, Gate gate, Permit permit);

    /** A mechanism's draws of one exact input, which leave nothing to later ones. */
    static <D extends ExactData, R extends ReleasedData> Prepared of(
        Mechanism<D, R> mechanism,
        Secret<D> exact,
        BiFunction<OutputLabel, R, SpecificRecord> written) {
      return of(
          Measured.of(mechanism, exact),
          (label, drawn) -> new Drawn(written.apply(label, drawn), Optional.empty()));
    }

    /**
     * Draws of what is published in any case.
     *
     * @param written what is drawn as an output
     */
    static <R extends ReleasedData> Prepared of(
        Measured<?, R> measured, BiFunction<OutputLabel, R, Drawn> written) {
      return new PreparedDraws<>(
          measured,
          written,
          (label, gate, permit) -> Optional.of(gate.release(permit, label.id(), measured)));
    }

    /**
     * Draws of a subject that is not public.
     *
     * @param written what passed as an output
     */
    static Prepared ofHidden(
        Measured<NameCount, NoisyName> measured,
        BiFunction<OutputLabel, NoisyName, Drawn> written) {
      return new PreparedDraws<>(
          measured, written, (label, gate, permit) -> gate.discover(permit, label.id(), measured));
    }
  }

  /**
   * What was drawn.
   *
   * @param parts what is published, in as many records as it takes; none where not even that may be
   *     known
   * @param memory what later draws of the subject depend on; nothing if there is nothing new
   */
  record Drawn(List<Part> parts, Optional<Memory> memory) {
    /** Of a subject that did not pass. */
    public static final Drawn NOTHING = new Drawn(List.of(), Optional.empty());

    public Drawn {
      parts = List.copyOf(parts);
    }

    /** What is published. */
    public Drawn(SpecificRecord output, Optional<Memory> memory) {
      this(List.of(label -> output), memory);
    }

    /** What is too long for one record, and leaves nothing to later draws. */
    public static Drawn inParts(List<Part> parts) {
      return new Drawn(parts, Optional.empty());
    }
  }

  /** One record of what was drawn. */
  interface Part {
    /** As an output: each has a label of its own. */
    SpecificRecord on(OutputLabel label);
  }
}
