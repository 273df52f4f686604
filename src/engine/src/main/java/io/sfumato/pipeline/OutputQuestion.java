// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.List;

/**
 * What some outputs of a population pipeline are about, where that differs from the rest of the
 * file. Each question is decided and charged by itself, so one that has used up its bound does not
 * stop the others. Which records count in it depends on one order of ranks, the same for all: a
 * larger bound counts all that a smaller one does, and more.
 *
 * @param outputs their names, in the file's order; at least one
 * @param input which records they are about and by which category, in place of the file's
 * @param windows how many of the file's windows one window of theirs has, at least 1
 * @param population what of a user counts in them, in place of the file's
 */
public record OutputQuestion(
    List<String> outputs, InputSpec input, int windows, Population population) {
  public OutputQuestion {
    outputs = List.copyOf(outputs);
    if (outputs.isEmpty()) {
      throw new IllegalArgumentException("a question has at least one output");
    }
  }

  OutputQuestion with(InputSpec other) {
    return new OutputQuestion(outputs, other, windows, population);
  }

  OutputQuestion withUser(String field) {
    return new OutputQuestion(outputs, input, windows, population.withUser(field));
  }

  /** Which records, of which windows. */
  public Selection selection() {
    return new Selection(input, windows);
  }

  /** In full: states that live were made with this very text. */
  public String canonical() {
    return "Question[outputs="
        + CanonicalText.of(outputs)
        + ", input="
        + CanonicalText.of(input)
        + (windows == 1 ? "" : ", windows=" + windows)
        + ", population="
        + CanonicalText.of(population)
        + "]";
  }
}
