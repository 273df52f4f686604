// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client.export;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.ServiceLoader;

/** Files of rows by the end of their name. */
public final class RowFiles {
  private static final String ALLOWED = ".csv, .jsonl, .sqlite or .parquet";

  private RowFiles() {}

  /**
   * Opens one.
   *
   * @param isFollowed whether a file that is there is continued; else it is replaced
   * @throws RefusedException if nothing writes such files here, or the file has other columns
   */
  public static RowFile of(Path path, boolean isFollowed) throws RefusedException, IOException {
    String name = path.getFileName().toString().toLowerCase(Locale.ROOT);
    if (name.endsWith(".csv")) {
      return lines(path, LineFormat.CSV, isFollowed);
    }
    if (name.endsWith(".jsonl")) {
      return lines(path, LineFormat.JSON, isFollowed);
    }
    if (name.endsWith(".sqlite")) {
      return SqliteFile.of(path);
    }
    for (RowFileProvider provider : ServiceLoader.load(RowFileProvider.class)) {
      if (name.endsWith(provider.end())) {
        return provider.of(path, isFollowed);
      }
    }
    throw new RefusedException(
        ExitCode.USAGE,
        name.endsWith(".parquet")
            ? "this installation does not write Parquet: the folder lib-parquet is not on its class path (SFUMATO_CLASS_PATH='lib-parquet/*'). Or export to .csv, and let DuckDB write it: COPY (FROM 'rows.csv') TO 'rows.parquet'"
            : "--to: found %s, allowed is a name that ends in %s".formatted(path, ALLOWED));
  }

  private static RowFile lines(Path path, LineFormat format, boolean isFollowed)
      throws RefusedException, IOException {
    return isFollowed ? LineFile.continued(path, format) : LineFile.anew(path, format);
  }

  /**
   * Of a file that is there, and has other rows than the export would write.
   *
   * @param why a sentence without its end
   */
  public static RefusedException refused(Path file, String why) {
    return new RefusedException(
        ExitCode.REFUSED_FILE,
        "%s cannot be continued: %s. Name the topics and the --from that it was begun with, or write to a new file; without --follow a file is replaced"
            .formatted(file, why));
  }
}
