// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.config.SaslConfigs;

/**
 * What Kafka's clients say of their settings, without the settings' values. Kafka explains its
 * errors well, and quotes: a password may stand in the middle of a sentence.
 */
final class ValueFreeText {
  private static final Pattern INVALID =
      Pattern.compile("(?s)^Invalid value .* for configuration ([A-Za-z0-9._-]+)(?:: (.*))?$");

  /** Between words of a sentence, and of an entry of settings. */
  private static final Pattern BETWEEN = Pattern.compile("[\\s\"'=;,()\\[\\]{}<>]+");

  /** Names of options in an entry of settings: not secret themselves. */
  private static final Pattern OPTION = Pattern.compile("([A-Za-z0-9._-]+)\\s*=");

  /** Words of Kafka's own that are values, too. */
  private static final Pattern VOCABULARY = Pattern.compile("[A-Z0-9_-]{0,20}|[a-z]{0,12}|[0-9.]+");

  private static final int LONGEST = 600;

  private final Map<String, String> settings;

  /** Parts of secret values; a sentence with one of them is not told at all. */
  private final Set<String> secrets;

  /**
   * @param settings by name, as a user gave them
   */
  ValueFreeText(Map<String, String> settings) {
    this.settings = settings;
    this.secrets =
        settings.entrySet().stream()
            .filter(entry -> ClientProperties.holdsSecret(entry.getKey(), entry.getValue()))
            .flatMap(entry -> parts(entry.getKey(), entry.getValue()))
            .collect(Collectors.toSet());
  }

  private static Stream<String> parts(String name, String value) {
    Set<String> parts = new HashSet<>(Arrays.asList(BETWEEN.split(value)));
    parts.add(value.strip());
    if (name.endsWith(SaslConfigs.SASL_JAAS_CONFIG)) {
      Matcher option = OPTION.matcher(value);
      while (option.find()) {
        parts.remove(option.group(1));
      }
      // The class and its flag stand first.
      BETWEEN.splitAsStream(value.strip()).limit(2).forEach(parts::remove);
    }
    return parts.stream().flatMap(part -> Stream.of(part, bare(part))).filter(p -> !p.isEmpty());
  }

  /** A sentence without values; nothing if it may tell a secret, or says nothing. */
  Optional<String> of(String sentence) {
    if (sentence == null || sentence.isBlank() || sentence.length() > LONGEST) {
      return Optional.empty();
    }
    Matcher invalid = INVALID.matcher(sentence);
    String text =
        invalid.matches()
            ? "configuration %s is not valid%s"
                .formatted(
                    invalid.group(1), invalid.group(2) == null ? "" : ": " + invalid.group(2))
            : sentence;
    if (tellsSecret(text)) {
      return Optional.empty();
    }
    return Optional.of(named(text).strip().replaceFirst("[.\\s]+$", ""));
  }

  private boolean tellsSecret(String text) {
    return secrets.stream().anyMatch(secret -> secret.length() > 3 && text.contains(secret))
        || BETWEEN
            .splitAsStream(text)
            .anyMatch(word -> secrets.contains(word) || secrets.contains(bare(word)));
  }

  private static String bare(String word) {
    return word.replaceFirst("[.:!?]+$", "");
  }

  /** Values that are no words of Kafka's give way to the names of their settings. */
  private String named(String sentence) {
    String text = sentence;
    for (Map.Entry<String, String> setting :
        settings.entrySet().stream()
            .sorted(Comparator.comparingInt(entry -> -entry.getValue().length()))
            .toList()) {
      String value = setting.getValue().strip();
      if (!VOCABULARY.matcher(value).matches()) {
        text = text.replace(value, "(the value of %s)".formatted(setting.getKey()));
      }
    }
    return text;
  }
}
