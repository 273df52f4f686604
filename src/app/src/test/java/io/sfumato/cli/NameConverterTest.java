// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** Names on the command line are those of records. */
class NameConverterTest {
  @ParameterizedTest
  @ValueSource(strings = {"query", "synthesize"})
  void shouldBeInOneFormWhenASubjectIsTypedInAnother(String command) {
    CommandLine.Model.OptionSpec subject =
        Main.commandLine().getSubcommands().get(command).getCommandSpec().findOption("--subject");
    assertThat(Stream.of(subject.converters()).map(Object::getClass).toList())
        .isEqualTo(List.of(NameConverter.class));
  }

  @Test
  void shouldComposeLettersWhenTheyAreTypedInParts() {
    assertThat(new NameConverter().convert("Mu\u0308nchen")).isEqualTo("M\u00fcnchen");
    assertThatThrownBy(() -> new NameConverter().convert("a\u0007b"))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("no control characters");
  }
}
