// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

/**
 * The result of a draw, which may be published. What is withheld has no accessor outside core. No
 * type is both this and {@link ExactData}.
 */
public interface ReleasedData {
  /** Its result differs from that of {@link ExactData#side}, so that no type can have both. */
  default int side() {
    return 0;
  }
}
