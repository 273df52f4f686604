// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import io.sfumato.scaffold.SampleTypes.Type;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the names and types of a sample's fields suggest. A human being decides. */
public final class Guess {
  private static final List<String> SUBJECT_WORDS =
      List.of(
          "subject",
          "user",
          "patient",
          "person",
          "customer",
          "member",
          "account",
          "client",
          "who",
          "id");

  /** What people are called; a field called "subject" may be a school's. */
  private static final List<String> PERSON_WORDS =
      Stream.concat(
              SUBJECT_WORDS.stream().skip(1),
              Stream.of(
                  "employee",
                  "student",
                  "pupil",
                  "guest",
                  "visitor",
                  "driver",
                  "rider",
                  "passenger",
                  "borrower",
                  "player",
                  "worker",
                  "citizen",
                  "email",
                  "phone"))
          .toList();

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
          "land",
          "school",
          "branch",
          "gym",
          "club",
          "hospital",
          "clinic",
          "library",
          "station",
          "district");
  private static final List<String> CATEGORY_WORDS =
      List.of(
          "category",
          "kind",
          "type",
          "diagnosis",
          "symptom",
          "incident",
          "activity",
          "action",
          "event",
          "product",
          "item",
          "genre",
          "artist",
          "topic",
          "status",
          "class",
          "code",
          "label",
          "tag",
          "channel",
          "what");
  private static final List<String> REMARK_WORDS =
      List.of("note", "remark", "comment", "description", "message");

  private static final Pattern EVENT_ID =
      Pattern.compile(
          "(.*[._])?(event|message|msg|transaction|request|idempotency)_?(id|key|uuid)");

  private final SampleRecords sample;
  private final SampleTypes types;

  public Guess(SampleRecords sample) {
    this.sample = sample.events();
    this.types = new SampleTypes(this.sample);
  }

  /** The field of the event time. */
  public Optional<String> time() {
    Comparator<String> likelier = Comparator.comparingInt(field -> likeness(field, TIME_WORDS));
    // Any number of ten digits may be seconds: only one that is called so is a time.
    return first(sample.fields().stream().filter(f -> types.of(f) == Type.TIME), likelier)
        .or(
            () ->
                first(
                    sample.fields().stream()
                        .filter(f -> likeness(f, TIME_WORDS) > 0 && types.mayBeEpoch(f)),
                    likelier));
  }

  /** The field of the subject: one that is called so. */
  public Optional<String> subject() {
    return named(SUBJECT_WORDS, Set.of());
  }

  /** The field of a person: one that is called so. */
  Optional<String> person(Collection<String> taken) {
    return named(PERSON_WORDS, taken).filter(this::isPerson);
  }

  /** Whether a field is called as people are. */
  boolean isPerson(String field) {
    return likeness(field, PERSON_WORDS) > 0
        && !isGroup(field)
        && likeness(field, CATEGORY_WORDS) == 0
        && !isEventId(field);
  }

  /** The field in which many users are counted, such as a ward: one that is called so. */
  public Optional<String> group(Collection<String> taken) {
    return named(GROUP_WORDS, taken);
  }

  /** Whether a field is called as what users are counted in. */
  public boolean isGroup(String field) {
    return likeness(field, GROUP_WORDS) > 0;
  }

  private Optional<String> named(List<String> words, Collection<String> taken) {
    return first(
        names(taken).filter(field -> likeness(field, words) > 0),
        Comparator.comparingInt(field -> likeness(field, words)));
  }

  /**
   * The field of the category: one that is called so, else one of texts before one of numbers, and
   * rather not where people are, such as a ward, nor who they are. None where several are as likely
   * and none is called so, as in another language: the first one may be a telephone number.
   *
   * @param taken fields that are something else
   */
  public Optional<String> category(Collection<String> taken) {
    Comparator<String> likelier =
        Comparator.<String>comparingInt(field -> likeness(field, CATEGORY_WORDS))
            .thenComparing(field -> !isGroup(field) && likeness(field, SUBJECT_WORDS) == 0)
            .thenComparing(field -> types.of(field) == Type.TEXT);
    List<String> fields = names(taken).filter(field -> likeness(field, REMARK_WORDS) == 0).toList();
    return first(fields.stream(), likelier)
        .filter(
            best ->
                likeness(best, CATEGORY_WORDS) > 0
                    || fields.stream().filter(it -> likelier.compare(it, best) == 0).count() == 1);
  }

  /**
   * The field of the category, and a second one that is called so too: two of one record may belong
   * together, such as what was ordered, and by which channel. None within an array.
   *
   * @param taken fields that are something else
   * @return none, one or two
   */
  public List<String> categories(Collection<String> taken) {
    Optional<String> first = category(taken);
    return first
        .filter(this::isCategory)
        .flatMap(
            field ->
                first(
                    names(taken).filter(other -> !other.equals(field)).filter(this::isCategory),
                    Comparator.comparingInt(other -> likeness(other, CATEGORY_WORDS))))
        .map(second -> inOrder(first.get(), second))
        .orElseGet(() -> first.stream().toList());
  }

  private List<String> inOrder(String one, String other) {
    return sample.fields().stream()
        .filter(field -> field.equals(one) || field.equals(other))
        .toList();
  }

  /** Whether a field is called as categories are, and not as people or what they are counted in. */
  private boolean isCategory(String field) {
    return likeness(field, CATEGORY_WORDS) > 0
        && likeness(field, REMARK_WORDS) == 0
        && likeness(field, SUBJECT_WORDS) == 0
        && !isGroup(field)
        && field.indexOf('[') < 0;
  }

  /** The field of the event's id, by which copies are known: one that is called so. */
  Optional<String> eventId() {
    return sample.fields().stream().filter(Guess::isEventId).findFirst();
  }

  private static boolean isEventId(String field) {
    return EVENT_ID.matcher(field.toLowerCase(Locale.ROOT)).matches();
  }

  /** Fields that hold measurements. */
  public List<String> measurements(Collection<String> taken) {
    return sample.fields().stream()
        .filter(field -> !taken.contains(field) && types.of(field) == Type.DECIMAL)
        .toList();
  }

  /** Fields whose values may be names. */
  private Stream<String> names(Collection<String> taken) {
    return sample.fields().stream()
        .filter(field -> !taken.contains(field))
        .filter(field -> Set.of(Type.TEXT, Type.WHOLE).contains(types.of(field)));
  }

  /** The likeliest, and of those the one that comes first in the records. */
  private static Optional<String> first(Stream<String> fields, Comparator<String> likelier) {
    return fields.reduce((a, b) -> likelier.compare(b, a) > 0 ? b : a);
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
