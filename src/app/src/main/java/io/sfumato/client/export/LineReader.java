// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client.export;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Lines of a file with their places. A line of CSV goes on behind a line's end in quotes. */
final class LineReader implements AutoCloseable {
  private final InputStream in;
  private final LineFormat format;
  private long read;
  private long begin;
  private boolean hasEnd;

  LineReader(Path file, LineFormat format) throws IOException {
    this.in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    this.format = format;
  }

  /** The next line without its end, or nothing behind the last one. */
  Optional<String> next() throws IOException {
    begin = read;
    hasEnd = false;
    boolean isQuoted = false;
    ByteArrayOutputStream line = new ByteArrayOutputStream(256);
    for (int next = in.read(); next >= 0; next = in.read()) {
      read++;
      if (next == '\n' && !isQuoted) {
        hasEnd = true;
        return Optional.of(line.toString(StandardCharsets.UTF_8));
      }
      isQuoted ^= next == '"' && format == LineFormat.CSV;
      line.write(next);
    }
    return read > begin ? Optional.of(line.toString(StandardCharsets.UTF_8)) : Optional.empty();
  }

  /** Where the last line begins, in bytes. */
  long begin() {
    return begin;
  }

  /** Whether the last line has an end: else a writer was stopped within it. */
  boolean hasEnd() {
    return hasEnd;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
