// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A column of a public table, with a public range, in round numbers that hold nearly all of it, and
 * a public C.
 *
 * @param title for tables
 * @param folder of the data's
 * @param file without {@code .csv.gz}
 * @param column of the numbers; what is no number does not count
 * @param user column of the users; empty where each row is somebody else's
 * @param kinds rows that count, by the column before them: empty for all
 * @param range public
 * @param most C
 */
record RealAmounts(
    String title,
    String folder,
    String file,
    String column,
    String user,
    Set<String> kinds,
    AmountRange range,
    int most) {
  /** Codes of the diary that are measurements of glucose. */
  private static final Set<String> GLUCOSE =
      Set.of("48", "57", "58", "59", "60", "61", "62", "63", "64");

  private static final String CODE = "code";

  private static final List<RealAmounts> ALL =
      List.of(
          new RealAmounts(
              "diabetes, glucose",
              "events",
              "uci_diabetes_events",
              "value_raw",
              "patient",
              GLUCOSE,
              new AmountRange("mg/dl", 0, 500),
              8),
          new RealAmounts(
              "Wikipedia, change",
              "events",
              "wikipedia_edits_20150912",
              "delta",
              "user",
              Set.of(),
              new AmountRange("bytes", -1000, 1000),
              4),
          uci("Adult, age", "Adult", "age", new AmountRange("years", 0, 100)),
          uci("Adult, hours", "Adult", "hours-per-week", new AmountRange("hours", 0, 100)),
          uci("Adult, capital gain", "Adult", "capital-gain", new AmountRange("dollars", 0, 20000)),
          uci("Bank, age", "Bank", "age", new AmountRange("years", 0, 100)),
          uci("Bank, duration", "Bank", "duration", new AmountRange("seconds", 0, 3600)));

  private static RealAmounts uci(String title, String file, String column, AmountRange range) {
    return new RealAmounts(title, "uci", file, column, "", Set.of(), range, 1);
  }

  /** How many there are. */
  static int number() {
    return ALL.size();
  }

  /** All of them. */
  static List<Amounts> readAll(Path data) throws ExperimentException {
    List<Amounts> all = new ArrayList<>();
    for (RealAmounts each : ALL) {
      all.add(each.read(data));
    }
    return all;
  }

  private Amounts read(Path data) throws ExperimentException {
    DataSet table = DataSet.read(data.resolve(folder), file);
    String[] numbers = table.column(column).texts();
    String[] users = user.isEmpty() ? new String[0] : table.column(user).texts();
    String[] codes = kinds.isEmpty() ? new String[0] : table.column(CODE).texts();
    Map<String, List<Double>> byUser = new LinkedHashMap<>();
    for (int row = 0; row < numbers.length; row++) {
      boolean counts = kinds.isEmpty() || kinds.contains(codes[row]);
      String who = user.isEmpty() ? Integer.toString(row) : users[row];
      if (counts) {
        number(numbers[row])
            .forEach(x -> byUser.computeIfAbsent(who, each -> new ArrayList<>()).add(x));
      }
    }
    return new Amounts(
        title,
        range,
        most,
        byUser.values().stream()
            .map(all -> all.stream().mapToDouble(Double::doubleValue).toArray())
            .toList());
  }

  /** None where it is not finite. */
  private static Stream<Double> number(String text) {
    double[] read = ResultColumn.of("", new String[] {text}).numbers().orElse(new double[0]);
    return Arrays.stream(read).boxed();
  }
}
