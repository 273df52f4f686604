// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.draft;

import io.sfumato.client.EventTimes;
import io.sfumato.serde.EventReader;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/** What a sample suggests. A human being decides. */
public final class Guess {
  private static final List<String> SUBJECT_WORDS =
      List.of(
          "subject", "user", "patient", "person", "customer", "member", "account", "client", "id");
  private static final List<String> TIME_WORDS = List.of("time", "date", "at", "ts", "when");
  private static final List<String> GROUP_WORDS =
      List.of(
          "ward",
          "group",
          "region",
          "department",
          "team",
          "site",
          "store",
          "shop",
          "city",
          "country",
          "school",
          "branch");
  private static final double MOSTLY = 0.95;
  private static final int MOST_CATEGORIES = 64;

  /** In characters: longer ones are remarks. */
  private static final int LONGEST_NAME = 64;

  /** How often values of a category come at least, on average. */
  private static final long VALUES_AGAIN = 5;

  /** Subjects that must have a category before it may stand in a public file. */
  public static final int LEAST_SUBJECTS = 10;

  private static final List<Duration> SIZES =
      List.of(
          Duration.ofMinutes(1),
          Duration.ofMinutes(5),
          Duration.ofMinutes(15),
          Duration.ofHours(1),
          Duration.ofHours(6),
          Duration.ofDays(1),
          Duration.ofDays(7),
          Duration.ofDays(28));

  /** Records of a subject and window that a release can say something about. */
  private static final int ENOUGH = 20;

  private final Sample sample;

  public Guess(Sample sample) {
    this.sample = sample;
  }

  /** What was looked at. */
  Sample sample() {
    return sample;
  }

  /** The field of the event time: one that nearly always is one. */
  public Optional<String> time() {
    return sample.fields().stream()
        .filter(field -> part(field, EventTimes::isTime) >= MOSTLY)
        .max(
            Comparator.<String>comparingInt(field -> likeness(field, TIME_WORDS))
                .thenComparing(
                    field -> part(field, value -> TimedRecords.millis(value).isPresent())));
  }

  /** A field that is called so is meant, however its values look. */
  private static boolean isNamed(String field, List<String> words) {
    return !field.equalsIgnoreCase("id") && words.contains(field.toLowerCase(Locale.ROOT));
  }

  /** Measurements: nobody is named 12.5. */
  private boolean holdsDecimals(String field) {
    return part(field, value -> value.matches("[-+]?\\d*[.,]\\d+")) > 0;
  }

  /** The field of the subject: by its name, else the one with the most values that come again. */
  public Optional<String> subject() {
    Optional<String> time = time();
    return sample.fields().stream()
        .filter(field -> !Optional.of(field).equals(time))
        .filter(
            field ->
                isNamed(field, SUBJECT_WORDS)
                    || 2L * distinct(field) <= occurrences(field) && !holdsDecimals(field))
        .max(
            Comparator.<String>comparingInt(field -> likeness(field, SUBJECT_WORDS))
                .thenComparingLong(this::distinct));
  }

  /**
   * The field of the category: few values, and neither time nor subject; of those one whose values
   * are names, if there is any: what people write into a field for remarks must not become public.
   * Where people are, such as a ward, is rather what they are counted in.
   */
  public Optional<String> category(String subject, String time) {
    return category(Set.of(subject, time));
  }

  /**
   * The same.
   *
   * @param taken fields that are something else
   */
  public Optional<String> category(Set<String> taken) {
    return sample.fields().stream()
        .filter(field -> !taken.contains(field))
        .filter(field -> distinct(field) >= 2 && distinct(field) <= MOST_CATEGORIES)
        .max(
            Comparator.comparing(this::holdsNames)
                .thenComparing(field -> likeness(field, GROUP_WORDS) == 0)
                .thenComparingLong(this::occurrences));
  }

  /** Whether values are short, on one line, and come again. */
  private boolean holdsNames(String field) {
    return VALUES_AGAIN * distinct(field) <= occurrences(field)
        && sample.values(field).stream().allMatch(Guess::isName);
  }

  private static boolean isName(String value) {
    return value.length() <= LONGEST_NAME && value.chars().noneMatch(Character::isISOControl);
  }

  /** The field whose few values are each shared by many users: a ward, a shop, a region. */
  public Optional<String> group(String user, Set<String> taken) {
    return sample.fields().stream()
        .filter(field -> !field.equals(user) && !taken.contains(field) && isGroup(field, user))
        .max(
            Comparator.<String>comparingInt(field -> likeness(field, GROUP_WORDS))
                .thenComparingLong(this::occurrences)
                .thenComparingLong(field -> -distinct(field)));
  }

