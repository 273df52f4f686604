// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.console.Terminal;
import io.sfumato.pipeline.FactJson;
import io.sfumato.pipeline.FactText;
import io.sfumato.pipeline.Facts;
import io.sfumato.text.ControlCharEscaper;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A result, as a line for people or as JSON; and one way to refuse an argument. */
public final class JsonOrText {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "Format: text or json.")
  private Format format = Format.TEXT;

  static ObjectNode object() {
    return new ObjectMapper().createObjectNode();
  }

  /** Prints a flat result field by field. */
  void print(ObjectNode result) {
    print(
        result,
        result.properties().stream()
            .map(field -> field.getKey() + " " + shown(field.getValue()))
            .collect(Collectors.joining(", ")));
  }

  /**
   * Prints a result.
   *
   * @param sentence what people read
   */
  void print(ObjectNode result, String sentence) {
    print(result::toPrettyString, () -> sentence);
  }

  /** Prints facts. */
  void print(Facts facts) {
    print(() -> FactJson.of(facts).toPrettyString(), () -> FactText.of(facts));
  }

  /** Prints what is asked for, and makes nothing else. */
  public void print(Supplier<String> json, Supplier<String> text) {
    out().println((isJson() ? json : text).get());
    out().flush();
  }

  boolean isJson() {
    return format == Format.JSON;
  }

  /** For what is more than a result. */
  PrintWriter out() {
    return Terminal.over(spec.commandLine().getOut());
  }

  /** Where progress is told: not into the JSON that a program reads. */
  PrintStream aside() {
    return isJson() ? System.err : System.out;
  }

  /** The same for what moves the cursor. */
  PrintStream drawing() {
    return isJson() ? Terminal.forProgress() : Terminal.forDrawing();
  }

  private static String shown(com.fasterxml.jackson.databind.JsonNode value) {
    if (value.isArray()) {
      return StreamSupport.stream(value.spliterator(), false)
          .map(JsonOrText::shown)
          .collect(Collectors.joining(" "));
    }
    return value.isDouble()
        ? String.format(Locale.ROOT, "%.6g", value.asDouble())
        : ControlCharEscaper.of(value.asText());
  }

  /** Turns a refused argument into a usage error with its range. */
  <T> T checked(Supplier<T> computation) {
    try {
      return computation.get();
    } catch (IllegalArgumentException e) {
      throw bad(e.getMessage());
    }
  }

  /**
   * An option's number.
   *
   * @throws ParameterException if it lies out of its range
   */
  public <N extends Number> N within(String option, N value, long least, long most) {
    if (value.longValue() < least || value.longValue() > most) {
      throw bad(option + ": found " + value + ", allowed is " + least + " to " + most);
    }
    return value;
  }

  /** A usage error with this text. */
  public ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
