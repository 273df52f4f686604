// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import io.sfumato.pipeline.ReportText;
import io.sfumato.runtime.RefusedException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A number of the records that is to be summarised, between bounds that somebody said: they become
 * public, so that no sample may tell them.
 *
 * @param field of the number
 * @param low finite
 * @param high finite, above {@code low}
 */
public record MeasuredField(String field, double low, double high) {
  private static final Pattern BOUNDS = Pattern.compile("(.+)=([^,=]+),([^,=]+)");

  /** Words of a draft's other outputs, and of the topics beside them. */
  private static final Set<String> TAKEN =
      Set.of(
          "mix",
          "counts",
          "tables",
          "refusals",
          "dead-letters",
          "control",
          "candidates",
          "registry");

  /** Each from FIELD=LOW,HIGH. */
  public static List<MeasuredField> parseAll(List<String> texts) throws RefusedException {
    List<MeasuredField> fields = new ArrayList<>();
    for (String text : texts) {
      fields.add(parse(text));
    }
    return fields;
  }

  /**
   * From FIELD=LOW,HIGH.
   *
   * @throws RefusedException if it is anything else
   */
  public static MeasuredField parse(String text) throws RefusedException {
    Matcher matcher = BOUNDS.matcher(text);
    if (matcher.matches()) {
      try {
        double low = Double.parseDouble(matcher.group(2).strip());
        double high = Double.parseDouble(matcher.group(3).strip());
        if (low < high && Double.isFinite(high - low)) {
          return new MeasuredField(matcher.group(1).strip(), low, high);
        }
      } catch (NumberFormatException e) {
        // Said below.
      }
    }
    throw DraftCheck.wrong(
        "--value: found '%s', allowed is FIELD=LOW,HIGH, such as amount=0,500, with LOW below HIGH: between which numbers it counts. They become public"
            .formatted(text));
  }

  /** What to say of a field that most records have no number in. */
  Optional<String> unusable(SampleRecords sample) {
    return sample.records().isEmpty() || new SampleTypes(sample).isNumber(field)
        ? Optional.empty()
        : Optional.of(
            "WARNING: most values of '%s' are no numbers: records without one are dead letters, and no release counts them."
                .formatted(field));
  }

  /** A part of a name of an output; some word where the field has no letter that names have. */
  private String word() {
    String word =
        field.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
    return word.isEmpty() ? "value" : word;
  }

  /**
   * Names of outputs, each another one, and none that a pipeline has beside them.
   *
   * @param name of the pipeline
   */
  private static List<String> names(List<MeasuredField> values, String name) {
    Set<String> taken = new LinkedHashSet<>(TAKEN);
    List<String> names = new ArrayList<>();
    for (MeasuredField value : values) {
      String word = value.word();
      for (int number = 2; !taken.add(word); number++) {
        word = value.word() + "-" + number;
      }
      names.add(name + "-" + word);
    }
    return names;
  }

  private String bounds() {
    return "[%s, %s]".formatted(ReportText.number(low), ReportText.number(high));
  }

  /** The line of the input; none where there are no numbers. */
  static String input(List<MeasuredField> values) {
    return values.isEmpty()
        ? ""
        : values.stream()
            .map(value -> DraftWords.quoted(value.field))
            .collect(Collectors.joining(", ", "  values: [", "]\1\1numbers of a record\n"));
  }

  /**
   * A release for each.
   *
   * @param name of the pipeline
   * @param shares epsilon of each
   * @param windows a line for shares that last a number of windows, or nothing
   * @param records of one subject in one window, as expected
   */
  static String releases(
      List<MeasuredField> values, String name, Parts shares, String windows, int records) {
    List<String> names = names(values, name);
    return IntStream.range(0, values.size())
        .mapToObj(
            place ->
                """
                  - mean:
                      name: %s\1\1number, sum and mean, each with its interval
                      value: %s
                      bounds: %s\1\1PUBLIC: what lies beyond counts as the nearer one
                      by: total
                      share: { epsilon: %s }
                %s      plan-size: %d\1records\1records of a subject in a window, for the plan's words only
                """
                    .formatted(
                        names.get(place),
                        DraftWords.quoted(values.get(place).field),
                        values.get(place).bounds(),
                        shares.next(),
                        windows,
                        records))
        .collect(Collectors.joining());
  }
}
