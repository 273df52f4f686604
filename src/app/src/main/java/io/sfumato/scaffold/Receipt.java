// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What lists of names have cost, and what was found for it: public.
 *
 * @param receipt version of this layout
 * @param time when it was spent, ISO-8601
 * @param sample what was looked at, by its name
 * @param person field of whoever is protected
 * @param hides what the guarantee covers, in words
 * @param epsilon of all draws together
 * @param delta likewise
 * @param key tag of the noise key, or {@value #EPHEMERAL}
 * @param nonce 128 random bits that the noise of these draws alone follows from, with the key: what
 *     is paid for again has noise of its own, whether or not the sample is the same
 * @param draws one a list
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Receipt(
    int receipt,
    String time,
    String sample,
    String person,
    String hides,
    BigDecimal epsilon,
    BigDecimal delta,
    String key,
    String nonce,
    List<Spent> draws) {
  static final int VERSION = 1;

  /** A key that nobody keeps. */
  static final String EPHEMERAL = "ephemeral";

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * A draw.
   *
   * @param list what it is a list of
   * @param field that holds the names
   * @param epsilon of this draw
   * @param delta likewise
   * @param mechanism its name in charges
   * @param parameters of its noise
   * @param names of one person that counted at most
   * @param threshold the least noisy number of people that passes
   * @param found names that passed, the most frequent first; none before they are drawn
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Spent(
      String list,
      String field,
      BigDecimal epsilon,
      BigDecimal delta,
      String mechanism,
      Map<String, Double> parameters,
      int names,
      long threshold,
      List<Name> found) {
    Spent with(List<Name> names) {
      return new Spent(
          list, field, epsilon, delta, mechanism, parameters, this.names, threshold, names);
    }

    /** Whether it is the same draw, but for what was found. */
    boolean isLike(Spent other) {
      return list.equals(other.list)
          && field.equals(other.field)
          && mechanism.equals(other.mechanism)
          && parameters.equals(other.parameters)
          && names == other.names
          && threshold == other.threshold;
    }
  }

  /**
   * A name that was found.
   *
   * @param name as in the records
   * @param people noisy number of those for whom it counted
   */
  record Name(String name, @JsonProperty("noisy_people") long people) {}

  Receipt with(List<Spent> drawn) {
    return new Receipt(
        receipt, time, sample, person, hides, epsilon, delta, key, nonce, List.copyOf(drawn));
  }

  /** Whether all was drawn and told. */
  boolean allDrawn() {
    return draws.stream().allMatch(draw -> draw.found() != null);
  }

  Optional<Spent> draw(String list, String field) {
    return draws.stream()
        .filter(draw -> draw.list().equals(list) && draw.field().equals(field))
        .findFirst();
  }

  String text() {
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(this) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a receipt has no text", e);
    }
  }

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if it is none; the message holds nothing of it
   */
  static Receipt parse(String text) {
    try {
      Receipt receipt = JSON.readValue(text, Receipt.class);
      boolean isWhole =
          receipt != null
              && receipt.receipt == VERSION
              && receipt.nonce != null
              && receipt.draws != null;
      if (isWhole) {
        return receipt;
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("is no receipt of sfumato", e);
    }
    throw new IllegalArgumentException("is no receipt of this version of sfumato");
  }
}
