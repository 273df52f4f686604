// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import java.time.Instant;

/**
 * How a public name came to its list, in the block of windows that are counted together; a window
 * by itself is a block.
 */
public sealed interface Origin {
  /** It was public when the block began. */
  record Before() implements Origin {}

  /**
   * It was found in the block.
   *
   * @param windowStart of the window that found it
   * @param count what was published of it there
   */
  record FoundIn(Instant windowStart, long count) implements Origin {}

  /** Nobody knows any more: lists of earlier windows are not at hand. */
  record Unknown() implements Origin {}
}