  /** Whether nearly all records have one of a few names in a field, each many users'. */
  public boolean isGroup(String field, String user) {
    if (distinct(field) < 2 || distinct(field) > MOST_CATEGORIES || !holdsNames(field)) {
      return false;
    }
    Set<String> shared = new HashSet<>(categories(field, user));
    return shared.size() >= 2
        && distinct(user) > 2L * distinct(field)
        && part(field, value -> shared.contains(value) && !value.matches("[-+.,\\d]+")) >= MOSTLY;
  }

  /** Categories that enough subjects have, the most frequent first. */
  public List<String> categories(String category, String subject) {
    Map<String, Set<String>> subjects = new TreeMap<>();
    Map<String, Long> counts = new HashMap<>();
    for (Map<String, String> record : sample.records()) {
      String value = record.get(category);
      if (value != null && record.get(subject) != null) {
        subjects.computeIfAbsent(value, v -> new HashSet<>()).add(record.get(subject));
        counts.merge(value, 1L, Long::sum);
      }
    }
    return subjects.entrySet().stream()
        .filter(entry -> entry.getValue().size() >= LEAST_SUBJECTS)
        .map(Map.Entry::getKey)
        .sorted(Comparator.comparing((String value) -> -counts.get(value)))
        .limit(MOST_CATEGORIES)
        .toList();
  }

  /**
   * The shortest window in which half of the subjects that have records have enough of them; else
   * the longest that the sample has two of.
   */
  public Window window(String subject, String time) {
    long[] times = timed(time).times();
    long span = times.length == 0 ? 0 : times[times.length - 1] - times[0];
    Window chosen =
        new Window(SIZES.get(0), Math.max(1, timed(time).medianSize(subject, SIZES.get(0))));
    for (Duration size : SIZES) {
      if (chosen.records() >= ENOUGH || 2 * size.toMillis() > span) {
        break;
      }
      chosen = new Window(size, Math.max(1, timed(time).medianSize(subject, size)));
    }
    return chosen;
  }

  /** A window of a given length, with the records that half of the subjects have in it. */
  public Window window(String subject, String time, Duration size) {
    return new Window(size, timed(time).medianSize(subject, size));
  }

  /** The earliest event time that a pipeline takes; nothing without any. */
  public OptionalLong earliest(String time) {
    return Arrays.stream(timed(time).times())
        .filter(millis -> millis >= EventReader.EARLIEST)
        .findFirst();
  }

  private TimedRecords timed(String time) {
    return new TimedRecords(sample.records(), time);
  }

  /**
   * A length of windows.
   *
   * @param size of a window
   * @param records that half of the subjects have in it at least
   */
  public record Window(Duration size, int records) {}

  /**
   * What of a user should count in a window.
   *
   * @param records of at most a tenth of the users' windows have more
   * @param subjects the same
   */
  public record Bounds(int records, int subjects) {
    private static final Bounds UNKNOWN = new Bounds(4, 1);
    private static final int MOST = 50;
  }

  /** Bounds that leave nine of ten users' windows whole. */
  public Bounds bounds(String user, String subject, String time, Duration size) {
    Map<String, List<String>> windows = timed(time).windows(user, subject, size);
    if (windows.isEmpty()) {
      return Bounds.UNKNOWN;
    }
    int records = Math.min(Bounds.MOST, mostOfNineTenths(windows, List::size));
    int subjects = mostOfNineTenths(windows, names -> new HashSet<>(names).size());
    return new Bounds(records, Math.min(records, subjects));
  }

  private static int mostOfNineTenths(
      Map<String, List<String>> windows, ToIntFunction<List<String>> count) {
    int[] sorted = windows.values().stream().mapToInt(count).sorted().toArray();
    return sorted[(9 * sorted.length - 1) / 10];
  }

  /**
   * The size of the window that a typical record lies in: half of all lie in windows of this size
   * or more; 0 without any.
   */
  public int typicalRecords(String subject, String time, Duration size) {
    return timed(time).typicalSize(subject, size);
  }

  private double part(String field, Predicate<String> test) {
    long passing = sample.values(field).stream().filter(test).count();
    return (double) passing / Math.max(1, sample.records().size());
  }

  private long distinct(String field) {
    return Set.copyOf(sample.values(field)).size();
  }

  private long occurrences(String field) {
    return sample.values(field).size();
  }

  /** Words of a name that are among those looked for; earlier ones count more. */
  private static int likeness(String field, List<String> words) {
    List<String> parts =
        Arrays.asList(
            field.replaceAll("([a-z])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT).split("[^a-z]+"));
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (parts.stream().anyMatch(part -> part.equals(word) || part.equals(word + "s"))) {
        return words.size() - i + 1;
      }
      if (word.length() > 3 && field.toLowerCase(Locale.ROOT).contains(word)) {
        return 1;
      }
    }
    return 0;
  }
}
