// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.tables.CrossTables;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A day of edits of Wikipedia by language, namespace, size of the change and five flags: each
 * editor's first four. What is listed is public by itself: languages, namespaces and powers of ten.
 */
final class WikipediaTables {
  private static final String FILE = "wikipedia_edits_20150912";

  /** C. */
  private static final int MOST = 4;

  private static final List<String> LANGUAGES =
      List.of(
          "en", "de", "fr", "es", "ru", "it", "ja", "zh", "pl", "pt", "nl", "sv", "vi", "ar", "uk");

  private static final List<String> NAMESPACES =
      List.of("Main", "Talk", "User", "User talk", "Wikipedia");

  private static final List<String> FLAGS =
      List.of("isAnonymous", "isRobot", "isMinor", "isNew", "isUnpatrolled");

  /** Upper ends of what an edit adds, in bytes; the last is open. */
  private static final double[] SIZES = {-1000, -100, -10, 0, 10, 100, 1000};

  private WikipediaTables() {}

  static TablePopulation read(Path folder) throws ExperimentException {
    DataSet data = DataSet.read(folder, FILE);
    List<String> columns = new ArrayList<>(List.of("language", "namespace", "size"));
    columns.addAll(FLAGS);
    int[] values = new int[columns.size()];
    Arrays.fill(values, 2);
    values[0] = LANGUAGES.size() + 1;
    values[1] = NAMESPACES.size() + 1;
    values[2] = SIZES.length + 1;
    CrossTables tables = CrossTables.of(2, values);
    String[] users = data.column("user").texts();
    String[] channels = data.column("channel").texts();
    String[] namespaces = data.column("namespace").texts();
    String[] deltas = data.column("delta").texts();
    List<String[]> flags = new ArrayList<>();
    for (String flag : FLAGS) {
      flags.add(data.column(flag).texts());
    }
    Map<String, List<Long>> people = new LinkedHashMap<>();
    for (int row = 0; row < users.length; row++) {
      int[] cell = new int[values.length];
      cell[0] = place(LANGUAGES, channels[row].replaceAll("^#|\\.wikipedia$", ""));
      cell[1] = place(NAMESPACES, namespaces[row]);
      cell[2] = size(deltas[row]);
      for (int flag = 0; flag < flags.size(); flag++) {
        cell[3 + flag] = flags.get(flag)[row].equals("1") ? 1 : 0;
      }
      List<Long> own = people.computeIfAbsent(users[row], user -> new ArrayList<>());
      if (own.size() < MOST) {
        own.add(tables.category(cell));
      }
    }
    return TablePopulation.of(
        "Wikipedia",
        columns,
        tables,
        people.values().stream()
            .map(own -> own.stream().mapToLong(Long::longValue).toArray())
            .toList(),
        MOST);
  }

  /** The one behind the list for all others. */
  private static int place(List<String> listed, String text) {
    int place = listed.indexOf(text);
    return place < 0 ? listed.size() : place;
  }

  /** An empty text is no change. */
  private static int size(String text) {
    double delta = text.isEmpty() ? 0 : Double.parseDouble(text);
    int bin = 0;
    while (bin < SIZES.length && delta > SIZES[bin]) {
      bin++;
    }
    return bin;
  }
}
