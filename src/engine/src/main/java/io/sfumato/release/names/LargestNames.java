// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.rows.Column;
import io.sfumato.rows.Column.Style;
import io.sfumato.rows.Group;
import io.sfumato.rows.OutputRows;
import io.sfumato.rows.Quantity;
import io.sfumato.rows.Reading;
import io.sfumato.rows.Scale;
import io.sfumato.schema.CountedName;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Which names come first, and how they are shown. */
public final class LargestNames {
  /** Names by their bytes: the order of UTF-16 is another one. */
  public static final Comparator<String> BY_BYTES =
      (a, b) ->
          Arrays.compareUnsigned(
              a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

  private static final Comparator<CountedName> LARGEST =
      Comparator.comparingLong(CountedName::getCount)
          .reversed()
          .thenComparing(CountedName::getName, BY_BYTES);

  static final String RANK = "rank";
  private static final String COUNT = "count";
  private static final String FOUND = "found";

  private LargestNames() {}

  /**
   * The largest counts first; of as many the first name.
   *
   * @param most at least 0
   */
  static List<CountedName> first(List<CountedName> names, int most) {
    return names.stream().sorted(LARGEST).limit(most).toList();
  }

  /** A name with its count: a row that says whether it was found only where it was. */
  static void add(OutputRows rows, String name, Quantity count, boolean found) {
    Group group = Group.category(name);
    rows.drawn(group, COUNT, count);
    if (found) {
      rows.drawn(group, FOUND, Quantity.of(true));
    }
  }

  /** How lists of names read best. */
  static Reading reading() {
    return Reading.of(
            Column.of(RANK, "", Style.RANK),
            Column.of(COUNT, "", Style.INTERVAL),
            Column.mark(FOUND))
        .withBars(Scale.LARGEST)
        .withCommonBound();
  }
}
