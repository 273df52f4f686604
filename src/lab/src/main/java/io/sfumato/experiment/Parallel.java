// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Independent pieces of an experiment, on all cores. */
final class Parallel {
  private Parallel() {}

  /**
   * All pieces, in order.
   *
   * @param progress runs after each, one at a time
   */
  static <T> List<T> all(int pieces, IntFunction<T> piece, Runnable progress) {
    return IntStream.range(0, pieces)
        .parallel()
        .mapToObj(
            i -> {
              T made = piece.apply(i);
              synchronized (progress) {
                progress.run();
              }
              return made;
            })
        .toList();
  }
}
