// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.io.Console;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/** What a draft needs: given, else asked for on a terminal, else guessed, which is remembered. */
public final class Choices {
  private final Optional<UnaryOperator<String>> ask;
  private final Set<String> guessed = new TreeSet<>();

  /**
   * @param ask gives the answer to a question, empty for none; nothing where nobody can be asked
   */
  public Choices(Optional<UnaryOperator<String>> ask) {
    this.ask = ask;
  }

  /** Asks on the terminal, if there is one. */
  public static Choices onTerminal() {
    Console console = System.console();
    return new Choices(
        console == null
            ? Optional.empty()
            : Optional.of(
                question -> Optional.ofNullable(console.readLine("%s: ", question)).orElse("")));
  }

  /**
   * What it is to be.
   *
   * @param what in words
   * @param given by option
   * @param guess from names and types of fields
   * @param option that gives it
   * @param name under which a guess is remembered
   * @throws RefusedException if nobody said it and there is no guess
   */
  public String decide(
      String what, Optional<String> given, Optional<String> guess, String option, String name)
      throws RefusedException {
    return decide(what, "", given, guess, option, name);
  }

  /**
   * The same.
   *
   * @param hint behind the question
   */
  public String decide(
      String what,
      String hint,
      Optional<String> given,
      Optional<String> guess,
      String option,
      String name)
      throws RefusedException {
    if (given.isPresent()) {
      return given.get();
    }
    if (ask.isPresent()) {
      String answer =
          ask.get().apply(what + hint + guess.map(g -> " [" + g + "]").orElse("")).strip();
      if (!answer.isEmpty() || guess.isPresent()) {
        return answer.isEmpty() ? guess.get() : answer;
      }
    }
    guessed.add(name);
    return guess.orElseThrow(
        () ->
            new RefusedException(ExitCode.USAGE, "the " + what + " was not found: give " + option));
  }

  /**
   * Which field it is to be, or which several, of which an answer has commas in between.
   *
   * @param name of what they are
   * @param guess from names and types of fields; none if there is none
   * @param option that gives one
   */
  public List<String> decideFields(String name, List<String> guess, String option)
      throws RefusedException {
    String likely = String.join(", ", guess);
    String said =
        decide(
            "field of the " + name,
            Optional.empty(),
            Optional.of(likely).filter(text -> !text.isEmpty()),
            option,
            name);
    return said.equals(likely)
        ? guess
        : Arrays.stream(said.split(",")).map(String::strip).distinct().toList();
  }

  /** Whether somebody can be asked. */
  public boolean asks() {
    return ask.isPresent();
  }

  /** An answer to a question that may be left open; nothing where nobody can be asked. */
  public Optional<String> ask(String question) {
    return ask.map(asked -> asked.apply(question).strip()).filter(answer -> !answer.isEmpty());
  }

  /**
   * Names all options at once that are missing, where nobody can be asked.
   *
   * @param given by option, in order
   * @param instead what else would do
   * @throws RefusedException if any is missing
   */
  public void requireNamed(Map<String, Boolean> given, String instead) throws RefusedException {
    List<String> missing =
        given.entrySet().stream()
            .filter(option -> !option.getValue())
            .map(Map.Entry::getKey)
            .toList();
    if (ask.isEmpty() && !missing.isEmpty()) {
      throw new RefusedException(
          ExitCode.USAGE,
          "options are missing, and there is no terminal to ask for them: give %s, or %s"
              .formatted(String.join(", ", missing), instead));
    }
  }

  /** Something was chosen that nobody was asked about. */
  public void guess(String name) {
    guessed.add(name);
  }

  /** What nobody said. */
  public Set<String> guessed() {
    return Set.copyOf(guessed);
  }
}
