// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.property;

import java.util.random.RandomGenerator;

/** Texts: letters, what formats give a meaning to, controls, and any other character of Unicode. */
final class Texts {
  private static final String SYNTAX = "{}[]:,-#&*!|>'\"%@`?=/\\.~<+_;()^$ \t\n\r";

  private Texts() {}

  /** Of so many characters at most. */
  static Generator<String> upTo(int most) {
    return (random, size) -> {
      int count = Numbers.length(0, most, random, size);
      // One kind only now and then: a text of letters is never drawn from a mixture.
      int kinds = random.nextInt(6);
      StringBuilder text = new StringBuilder(count);
      for (int i = 0; i < count; i++) {
        text.appendCodePoint(character(kinds < 4 ? kinds : random.nextInt(4), random));
      }
      return text.toString();
    };
  }

  private static int character(int kind, RandomGenerator random) {
    return switch (kind) {
      case 0 -> random.nextInt(' ', 0x7F);
      case 1 -> SYNTAX.charAt(random.nextInt(SYNTAX.length()));
      case 2 -> random.nextInt(0x100);
      default -> anywhere(random);
    };
  }

  /** Halves of pairs are left out: no encoding keeps them. */
  private static int anywhere(RandomGenerator random) {
    int point = random.nextInt(random.nextInt(4) == 0 ? Character.MAX_CODE_POINT + 1 : 0x1_0000);
    boolean half = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
    return half ? Character.MAX_CODE_POINT - point : point;
  }
}
