// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Population;
import io.sfumato.record.CanonicalName;
import io.sfumato.record.KeyFormat;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Names of made-up people and subjects. Where record keys are numbers or UUIDs, those that stand in
 * keys have such names: each of them one, and no two the same.
 */
final class MadeUpNames {
  /** All that scenes make up. */
  private static final List<String> MADE_UP = madeUp();

  private static final long FIRST_NUMBER = 1001;

  private final boolean ofUsers;
  private final boolean userInKey;
  private final boolean subjectInKey;

  /** Where keys are numbers or UUIDs: what stands in them for a made-up name. */
  private final Map<String, String> inKeys = new TreeMap<>();

  /**
   * @throws IllegalArgumentException if the file lists a subject that no key of its records can
   *     hold
   */
  MadeUpNames(Pipeline pipeline) {
    InputSpec input = pipeline.input();
    KeyFormat format = input.formats().keys();
    this.ofUsers = pipeline.population().isPresent();
    this.userInKey =
        pipeline.population().map(Population::user).filter(InputSpec::isKey).isPresent();
    this.subjectInKey = InputSpec.isKey(input.subject());
    List<String> listed = subjectInKey ? pipeline.listed() : List.of();
    for (String subject : listed) {
      if (!holds(format, subject)) {
        throw new IllegalArgumentException(
            "no record key of input.key-format %s can name the listed subject '%s': list subjects as keys spell them"
                .formatted(format.word(), subject));
      }
    }
    long number = FIRST_NUMBER;
    for (String name : MADE_UP) {
      while (listed.contains(Long.toString(number))) {
        number++;
      }
      inKeys.put(name, holds(format, name) ? name : other(format, name, number++));
    }
  }

  private static List<String> madeUp() {
    List<String> names = new ArrayList<>(List.of(Scenes.TARGET, RandomScene.NOBODY));
    names.addAll(ScenarioSetting.OTHERS);
    names.addAll(ScenarioSetting.WARDS);
    return names;
  }

  /** Whether a key can have this name; those with fields hold any text. */
  private static boolean holds(KeyFormat format, String name) {
    return switch (format) {
      case TEXT, JSON, JSON_SCHEMA, AVRO, PROTOBUF -> true;
      case INT -> isWhole(name) && Long.parseLong(name) == (int) Long.parseLong(name);
      case LONG -> isWhole(name);
      case UUID -> CanonicalName.ofUuid(name).equals(Optional.of(name));
    };
  }

  private static boolean isWhole(String name) {
    try {
      return CanonicalName.ofNumber(Long.parseLong(name)).equals(name);
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static String other(KeyFormat format, String name, long number) {
    return format == KeyFormat.UUID
        ? UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString()
        : CanonicalName.ofNumber(number);
  }

  /** Of a user. */
  String user(String name) {
    return userInKey ? inKeys.getOrDefault(name, name) : name;
  }

  /** Of a subject, listed or made up. */
  String subject(String name) {
    return subjectInKey ? inKeys.getOrDefault(name, name) : name;
  }

  /** Of whoever is protected: a user, or a subject where subjects are users. */
  String doer(String name) {
    return ofUsers ? user(name) : subject(name);
  }
}
