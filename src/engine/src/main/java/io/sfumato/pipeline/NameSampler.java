// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.gate.Memory;
import io.sfumato.gate.Secret;
import io.sfumato.mechanism.ExactData;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.ReleasedData;
import io.sfumato.mechanism.partitionselection.DiscoveryMechanism;
import io.sfumato.mechanism.partitionselection.NameCount;
import io.sfumato.mechanism.partitionselection.NoisyName;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.avro.specific.SpecificRecord;

/**
 * How names that nobody listed are drawn: each by itself, as a function of what is kept of it and
 * of its noise; and how those that are published are written down as a list. Whoever asks keeps the
 * names, has charged before, gives each draw its randomness, and publishes after.
 */
public interface NameSampler {
  /** Most names of a subject's public list; none is found where it is full. */
  long most();

  /** After how many windows without passing a name is public no more; nothing for never. */
  Optional<Integer> forget();

  /** Whether names may leave the list after a window: not where something of them goes on. */
  default boolean mayForget(long windowStart) {
    return true;
  }

  /**
   * Whether a window leaves names that were never found as they are, but for what counts for them:
   * nothing of them is drawn, and none is found. Then they may wait for a later window that does
   * not, and go through all of them there. Names that were found, and for which there was no room,
   * may not.
   */
  default boolean defers(long windowStart) {
    return false;
  }

  /** Whether a window is not the first of those that are counted together. */
  default boolean isWithinRun(long windowStart) {
    return false;
  }

  /**
   * The first index of a list's draws in a run. A subject may leave and come back: windows before
   * that are drawn again then, and must not be with the noise of the list that was before.
   *
   * @param began start of the list's first window, where that lies within a run; nothing where not
   */
  default int firstIndex(OptionalLong began, long windowStart) {
    return 0;
  }

  /** What is kept of a name whose draw an operator skipped: it must not be drawn of again. */
  default Memory skipped(long windowStart) {
    return Memory.NONE;
  }

  /**
   * A name before a window is decided.
   *
   * @param windowStart of that window
   * @param count what counts for it in the window
   * @param listed whether it is public when the window begins
   * @param memory what earlier windows left of it
   */
  record Name(long windowStart, Secret<NameCount> count, boolean listed, Memory memory) {}

  /** Gives draws of one name their randomness. */
  interface Noise {
    /**
     * Draws from an exact input; the same for the same place.
     *
     * @param windowStart of the window that the draw is about
     * @param index tells several draws of a name and window apart
     */
    <D extends ExactData, R extends ReleasedData> R draw(
        long windowStart, int index, Mechanism<D, R> mechanism, Secret<D> exact);

    /**
     * Draws the count of a name that is not public.
     *
     * @return nothing unless it passes its mechanism's threshold
     */
    Optional<NoisyName> discover(
        long windowStart, int index, DiscoveryMechanism mechanism, Secret<NameCount> exact);
  }

  /**
   * Goes on with a name by one window: one that is public, that somebody has a record of, or of
   * which something is kept.
   */
  Step step(Name name, Noise noise);

  /**
   * What a window made of a name.
   *
   * @param passes whether its noisy count passes
   * @param figure what is told of it, if it is public or passes
   * @param memory what later windows need of it
   */
  record Step(boolean passes, Optional<Figure> figure, Memory memory) {}

  /**
   * A count with noise.
   *
   * @param count the nearest whole number
   * @param low lower end of the 95% interval
   * @param high upper end
   */
  record Figure(long count, long low, long high) {}

  /**
   * A name that is published.
   *
   * @param found whether it was not public before: then the interval is right given that it passed
   */
  record Told(String name, Figure figure, boolean found) {}

  /** Whether it is told how many records had names that were not public. */
  default boolean tellsRest() {
    return false;
  }

  /** Draws these; asked where they are told alone. */
  default Figure rest(long windowStart, Secret<NameCount> count, Noise noise) {
    throw new IllegalStateException("the rest is not published");
  }

  /** Cuts a window's list into what one record takes each: by the names alone. At least one. */
  List<List<Told>> parts(List<Told> names);

  /**
   * One record of a window's list.
   *
   * @param list all of it
   * @param part from 0
   */
  SpecificRecord write(OutputLabel label, WindowList list, int part);

  /**
   * What is published of a window.
   *
   * @param parts names, as {@link #parts} cut them
   * @param rest records whose names were not public when the window began, where they are told
   * @param listed names that are public from the next window on
   * @param began start of the list's first window, where that lies within a run; nothing where not
   */
  record WindowList(
      List<List<Told>> parts, Optional<Figure> rest, long listed, OptionalLong began) {}
}
