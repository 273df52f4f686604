// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.combine;

import io.sfumato.text.NearName;
import java.util.Collection;
import java.util.Optional;

/** What there is to choose from, in messages. */
final class Suggestions {
  private static final int MOST = 10;

  private Suggestions() {}

  /** Ten of them, and how many more there are. */
  static String list(Collection<String> texts) {
    String shown = String.join(", ", texts.stream().limit(MOST).map(Suggestions::quoted).toList());
    return texts.size() > MOST ? shown + " and %d more".formatted(texts.size() - MOST) : shown;
  }

  /** In quotes where a shell or a reader needs them. */
  static String quoted(String text) {
    return text.matches("[\\w.:-]+") ? text : "'" + text + "'";
  }

  /** A question that names the nearest of them; empty text if none is near. */
  static String question(String text, Collection<String> texts) {
    Optional<String> nearest = NearName.of(text, texts);
    return nearest.map(other -> " Did you mean %s?".formatted(quoted(other))).orElse("");
  }
}
