// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Names of others in a table. */
class ColumnsTest {
  @Test
  void spacesAtEitherEndAreSeen() {
    assertThat(Columns.shown("crime novels")).isEqualTo("crime novels");
    assertThat(Columns.shown("  a b ")).isEqualTo("\\u0020\\u0020a b\\u0020");
    assertThat(Columns.shown(" ")).isEqualTo("\\u0020");
    assertThat(Columns.shown("")).isEmpty();
    assertThat(Columns.shown("a\nb\u202e")).isEqualTo(Visible.of("a\nb\u202e")).contains("\\u202e");
  }

  @Test
  void lettersOfEastAsiaAndPicturesTakeTwo() {
    assertThat(Columns.of("abc")).isEqualTo(3);
    assertThat(Columns.of("図書館")).isEqualTo(6);
    assertThat(Columns.of("\ud83d\ude00!")).isEqualTo(3);
    assertThat(Columns.of("e\u0301")).as("an accent of its own").isEqualTo(1);
    assertThat(Columns.of("\u05e9\u05dc\u05d5\u05dd")).isEqualTo(4);
  }

  @Test
  void longNamesAreCutInTheMiddle() {
    assertThat(Columns.cut("crime novels", 12)).isEqualTo("crime novels");
    assertThat(Columns.cut("crime novels of 1920", 12)).isEqualTo("crime … 1920");
    assertThat(Columns.cut("図書館の本棚", 7)).isEqualTo("図…棚");
    assertThat(Columns.cut("\ud83d\ude00\ud83d\ude01\ud83d\ude02\ud83d\ude03", 5))
        .as("pairs stay whole")
        .isEqualTo("\ud83d\ude00…\ud83d\ude03");
    assertThat(Columns.cut("aaaaaae\u0301\u0301", 3)).isEqualTo("a…e\u0301\u0301");
    for (int most = 3; most < 40; most++) {
      String cut = Columns.cut("e\u0301図a".repeat(20), most);
      assertThat(Columns.of(cut)).isLessThanOrEqualTo(most).isGreaterThan(most - 4);
    }
  }
}
