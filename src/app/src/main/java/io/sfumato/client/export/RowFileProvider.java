// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client.export;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A kind of file that an optional part of an installation adds; {@link java.util.ServiceLoader}
 * finds it.
 */
public interface RowFileProvider {
  /** End of the name of such files, such as {@code .parquet}. */
  String end();

  /**
   * Opens one.
   *
   * @param isFollowed whether windows that are there are compared; else they are replaced
   */
  RowFile of(Path path, boolean isFollowed) throws IOException;
}
