// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A CSV file from the line on that names the columns.
 *
 * @param reader in front of that line
 * @param passed lines before it
 * @param said separator that one of these names
 */
record CsvHead(BufferedReader reader, long passed, Optional<Character> said) implements Closeable {
  /** In characters, of what is looked at to find the separator. */
  static final int LONGEST = 1 << 16;

  /** Where a line has as many of two, the earlier one. */
  private static final String SEPARATORS = ",;\t";

  private static final Pattern SEPARATOR = Pattern.compile("(\"?)sep=([^\"])\\1");

  /** What separates cells. */
  char separator() throws IOException {
    return said.isPresent() ? said.get() : commonest(reader);
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }

  /** Passes over what stands in front of the names. */
  static CsvHead in(BufferedReader reader) throws IOException {
    Optional<Character> said = Optional.empty();
    long passed = 0;
    while (true) {
      reader.mark(LONGEST);
      Optional<String> line = shortLine(reader);
      Optional<Character> separator = line.flatMap(CsvHead::named);
      if (line.isEmpty() || separator.isEmpty() && !isPassedOver(line.get())) {
        reader.reset();
        return new CsvHead(reader, passed, said);
      }
      said = separator.isPresent() ? separator : said;
      passed++;
    }
  }

  /** A line that fits; nothing at the end, or if it is longer. */
  private static Optional<String> shortLine(BufferedReader reader) throws IOException {
    StringBuilder line = new StringBuilder();
    int c = reader.read();
    if (c < 0) {
      return Optional.empty();
    }
    while (c >= 0 && c != '\n') {
      if (line.length() >= LONGEST - 2) {
        return Optional.empty();
      }
      line.append((char) c);
      c = reader.read();
    }
    int last = line.length() - 1;
    return Optional.of(
        last >= 0 && line.charAt(last) == '\r' ? line.substring(0, last) : line.toString());
  }

  private static boolean isPassedOver(String line) {
    return line.isBlank() || line.startsWith("#");
  }

  /** As spreadsheets say it in front of the columns' names, in quotes or not. */
  private static Optional<Character> named(String line) {
    Matcher said = SEPARATOR.matcher(line);
    return said.matches() ? Optional.of(said.group(2).charAt(0)) : Optional.empty();
  }

  /** Of what separates cells elsewhere, that which the first line has most of, outside quotes. */
  private static char commonest(BufferedReader text) throws IOException {
    text.mark(LONGEST);
    int[] found = new int[SEPARATORS.length()];
    boolean quoted = false;
    int c = text.read();
    for (int i = 1; i < LONGEST && c >= 0 && (quoted || c != '\n'); i++) {
      quoted ^= c == '"';
      int place = SEPARATORS.indexOf(c);
      if (place >= 0 && !quoted) {
        found[place]++;
      }
      c = text.read();
    }
    text.reset();
    int best = 0;
    for (int place = 1; place < found.length; place++) {
      best = found[place] > found[best] ? place : best;
    }
    return SEPARATORS.charAt(best);
  }
}
