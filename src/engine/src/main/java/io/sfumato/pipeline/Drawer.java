// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.gate.Gate;
import io.sfumato.gate.Measured;
import io.sfumato.gate.Permit;
import io.sfumato.mechanism.ExactData;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.ReleasedData;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.avro.specific.SpecificRecord;

/**
 * How one output is drawn of closed datasets, through the gate. Whoever asks has charged before,
 * and publishes after.
 */
public interface Drawer {
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
   * The same drawer, going by what other outputs left of a subject.
   *
   * @param memories one for each output that it {@link #reads}, in that order
   */
  default Drawer going(List<byte[]> memories) {
    return this;
  }

  /**
   * The same drawer for a subject that is not public: it is published only where the noise lets it
   * pass. Nothing where subjects that nobody listed are not looked for.
   */
  default Optional<Drawer> ofHidden() {
    return Optional.empty();
  }

  /**
   * Prepares the draws of one dataset; called once the first is charged.
   *
   * @param windowStart of the dataset, milliseconds since 1970
   * @param memory what the subject's draws before left; nothing for one that {@link #remembers} not
   */
  Prepared<?> prepare(long windowStart, WindowData data, Optional<byte[]> memory);

  /**
   * The draws of one dataset: all of one mechanism and one exact input.
   *
   * @param <R> what is drawn
   * @param measured that is drawn from: secret
   * @param written what is drawn as an output
   */
  record Prepared<R extends ReleasedData>(
      Measured<?, R> measured, BiFunction<OutputLabel, R, Drawn> written) {
    /** A mechanism's draws of one exact input. */
    public static <D extends ExactData, R extends ReleasedData> Prepared<R> of(
        Mechanism<D, R> mechanism, D exact, BiFunction<OutputLabel, R, SpecificRecord> written) {
      return new Prepared<>(
          Measured.of(mechanism, exact),
          (label, drawn) -> new Drawn(written.apply(label, drawn), Optional.empty()));
    }

    /** Draws what the label's id names, and writes it down. */
    public Drawn draw(OutputLabel label, Gate gate, Permit permit) {
      return written.apply(label, gate.release(permit, label.id(), measured));
    }
  }

  /**
   * What was drawn.
   *
   * @param parts what is published, in as many records as it takes; none where not even that may be
   *     known
   * @param memory what later draws of the subject depend on; nothing if there is nothing new
   */
  record Drawn(List<Part> parts, Optional<byte[]> memory) {
    /** Of a subject that did not pass. */
    public static final Drawn NOTHING = new Drawn(List.of(), Optional.empty());

    public Drawn {
      parts = List.copyOf(parts);
    }

    /** What is published. */
    public Drawn(SpecificRecord output, Optional<byte[]> memory) {
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
