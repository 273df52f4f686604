// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.RuntimeJsonMappingException;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import io.sfumato.pipeline.Plurals;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;

/**
 * A CSV file whose first line names the columns, gzipped or not. Cells are separated by commas, or
 * by semicolons or tabs, as spreadsheets of many countries do: what the first line has most of, or
 * what a line {@code sep=;} in front of it says. Lines in front of it that are empty or begin with
 * {@code #} are passed over. Letters are UTF-8, and nothing else is guessed.
 */
public final class CsvFile {
  /** What to do where a pipeline counts each item of an array. */
  private static final String NO_ARRAY =
      ". A CSV row has no arrays, only one item: name its column with --category COLUMN";

  private static final int GZIP_MAGIC_1 = 0x1F;
  private static final int GZIP_MAGIC_2 = 0x8B;

  private static final Pattern VALUE =
      Pattern.compile("\\d{1,4}[./-]\\d{1,2}[./-]\\d{1,4}.*|\\d{1,2}:\\d{2}.*|\\d{9,}");

  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private CsvFile() {}

  /** Takes one line. */
  public interface Lines {
    /**
     * A line after the header.
     *
     * @param number from 2
     * @param cells all of them; lines may be shorter than the header
     * @param places of the wanted columns among the cells
     */
    void take(long number, String[] cells, int[] places) throws RefusedException;

    /**
     * A line whose cells may belong to other columns than the header says; by default it is passed
     * over.
     *
     * @param reason as the end of a sentence about the line
     */
    default void refuse(long number, String reason) {}
  }

  /**
   * Reads a file line by line.
   *
   * @param columns that are wanted
   * @param most lines after the header
   * @throws RefusedException if it is missing, malformed or lacks a column
   */
  public static void read(Path file, List<String> columns, long most, Lines lines)
      throws RefusedException {
    long number = 1;
    try (CsvHead text = text(file);
        MappingIterator<String[]> rows = rows(text)) {
      number += text.passed();
      long last = most > Long.MAX_VALUE - number ? Long.MAX_VALUE : most + text.passed();
      if (!rows.hasNext()) {
        throw refused(file, "is empty; the first line must name the columns");
      }
      String[] header = rows.next();
      int[] places = places(file, Arrays.asList(header), columns);
      while (number <= last && rows.hasNext()) {
        number++;
        String[] cells = rows.next();
        Optional<String> problem = misread(header.length, cells);
        if (problem.isPresent()) {
          lines.refuse(number, problem.get());
        } else {
          lines.take(number, cells, places);
        }
      }
    } catch (NoSuchFileException e) {
      throw refused(file, "no such file");
    } catch (IOException | RuntimeException e) {
      throw unread(file, e, number);
    }
  }

  /**
   * The first lines of a file, the header first, without those that are {@linkplain Lines#refuse
   * refused}.
   *
   * @param most lines, at least 1
   * @throws RefusedException if it is missing, empty or malformed
   */
  public static List<String[]> head(Path file, int most) throws RefusedException {
    List<String[]> lines = new ArrayList<>();
    try (CsvHead text = text(file);
        MappingIterator<String[]> rows = rows(text)) {
      while (rows.hasNext() && lines.size() < most) {
        String[] cells = rows.next();
        if (lines.isEmpty() || misread(lines.get(0).length, cells).isEmpty()) {
          lines.add(cells);
        }
      }
    } catch (NoSuchFileException e) {
      throw refused(file, "no such file");
    } catch (IOException | RuntimeException e) {
      throw unread(file, e, lines.size());
    }
    if (lines.isEmpty()) {
      throw refused(file, "is empty; the first line must name the columns");
    }
    // A column may be called like a day, but no day stands in it then.
    if (lines.size() < 2 || looksAlike(lines.get(0), lines.get(1))) {
      requireNames(file, Arrays.asList(lines.get(0)));
    }
    return lines;
  }

  /** Why the cells of a line may be those of other columns, or parts of a cell. */
  private static Optional<String> misread(int columns, String[] cells) {
    if (cells.length > columns) {
      return Optional.of(
          "has %s, and the first line has %d: a cell with a separator in it needs quotes"
              .formatted(Plurals.of(cells.length, "cell"), columns));
    }
    return Arrays.stream(cells).anyMatch(CsvFile::isQuotedBehindBlank)
        ? Optional.of("has a blank before a quote: a quoted cell must start with the quote")
        : Optional.empty();
  }

