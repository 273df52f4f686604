// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The topics that records come from: those that a file lists, or all that its pattern matched when
 * a version started.
 *
 * @param names of the topics, in the order in which they joined; none before a pattern is resolved
 * @param pattern regular expression that whole names match; nothing where the file lists them
 */
public record InputTopics(List<String> names, Optional<String> pattern) {
  /** Most topics of a pipeline. */
  public static final int MOST = 100;

  /** Characters that stand for themselves, each without a quantifier behind it. */
  private static final Pattern LITERAL = Pattern.compile("(?:[a-zA-Z0-9_-](?![*?+{]))+");

  /** Names that a message lists. */
  private static final int SHOWN = 5;

  public InputTopics {
    names = List.copyOf(names);
  }

  /** Those that a file lists. */
  public static InputTopics of(List<String> names) {
    return new InputTopics(names, Optional.empty());
  }

  /** Those that a pattern will match. */
  public static InputTopics matching(String pattern) {
    return new InputTopics(List.of(), Optional.of(pattern));
  }

  /** The same with the topics that its pattern stands for. */
  public InputTopics resolved(List<String> found) {
    return new InputTopics(found, pattern);
  }

  /** Whether the topics are not known yet. */
  public boolean isUnresolved() {
    return names.isEmpty();
  }

  /** The topic, where there is one alone. */
  public Optional<String> only() {
    return names.size() == 1 ? Optional.of(names.get(0)) : Optional.empty();
  }

  /** Whether a version of the file may read a topic of this name. */
  public boolean include(String topic) {
    return pattern
        .map(regex -> Pattern.matches(regex, topic))
        .orElseGet(() -> names.contains(topic));
  }

  /** How the names begin that a pattern matches, empty if it does not say; nothing without one. */
  public Optional<String> prefix() {
    return pattern.map(
        regex -> {
          Matcher literal = LITERAL.matcher(regex);
          String found = literal.lookingAt() ? literal.group() : "";
          return regex.indexOf('|') >= 0 ? "" : found;
        });
  }

  /** For messages, as {@code topic clicks} or {@code topics clicks-eu, clicks-us}. */
  public String phrase() {
    return names.size() == 1 ? "topic " + words() : isUnresolved() ? words() : "topics " + words();
  }

  /** The same in quotes. */
  public String quoted() {
    return isUnresolved()
        ? words()
        : (names.size() == 1 ? "topic " : "topics ") + "'" + words() + "'";
  }

  /** Their names for messages, without more of them than people read. */
  public String words() {
    if (isUnresolved()) {
      return "topics that match '" + pattern.orElse("") + "'";
    }
    String shown = names.stream().limit(SHOWN).collect(Collectors.joining(", "));
    return names.size() > SHOWN ? shown + " and " + (names.size() - SHOWN) + " more" : shown;
  }

  /** As digests have it: what the file says, whatever a pattern stands for. */
  String canonical() {
    return pattern
        .map(regex -> "pattern " + regex)
        .orElseGet(() -> names.size() == 1 ? names.get(0) : CanonicalText.of(names));
  }
}
