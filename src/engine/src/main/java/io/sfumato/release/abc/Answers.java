// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.abc;

import io.sfumato.rows.Column;
import io.sfumato.rows.Column.Place;
import io.sfumato.rows.Column.Style;
import io.sfumato.rows.Group;
import io.sfumato.rows.OutputRows;
import io.sfumato.rows.Quantity;
import io.sfumato.rows.Reading;
import io.sfumato.text.ControlCharEscaper;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.avro.generic.IndexedRecord;

/** What answers to candidates have in common, whether they are decisions or weights. */
final class Answers {
  /** Of groups. */
  static final List<String> FIELDS = List.of("query", "candidate");

  private Answers() {}

  private static Object field(IndexedRecord answer, String name) {
    return answer.get(answer.getSchema().getField(name).pos());
  }

  private static int candidate(IndexedRecord answer) {
    return (Integer) field(answer, "candidate");
  }

  @SuppressWarnings("unchecked") // It is so in both schemas.
  private static List<Double> parameters(IndexedRecord answer) {
    return (List<Double>) field(answer, "parameters");
  }

  /** Its query and its number there. */
  static Group group(IndexedRecord answer) {
    return new Group(
        FIELDS, List.of((String) field(answer, "query_id"), Integer.toString(candidate(answer))));
  }

  /** The public facts. */
  static OutputRows rows(IndexedRecord answer) {
    Group group = group(answer);
    OutputRows rows =
        OutputRows.of(answer)
            .records((Long) field(answer, "records"))
            .fact("candidates", Quantity.of((long) (Integer) field(answer, "candidates")))
            .fact("threshold", Quantity.of((Double) field(answer, "threshold")))
            .fact("noise scale", Quantity.of((Double) field(answer, "noise_scale")));
    List<Double> parameters = parameters(answer);
    for (int i = 0; i < parameters.size(); i++) {
      rows.fact(group, "parameter " + i, Quantity.of(parameters.get(i)));
    }
    return rows;
  }

  /**
   * How it reads.
   *
   * @param said the answer on a terminal
   * @param onCard the same on the page
   * @param measure of the answer
   */
  static Reading reading(IndexedRecord answer, String said, String onCard, String measure) {
    Object candidates = field(answer, "candidates");
    return Reading.headline(
            "%s %d of %d %s  %s"
                .formatted(
                    ControlCharEscaper.of((String) field(answer, "query_id")),
                    candidate(answer),
                    candidates,
                    said,
                    parameters(answer).stream()
                        .map(number -> String.format(Locale.ROOT, "%.4g", number))
                        .collect(Collectors.joining(" "))),
            Column.of(measure, "", Style.WORDS).worded(onCard).in(Place.CARD))
        .titled("%d of %d".formatted(candidate(answer) + 1, candidates));
  }
}
