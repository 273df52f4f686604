// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.text.ControlCharEscaper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ControlCharEscaperTest {
  private static final String RIGHT_TO_LEFT = "\u202e";
  private static final String ZERO_WIDTH = "\u200b";

  @ParameterizedTest
  @CsvSource({
    "0x1b, \\u001b", // escape
    "0x0a, \\u000a", // another row
    "0x0d, \\u000d",
    "0x08, \\u0008",
    "0x7f, \\u007f",
    "0x9b, \\u009b", // escape and bracket in one
    "0x202e, \\u202e", // right to left from here on
    "0x2066, \\u2066",
    "0x061c, \\u061c",
    "0x200b, \\u200b", // zero width
    "0xfeff, \\ufeff",
    "0x2028, \\u2028", // line separator
    "0x2029, \\u2029",
    "0xad, \\u00ad", // soft hyphen
    "0x3164, \\u3164", // a letter that nobody sees
    "0xfe0f, \\ufe0f",
    "0xe0041, \\udb40\\udc41", // a tag, of two units
    "0xd800, \\ud800", // half a pair
    "0xdc00, \\udc00",
  })
  void shouldEscapeWhatCouldBeTakenForAnythingElse(String codePoint, String shown) {
    String text = "a" + new String(Character.toChars(Integer.decode(codePoint))) + "b";
    assertThat(ControlCharEscaper.of(text)).isEqualTo("a" + shown + "b");
  }

  @Test
  void shouldLeaveWhatCanBeSeen() {
    String seen = "Zoë, 日本語, עברית, العربية, naïve, \\u0041 \"x\" {y} €, ▏▎▍█, 😀, e\u0301";
    assertThat(ControlCharEscaper.of(seen)).isEqualTo(seen);
    assertThat(ControlCharEscaper.lines("a\tb\nc\r\nd")).isEqualTo("a\tb\nc\r\nd");
    assertThat(ControlCharEscaper.lines("a\rb")).isEqualTo("a\\u000db");
    assertThat(ControlCharEscaper.of("a\tb\r\n")).isEqualTo("a\\u0009b\\u000d\\u000a");
  }

  /** Every character there is: none that is shown controls, formats, separates or is half. */
  @Test
  void shouldShowNoCharacterOfTheKindsThatControlTerminals() {
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      if (c == '\\') {
        continue;
      }
      String shown = ControlCharEscaper.of(new String(Character.toChars(c)));
      boolean kept = shown.codePointAt(0) == c;
      boolean dangerous =
          switch (Character.getType(c)) {
            case Character.CONTROL,
                Character.FORMAT,
                Character.SURROGATE,
                Character.LINE_SEPARATOR,
                Character.PARAGRAPH_SEPARATOR ->
                true;
            default -> false;
          };
      assertThat(kept && dangerous).as("%x", c).isFalse();
      assertThat(ControlCharEscaper.of(shown)).as("twice").isEqualTo(shown);
    }
  }

  @Test
  void shouldKeepJsonTheSame() throws Exception {
    ObjectMapper json = new ObjectMapper();
    String name = "a" + RIGHT_TO_LEFT + "b" + ZERO_WIDTH + "\u007f😀\udb40\udc41";
    String text = json.createObjectNode().put("subject", name).toPrettyString();
    String shown = ControlCharEscaper.lines(text);
    assertThat(shown).doesNotContain(RIGHT_TO_LEFT, ZERO_WIDTH, "\u007f").contains("😀", "\n");
    assertThat(json.readTree(shown)).isEqualTo(json.readTree(text));
  }

  @Test
  void shouldGuardWhateverPrintsToAStream() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Charset charset = Charset.defaultCharset();
    PrintStream guarded = VisibleStream.before(new PrintStream(bytes, true, charset));
    guarded.println("clear \u001b[2J and go on");
    guarded.printf("%s%n", RIGHT_TO_LEFT);
    byte[] letters = "Zoë".getBytes(charset);
    for (byte letter : letters) {
      // However they are cut.
      guarded.write(letter);
    }
    guarded.flush();
    assertThat(bytes.toString(charset))
        .startsWith("clear \\u001b[2J and go on" + System.lineSeparator())
        .doesNotContain(RIGHT_TO_LEFT)
        .endsWith(new String(letters, charset));
  }

  @Test
  void shouldGuardWhateverPrintsToAWriter() {
    StringWriter text = new StringWriter();
    PrintWriter guarded = Terminal.over(new PrintWriter(text));
    guarded.printf("%s and %s%n", "\u001b]0;title\u0007", "😀");
    // A pair that comes in halves.
    guarded.write("😀", 0, 1);
    guarded.write("😀", 1, 1);
    guarded.flush();
    assertThat(text).hasToString("\\u001b]0;title\\u0007 and 😀" + System.lineSeparator() + "😀");
  }

  @Test
  void shouldShowAProgressBarOfAnyName() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Progress progress =
        new Progress(new PrintStream(bytes, true, StandardCharsets.UTF_8), "a\nb\u001b[2J", 1)) {
      progress.step();
    }
    assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("a\\u000ab\\u001b[2J [");
  }

  @Test
  void shouldEndAProgressBarOfNothingAtItsEnd() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new Progress(new PrintStream(bytes, true, StandardCharsets.UTF_8), "ledgers", 0).close();
    assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("100% 0 of 0");
  }
}
