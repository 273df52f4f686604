// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.drill;

import io.sfumato.runtime.RefusedException;

/** Rows of a store in the order of their keys, as unsigned bytes. It begins at the first one. */
interface SortedRows extends AutoCloseable {
  /** Whether there is a row here. */
  boolean isValid() throws RefusedException;

  byte[] key();

  byte[] value();

  /** Goes on to the next row. */
  void next();

  @Override
  void close();
}
