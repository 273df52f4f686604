// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.ValueType.Length;
import io.sfumato.pipeline.ValueType.Range;
import io.sfumato.pipeline.ValueType.Whole;
import io.sfumato.pipeline.ValueType.Word;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A field of the pipeline file, declared once: its reader asks for it, and the reference and the
 * JSON Schema are made of it.
 *
 * @param name in the file
 * @param type of its value
 * @param unset what holds where the file does not have it
 * @param about what people read
 * @param <T> value in Java
 */
public record FieldSpec<T>(String name, ValueType<T> type, Unset<T> unset, About about) {
  private static final double LARGEST = 1e12;

  /**
   * What people read of a field.
   *
   * @param meaning a sentence or two
   * @param example a value, in YAML
   * @param units that it applies to
   * @param where it applies, in words; empty for everywhere
   */
  public record About(String meaning, String example, Set<PrivacyUnit> units, String where) {
    private static final Pattern ASIDE = Pattern.compile(" \\(\\[[^\\]]*\\]\\([^)]*\\)\\)");
    private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)\\]\\([^)]*\\)");

    static final About NOTHING = new About("", "", EnumSet.allOf(PrivacyUnit.class), "");

    /** The meaning without links, which lead nowhere in an editor. */
    String plainMeaning() {
      return LINK.matcher(ASIDE.matcher(meaning).replaceAll("")).replaceAll("$1");
    }

    /** Where the field applies, as it follows "only"; empty for everywhere. */
    public String only() {
      boolean isOfEveryUnit = units.size() == PrivacyUnit.values().length;
      String named = units.stream().map(PrivacyUnit::word).collect(Collectors.joining(", "));
      return Stream.of(isOfEveryUnit ? "" : "with unit " + named, where)
          .filter(words -> !words.isEmpty())
          .collect(Collectors.joining("; "));
    }
  }

  /** What an editor shows of a field. */
  String described() {
    String only = about.only().isEmpty() ? "" : " Only " + about.only() + ".";
    return "%s%s (%s) Example: %s: %s"
        .formatted(about.plainMeaning(), only, unset.said(), name, about.example);
  }

  /**
   * What holds where the file does not have a field.
   *
   * @param isRequired whether it must have it, always
   * @param value that is taken instead, where it is the same for every file
   * @param words what is taken, for people; empty if nothing is
   */
  public record Unset<T>(boolean isRequired, Optional<T> value, String words) {
    private static final String REQUIRED = "required";

    /** In words: that the field is required, or what its default is. */
    public String said() {
      if (isRequired || words.startsWith(REQUIRED)) {
        return isRequired ? REQUIRED : words;
      }
      return "default: "
          + (value.isPresent() ? "`" + words + "`" : words.isEmpty() ? "none" : words);
    }
  }

  private static <T> FieldSpec<T> of(String name, ValueType<T> type) {
    return new FieldSpec<>(name, type, new Unset<>(true, Optional.empty(), ""), About.NOTHING);
  }

  /** One of some words. */
  public static <T> FieldSpec<T> word(String name, Word<T> words) {
    return of(name, words);
  }

  /** One of some words that explain themselves. */
  public static <T> FieldSpec<T> word(String name, Map<String, T> words) {
    return of(name, new Word<>(words));
  }

  /** A whole number, both ends allowed. */
  public static FieldSpec<Integer> count(String name, int lowest, int highest) {
    return of(name, new Whole<>(lowest, highest, Math::toIntExact));
  }

  /** A whole number, both ends allowed. */
  public static FieldSpec<Long> whole(String name, long lowest, long highest) {
    return of(name, new Whole<>(lowest, highest, Long::valueOf));
  }

  /** A number above 0, at most 1e12. */
  public static FieldSpec<Double> above0(String name) {
    return of(
        name,
        new ValueType.Decimal<>(
            "a number above 0, at most 1e12", Range.above0(LARGEST), Number::doubleValue, 1.0));
  }

  /** A length of time, of {@code lowest} or more. */
  public static FieldSpec<Duration> length(String name, Duration lowest) {
    return of(name, new Length(lowest));
  }

  /** A mapping of fields. */
  public static FieldSpec<Section> section(String name, Section section) {
    return of(name, new ValueType.Mapping(section));
  }

  /** Any other value. */
  public static <T> FieldSpec<T> typed(String name, ValueType<T> type) {
    return of(name, type);
  }

  /** The same field, which may be left out; then a value is taken. */
  public FieldSpec<T> byDefault(T value) {
    return byDefault(value, value instanceof Duration length ? Durations.word(length) : "" + value);
  }

  /**
   * The same field, which may be left out; then a value is taken.
   *
   * @param words how files write the value
   */
  public FieldSpec<T> byDefault(T value, String words) {
    return new FieldSpec<>(name, type, new Unset<>(false, Optional.of(value), words), about);
  }

  /** The same field, which may be left out; then nothing is taken. */
  public FieldSpec<T> optional() {
    return optional("");
  }

  /**
   * The same field, which some files may leave out.
   *
   * @param words what is then taken, and which files must have it
   */
  public FieldSpec<T> optional(String words) {
    return new FieldSpec<>(name, type, new Unset<>(false, Optional.empty(), words), about);
  }

  /** The same field with other values, as other fields of a file allow. */
  public FieldSpec<T> within(ValueType<T> narrower) {
    return new FieldSpec<>(name, narrower, unset, about);
  }

  /** The same field, read as something else that its declaration allows among others. */
  public <U> FieldSpec<U> as(ValueType<U> other) {
    return new FieldSpec<>(
        name, other, new Unset<>(unset.isRequired, Optional.empty(), unset.words), about);
  }

  /** The same field with its meaning, a sentence or two. */
  public FieldSpec<T> means(String meaning) {
    return new FieldSpec<>(
        name, type, unset, new About(meaning, about.example, about.units, about.where));
  }

  /** The same field with an example, a value in YAML. */
  public FieldSpec<T> example(String value) {
    return new FieldSpec<>(
        name, type, unset, new About(about.meaning, value, about.units, about.where));
  }

  /** The same field for some units only. */
  public FieldSpec<T> units(PrivacyUnit first, PrivacyUnit... others) {
    return new FieldSpec<>(
        name,
        type,
        unset,
        new About(about.meaning, about.example, EnumSet.of(first, others), about.where));
  }

  /** The same field, which applies only somewhere. */
  public FieldSpec<T> where(String words) {
    return new FieldSpec<>(
        name, type, unset, new About(about.meaning, about.example, about.units, words));
  }
}
