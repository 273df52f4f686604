// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

/** Exact data that know how many records they are of. */
public interface Sized {
  /** N, at least 0: public only where the unit of privacy makes it public. */
  long records();
}
