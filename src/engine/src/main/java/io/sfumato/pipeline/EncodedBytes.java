// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.List;

/** What single values of a published record take at most, in the pipeline's format. */
public final class EncodedBytes {
  private static final int AVRO_LONG = 10;

  /** Which branch of a union it is. */
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

  public EncodedBytes(OutputFormat format) {
    this.json = format == OutputFormat.JSON;
  }

  /**
   * What a record has around its fields. With a registry the header is shorter than the fingerprint
   * of the embedded schemas.
   *
   * @param schema of the record, which JSON names
   */
  long around(String schema) {
    int braces = 10;
    return json ? braces + name("type") + ofText(schema) : braces;
  }

  /** A field beside its value. */
  long field(String name) {
    return json ? name(name) : 0;
  }

  private static int name(String name) {
    return "\"\":,".length() + name.length();
  }

  /** A nested record beside its fields. */
  long ofRecord() {
    return json ? "{},".length() : 0;
  }

  /** A value that may be absent, beside the value. */
  long ofOptional() {
    return json ? "null,".length() : AVRO_UNION;
  }

  /** A list beside its items. */
  long ofList() {
    return json ? "[],".length() : AVRO_ARRAY;
  }

  /** A whole number of 64 bits. */
  public long ofWhole() {
    return json ? JSON_LONG + 1 : AVRO_LONG;
  }

  /** A double. */
  long ofDecimal() {
    return json ? JSON_DOUBLE + 1 : Double.BYTES;
  }

  /** True or false. */
  public long ofTruth() {
    return json ? "false,".length() : 1;
  }

  /** An instant in milliseconds. */
  long ofTime() {
    return json ? JSON_TIME + 1 : AVRO_LONG;
  }

  /** What a record that is an item of a list has beside its values: their names in JSON. */
  public long ofFields(String... names) {
    long bytes = ofRecord();
    for (String name : names) {
      bytes += json ? name(name) : 0;
    }
    return bytes;
  }

  /** A known text. */
  public long ofText(String text) {
    return json ? 3 + escaped(text) : AVRO_UNION + text(Bytes.utf8(text));
  }

  /**
   * Any text of at most {@code any} bytes of UTF-8, with others that hold plain characters only.
   */
  long ofAnyText(int any, int plain) {
    return json ? 3 + (long) JSON_WORST_CHARACTER * any + plain : AVRO_UNION + text(any + plain);
  }

  /** Known texts. */
  public long ofTexts(List<String> texts) {
    return texts.stream().mapToLong(this::ofText).sum();
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
