// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

/**
 * What a row measures.
 *
 * @param name such as {@code count}, {@code share} or {@code quantile 0.5}: always the same for one
 *     kind of release
 * @param of name of the number in the records that is measured; empty where records are counted
 */
public record Measure(String name, String of) {
  /** One of records, not of a number in them. */
  public static Measure of(String name) {
    return new Measure(name, "");
  }
}
