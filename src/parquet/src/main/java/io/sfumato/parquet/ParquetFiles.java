// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.parquet;

import io.sfumato.client.export.RowFile;
import io.sfumato.client.export.RowFileProvider;
import java.io.IOException;
import java.nio.file.Path;

/** Folders of Parquet files, which {@link java.util.ServiceLoader} finds. */
public final class ParquetFiles implements RowFileProvider {
  @Override
  public String end() {
    return ".parquet";
  }

  @Override
  public RowFile of(Path path, boolean isFollowed) throws IOException {
    return new ParquetFolder(path, isFollowed);
  }
}
