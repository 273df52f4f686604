// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.ApiException;

/**
 * Errors of Kafka's clients in words that may be printed. What a cluster answers is told as it is;
 * what a client says when it is made may quote its settings, passwords among them: it is told
 * without their values or, where these are not known, by its kinds and the setting's name alone.
 */
public final class ClientErrors {
  private static final Pattern NAMED = Pattern.compile("\\bconfiguration ([a-z0-9._]+)");

  /** Without it no URL may be asked for tokens. */
  private static final String ALLOWED_URLS = "org.apache.kafka.sasl.oauthbearer.allowed.urls";

  private ClientErrors() {}

  /**
   * What happened, in Kafka's own words as far as they hold no value of a setting.
   *
   * @param settings that the client was made with
   */
  public static String words(Throwable thrown, KafkaSettings settings) {
    return words(thrown, settings.all());
  }

  static String words(Throwable thrown, Map<String, String> settings) {
    ValueFreeText text = new ValueFreeText(settings);
    Optional<String> explanation =
        Stream.iterate(thrown, Objects::nonNull, Throwable::getCause)
            .filter(ClientErrors::explains)
            .flatMap(cause -> text.of(cause.getMessage()).stream())
            .map(ClientErrors::named)
            // The last cause knows best.
            .reduce((outer, inner) -> inner);
    return explanation
        .filter(words -> !(isAnswer(thrown) && words.equals(thrown.getMessage())))
        .map(words -> "%s (%s)".formatted(words, words(thrown)))
        .orElseGet(() -> words(thrown));
  }

  /** Whether a client failed with an error that Kafka gives neither kind nor cause. */
  public static boolean isUnnamed(Throwable cause) {
    return cause.getClass() == KafkaException.class && cause.getCause() == null;
  }

  /** Whose messages are written for people: Kafka's, and of what it uses to prove who one is. */
  private static boolean explains(Throwable cause) {
    String kind = cause.getClass().getName();
    return kind.startsWith("org.apache.kafka.")
        || kind.startsWith("javax.security.")
        || cause instanceof GeneralSecurityException
        || isThrownByKafka(cause)
        || cause instanceof IOException;
  }

  /** Kafka names a system property of Java's here, and a file of the setting is simpler. */
  private static String named(String words) {
    if (words.contains(ALLOWED_URLS)) {
      return words + ": SFUMATO_JAVA_OPTIONS=-D" + ALLOWED_URLS + "=URL,... sets it";
    }
    return words.contains("'KafkaClient' entry in the JAAS configuration")
        ? "property 'sasl.jaas.config' is missing, and security.protocol needs it"
        : words;
  }

  /** Kafka explains some missing settings by exceptions of Java's own. */
  private static boolean isThrownByKafka(Throwable cause) {
    StackTraceElement[] places = cause.getStackTrace();
    return cause instanceof IllegalArgumentException
        && places.length > 0
        && places[0].getClassName().startsWith("org.apache.kafka.");
  }

  private static boolean isAnswer(Throwable thrown) {
    return thrown instanceof ApiException && !(thrown.getCause() instanceof ConfigException);
  }

  /** What happened, where the settings are not at hand. */
  public static String words(Throwable thrown) {
    if (isAnswer(thrown)) {
      return String.valueOf(thrown.getMessage());
    }
    Set<String> kinds = new LinkedHashSet<>();
    Stream.iterate(thrown, Objects::nonNull, Throwable::getCause)
        .forEach(cause -> kinds.add(kind(cause)));
    return String.join(", caused by ", kinds);
  }

  private static String kind(Throwable cause) {
    String kind = cause.getClass().getSimpleName();
    if (cause instanceof ConfigException) {
      Matcher named = NAMED.matcher(String.valueOf(cause.getMessage()));
      if (named.find() && ClientProperties.isKnown(named.group(1))) {
        return kind + " about " + named.group(1);
      }
    }
    return kind;
  }
}
