// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Names of others in a table. */
class TerminalColumnsTest {
  @Test
  void spacesAtEitherEndAreSeen() {
    assertThat(TerminalColumns.shown("crime novels")).isEqualTo("crime novels");
    assertThat(TerminalColumns.shown("  a b ")).isEqualTo("\\u0020\\u0020a b\\u0020");
    assertThat(TerminalColumns.shown(" ")).isEqualTo("\\u0020");
    assertThat(TerminalColumns.shown("")).isEmpty();
    assertThat(TerminalColumns.shown("a\nb\u202e"))
        .isEqualTo(ControlCharEscaper.of("a\nb\u202e"))
        .contains("\\u202e");
  }

  @Test
  void lettersOfEastAsiaAndPicturesTakeTwo() {
    assertThat(TerminalColumns.of("abc")).isEqualTo(3);
    assertThat(TerminalColumns.of("図書館")).isEqualTo(6);
    assertThat(TerminalColumns.of("\ud83d\ude00!")).isEqualTo(3);
    assertThat(TerminalColumns.of("e\u0301")).as("an accent of its own").isEqualTo(1);
    assertThat(TerminalColumns.of("\u05e9\u05dc\u05d5\u05dd")).isEqualTo(4);
  }

  @Test
  void longNamesAreCutInTheMiddle() {
    assertThat(TerminalColumns.cut("crime novels", 12)).isEqualTo("crime novels");
    assertThat(TerminalColumns.cut("crime novels of 1920", 12)).isEqualTo("crime … 1920");
    assertThat(TerminalColumns.cut("図書館の本棚", 7)).isEqualTo("図…棚");
    assertThat(TerminalColumns.cut("\ud83d\ude00\ud83d\ude01\ud83d\ude02\ud83d\ude03", 5))
        .as("pairs stay whole")
        .isEqualTo("\ud83d\ude00…\ud83d\ude03");
    assertThat(TerminalColumns.cut("aaaaaae\u0301\u0301", 3)).isEqualTo("a…e\u0301\u0301");
    for (int most = 3; most < 40; most++) {
      String cut = TerminalColumns.cut("e\u0301図a".repeat(20), most);
      assertThat(TerminalColumns.of(cut)).isLessThanOrEqualTo(most).isGreaterThan(most - 4);
    }
  }
}
