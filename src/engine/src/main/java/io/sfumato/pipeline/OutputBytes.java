// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.List;

/**
 * What a published record takes at most, field by field, in the pipeline's format. With a registry
 * the header is shorter than the fingerprint of the embedded schemas.
 */
public final class OutputBytes {
  /** C3 01 and the fingerprint, or the braces. */
  private static final int AROUND = 10;

  private static final int AVRO_LONG = 10;
  private static final int AVRO_UNION = 1;

  /** Count of the one block, and its end. */
  private static final int AVRO_ARRAY = AVRO_LONG + 1;

  /** Sign and 19 digits. */
  private static final int JSON_LONG = 20;

  /** -1.2345678901234567E-308. */
  private static final int JSON_DOUBLE = 24;

  /** +292278994-08-17T07:12:55.807Z, in quotes. */
  private static final int JSON_TIME = 33;

  /** A quotation mark or backslash gets a backslash; names hold no control characters. */
  private static final int JSON_WORST_CHARACTER = 2;

  private final boolean json;
  private long bytes = AROUND;

  /**
   * @param schema of the record, which JSON names
   */
  public OutputBytes(OutputFormat format, String schema) {
    this.json = format == OutputFormat.JSON;
    if (json) {
      text("type", schema);
    }
  }

  /** The largest size of all fields so far. */
  public long bytes() {
    return bytes;
  }

  /** A text that is known. */
  public OutputBytes text(String field, String text) {
    return value(field, ofText(text));
  }

  /**
   * Any text of at most {@code any} bytes of UTF-8, with others that hold plain characters only.
   */
  public OutputBytes anyText(String field, int any, int plain) {
    return value(
        field,
        json ? 2 + (long) JSON_WORST_CHARACTER * any + plain : AVRO_UNION + text(any + plain));
  }

  /** A whole number of 64 bits. */
  public OutputBytes whole(String field) {
    return value(field, AVRO_UNION + ofWhole());
  }

  /** A double. */
  public OutputBytes decimal(String field) {
    return value(field, ofDecimal());
  }

  /** True or false. */
  public OutputBytes truth(String field) {
    return value(field, ofTruth());
  }

  /** An instant in milliseconds. */
  public OutputBytes time(String field) {
    return value(field, json ? JSON_TIME : AVRO_LONG);
  }

  /** A list, whose items are counted apart. */
  public OutputBytes list(String field) {
    return value(field, json ? 2 : AVRO_ARRAY);
  }

  /** A record within it: the same as its fields in Avro. */
  public OutputBytes nested(String field) {
    return value(field, json ? 2 : 0);
  }

  /** A list within an item of a list. */
  public long ofList() {
    return json ? 2 : AVRO_ARRAY;
  }

  /** An item of a list. */
  public long ofWhole() {
    return json ? JSON_LONG + 1 : AVRO_LONG;
  }

  /** An item of a list. */
  public long ofDecimal() {
    return json ? JSON_DOUBLE + 1 : Double.BYTES;
  }

  /** An item of a list. */
  public long ofTruth() {
    return json ? "false,".length() : 1;
  }

  /** What a record that is an item of a list has beside its values: their names in JSON. */
  public long ofFields(String... names) {
    long bytes = 3;
    for (String name : names) {
      bytes += "\"\":,".length() + name.length();
    }
    return json ? bytes : 0;
  }

  /** A known text, also as an item of a list. */
  public long ofText(String text) {
    return json ? 3 + escaped(text) : AVRO_UNION + text(Bytes.utf8(text));
  }

  /** Any text of at most so many bytes of UTF-8, as an item of a list. */
  public long ofAnyText(int any) {
    return json ? 3 + (long) JSON_WORST_CHARACTER * any : AVRO_UNION + text(any);
  }

  /** Known texts as items of a list. */
  public long ofTexts(List<String> texts) {
    return texts.stream().mapToLong(this::ofText).sum();
  }

  /** All categories' names, with {@code each} bytes beside each. */
  public Footprint.Part ofCategories(InputSpec input, long each) {
    List<String> categories = input.allCategories();
    return new Footprint.Part(
        "input.categories",
        categories.size(),
        ofTexts(categories) + each * categories.size(),
        "shorten their names");
  }

  private OutputBytes value(String field, long most) {
    bytes += most + (json ? "\"\":,".length() + field.length() : 0);
    return this;
  }

  /** Avro writes lengths with a sign: one bit more. */
  private static int text(int length) {
    return Bytes.text(length) + 1;
  }

  private static long escaped(String text) {
    return Bytes.utf8(text)
        + text.chars().filter(c -> c == '"' || c == '\\').count()
        + (JSON_WORST_CHARACTER - 1) * text.chars().filter(c -> c < ' ').count();
  }
}
