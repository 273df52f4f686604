// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.noise.ReleaseId;

/**
 * One draw as its mechanism sees it: the exact input, and the mechanism with its parameters.
 * Secret; its text names neither input nor subject.
 */
public interface Draw {
  /** What is drawn; no two draws of a run share it. */
  ReleaseId id();

  /** The text of every draw. */
  static String masked(Draw draw) {
    return draw.getClass().getSimpleName() + "[masked]";
  }
}
