// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.tables.CrossTables;
import io.sfumato.random.KeyedRandom;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * People with records of several columns: of a file, or made up.
 *
 * @param name for tables and plots
 * @param columns what they are called
 * @param tables of up to two of the columns
 * @param people each one's records, which are categories of the tables
 * @param most C, records of one of them
 * @param exact counts of all records
 */
record TablePopulation(
    String name,
    List<String> columns,
    CrossTables tables,
    List<long[]> people,
    int most,
    ExactVector exact) {
  /** How many there are of all of them. */
  long records() {
    return exact.of(0);
  }

  static TablePopulation of(
      String name, List<String> columns, CrossTables tables, List<long[]> people, int most) {
    long[] records = people.stream().flatMapToLong(Arrays::stream).toArray();
    return new TablePopulation(
        name, List.copyOf(columns), tables, List.copyOf(people), most, tables.counts(records));
  }

  /** Of one record each. */
  private static TablePopulation of(
      String name, List<String> columns, CrossTables tables, long[] categories) {
    return of(
        name,
        columns,
        tables,
        Arrays.stream(categories).mapToObj(category -> new long[] {category}).toList(),
        1);
  }

  /**
   * The tables of a file, of the public data in a folder, or made up where there is neither.
   *
   * @param data {@code NAME.csv.gz}, or a folder with {@code uci} and {@code events}
   */
  static List<TablePopulation> all(Optional<Path> data) throws ExperimentException {
    if (data.isEmpty()) {
      return List.of(madeUp());
    }
    return Files.isDirectory(data.get())
        ? List.of(
            of(data.get().resolve("uci").resolve("Adult" + ENDING)),
            of(data.get().resolve("uci").resolve("Bank" + ENDING)),
            WikipediaTables.read(data.get().resolve("events")))
        : List.of(of(data.get()));
  }

  private static final String ENDING = ".csv.gz";

  /** Columns with more values are left out. */
  private static final int MOST_VALUES = 50;

  private static final int[] MADE_UP = {8, 16, 7, 12, 5};
  private static final int PEOPLE = 20_000;
  private static final int KINDS = 6;

  /**
   * The first eight columns of a table that have 2 to 50 values. Numbers with more than 30
   * different ones are cut into ten bins of about as many people each, by the data themselves: good
   * for a comparison, and for nothing that is to be protected.
   */
  static TablePopulation of(Path file) throws ExperimentException {
    String name = file.getFileName().toString();
    if (!name.endsWith(ENDING)) {
      throw new ExperimentException(
          file + ": --data names a table, NAME" + ENDING + ", or the folder of the public data");
    }
    DataSet data =
        DataSet.read(
            file.toAbsolutePath().getParent(), name.substring(0, name.length() - ENDING.length()));
    int[] rows = IntStream.range(0, data.size()).toArray();
    List<String> names = new ArrayList<>();
    List<Coded> columns = new ArrayList<>();
    for (ResultColumn column : data.withoutRepeated().columns()) {
      Coded coded = Coded.of(column, new Split(rows, new int[0]), Coded.PAPER_BINS, Encoding.CLEAN);
      if (columns.size() < CrossTables.MOST_COLUMNS
          && coded.categories() > 1
          && coded.categories() <= MOST_VALUES) {
        columns.add(coded);
        names.add(column.name());
      }
    }
    if (columns.isEmpty()) {
      throw new ExperimentException(file + ": no column has 2 to " + MOST_VALUES + " values");
    }
    CrossTables tables = CrossTables.of(2, columns.stream().mapToInt(Coded::categories).toArray());
    long[] categories = new long[rows.length];
    for (int row = 0; row < rows.length; row++) {
      int at = row;
      categories[row] =
          tables.category(columns.stream().mapToInt(column -> column.train()[at]).toArray());
    }
    return of(data.name(), names, tables, categories);
  }

  /**
   * 20,000 people of six kinds, the first the most frequent; each kind has a favourite value in
   * each of five columns, and the further away another one is, the fewer have it.
   */
  static TablePopulation madeUp() {
    KeyedRandom random = KeyedRandom.ofPublicSeed("people with five columns");
    CrossTables tables = CrossTables.of(2, MADE_UP);
    int[][] favourites = new int[KINDS][];
    for (int kind = 0; kind < KINDS; kind++) {
      favourites[kind] =
          Arrays.stream(MADE_UP).map(size -> (int) (size * random.nextOpenDouble())).toArray();
    }
    long[] categories = new long[PEOPLE];
    for (int person = 0; person < PEOPLE; person++) {
      double u = random.nextOpenDouble();
      int[] favourite = favourites[(int) (KINDS * u * u)];
      int[] values = new int[MADE_UP.length];
      for (int i = 0; i < values.length; i++) {
        int away = (int) Math.floor(-1.5 * StrictMath.log(random.nextOpenDouble()));
        values[i] = (favourite[i] + away) % MADE_UP[i];
      }
      categories[person] = tables.category(values);
    }
    return of(
        "made up",
        IntStream.rangeClosed(1, MADE_UP.length).mapToObj(i -> "column" + i).toList(),
        tables,
        categories);
  }
}
