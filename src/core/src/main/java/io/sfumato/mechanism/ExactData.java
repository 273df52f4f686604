// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

/**
 * The exact input of a mechanism: secret. The compiler refuses a type that is both this and {@link
 * ReleasedData}, and so a mechanism that publishes the very type that it reads.
 */
public interface ExactData {
  /** Its result differs from that of {@link ReleasedData#side}, so that no type can have both. */
  default void side() {}
}
