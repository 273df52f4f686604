// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BoundedCacheTest {
  private final BoundedCache<String, Integer> cache = new BoundedCache<>(2);
  private final List<String> made = new ArrayList<>();

  private int length(String text) {
    return cache.of(
        text,
        asked -> {
          made.add(asked);
          return asked.length();
        });
  }

  @Test
  void keepsWhatWasAskedForLast() {
    for (String text : List.of("a", "bb", "a", "ccc", "a", "bb")) {
      assertThat(length(text)).isEqualTo(text.length());
    }
    assertThat(made).containsExactly("a", "bb", "ccc", "bb");
  }

  @Test
  void keepsNothingThatFailed() {
    assertThatThrownBy(
            () ->
                cache.of(
                    "a",
                    asked -> {
                      throw new IllegalArgumentException(asked);
                    }))
        .hasMessage("a");
    assertThat(length("a")).isEqualTo(1);
  }
}
