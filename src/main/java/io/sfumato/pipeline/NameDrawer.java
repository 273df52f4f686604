// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.mechanism.Law;
import io.sfumato.noise.ReleaseId;
import io.sfumato.noise.ReplayableRandom;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;

/**
 * How names that nobody listed are drawn: each by itself, as a function of what is known of it, its
 * release's id and the randomness that follows from both; and how those that are published are
 * written down as a list. Whoever asks keeps the names, has charged before, and publishes after.
 */
public interface NameDrawer {
  /** Most names of a subject's public list; none is found where it is full. */
  long most();

  /** After how many windows without passing a name is public no more; nothing for never. */
  Optional<Integer> forget();

  /**
   * Prepares a name's draw of one window.
   *
   * @param count of what counts for it in the window: exact, hence secret
   */
  Prepared<?> prepare(long count);

  /**
   * One name's draw.
   *
   * @param <R> what is drawn
   * @param exact what an id names, as its mechanism sees it: secret
   * @param law that is drawn from
   * @param read what is drawn, in records
   */
  record Prepared<R>(Function<ReleaseId, Draw<?>> exact, Law<R> law, Function<R, Drawn> read) {
    /** Draws what an id names. */
    public Drawn draw(ReplayableRandom random) {
      return read.apply(law.draw(random));
    }
  }

  /**
   * What was drawn of a name.
   *
   * @param passes whether it is published though nobody knew of it
   * @param steps its noisy count, in steps of the mechanism's grid
   */
  record Drawn(boolean passes, long steps) {}

  /**
   * A name that is published.
   *
   * @param steps its noisy count, in steps of the mechanism's grid
   * @param found whether it was not public before: then it is published since it passed
   */
  record Told(String name, long steps, boolean found) {}

  /** Cuts a window's list into what one record takes each: by the names alone. At least one. */
  List<List<Told>> parts(List<Told> names);

  /**
   * One record of a window's list.
   *
   * @param listed names that are public from the next window on
   * @param part from 0
   * @param parts how many there are
   */
  SpecificRecord write(OutputLabel label, List<Told> names, long listed, int part, int parts);
}