  private static boolean isQuotedBehindBlank(String cell) {
    return !cell.startsWith("\"") && CellRules.trimmed(cell).startsWith("\"");
  }

  private static MappingIterator<String[]> rows(CsvHead text) throws IOException {
    char separator = text.separator();
    CsvMapper mapper = new CsvMapper();
    mapper.enable(CsvParser.Feature.WRAP_AS_ARRAY);
    return mapper
        .readerFor(String[].class)
        .with(CsvSchema.emptySchema().withColumnSeparator(separator))
        .readValues(text.reader());
  }

  /** A spreadsheet may begin with a mark of its encoding, which is no part of a column's name. */
  private static CsvHead text(Path file) throws RefusedException, IOException {
    BufferedReader reader = new BufferedReader(open(file), 2 * CsvHead.LONGEST);
    reader.mark(1);
    int first = reader.read();
    if (first == BYTE_ORDER_MARK) {
      reader.mark(1);
      first = reader.read();
    }
    if (first == '{') {
      reader.close();
      // Lines of JSON hold records where a header is expected: they are never repeated.
      throw refused(
          file,
          "holds JSON lines, not CSV with a header line. Convert it to CSV (for example with "
              + "jq's @csv), or publish its lines unchanged with kcat (docs/guides/your-data.md, "
              + "exports as they are)");
    }
    reader.reset();
    return CsvHead.in(reader);
  }

  /** Times and long numbers, of whatever country and unit. */
  private static boolean isValue(String cell) {
    return EventTimes.isTime(cell) || VALUE.matcher(cell).matches();
  }

  /** A first line of values is a person's record: it is never repeated as names of columns. */
  private static void requireNames(Path file, List<String> header) throws RefusedException {
    if (header.stream().anyMatch(cell -> isValue(cell.strip()))) {
      throw refused(
          file,
          "has a time in its first line, which must name the columns: add a header line such as "
              + "person,at,what");
    }
  }

  private static boolean looksAlike(String[] header, String[] row) {
    return IntStream.range(0, Math.min(header.length, row.length))
        .anyMatch(i -> isValue(header[i].strip()) && isValue(row[i].strip()));
  }

  private static int[] places(Path file, List<String> header, List<String> wanted)
      throws RefusedException {
    int[] places = new int[wanted.size()];
    for (int i = 0; i < places.length; i++) {
      places[i] = header.indexOf(wanted.get(i));
      if (places[i] != header.lastIndexOf(wanted.get(i))) {
        throw refused(
            file, "has several columns '%s': rename all but one of them".formatted(wanted.get(i)));
      }
      if (places[i] < 0) {
        requireNames(file, header);
        throw refused(
            file,
            "has no column '%s'; its columns are %s%s"
                .formatted(
                    wanted.get(i),
                    String.join(", ", header),
                    wanted.get(i).contains("[]") ? NO_ARRAY : ""));
      }
    }
    return places;
  }

  private static Reader open(Path file) throws IOException {
    InputStream in = new BufferedInputStream(Files.newInputStream(file));
    in.mark(2);
    boolean gzipped = in.read() == GZIP_MAGIC_1 && in.read() == GZIP_MAGIC_2;
    in.reset();
    // Not the lenient one that a charset gives: names with letters replaced would count as others.
    return new InputStreamReader(
        gzipped ? new GZIPInputStream(in, 1 << 16) : in, StandardCharsets.UTF_8.newDecoder());
  }

  /**
   * The parser wraps what the file's reader throws, now in one exception and now in another.
   *
   * @param line behind which
   */
  private static RefusedException unread(Path file, Exception thrown, long line) {
    for (Throwable e = thrown; e != null; e = e.getCause()) {
      if (e instanceof CharacterCodingException) {
        return refused(file, "is not UTF-8: convert it, for example with iconv -f LATIN1 -t UTF-8");
      }
    }
    if (thrown instanceof RuntimeJsonMappingException
        || thrown instanceof JsonProcessingException) {
      return refused(file, "is not CSV after line " + line);
    }
    if (thrown instanceof RuntimeException && !(thrown.getCause() instanceof IOException)) {
      throw (RuntimeException) thrown;
    }
    return refused(file, "cannot be read (" + thrown.getClass().getSimpleName() + ")");
  }

  static RefusedException refused(Path file, String problem) {
    return new RefusedException(ExitCode.REFUSED_FILE, file + ": " + problem);
  }
}
