// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which field of a record is what.
 *
 * @param user whose privacy it is, where many users feed one subject
 * @param subject whose privacy it is elsewhere
 * @param time of the event
 * @param category what is counted: a field, or several together
 */
public record FieldRoles(
    Optional<String> user, String subject, String time, List<String> category) {
  public FieldRoles {
    category = List.copyOf(category);
  }

  /** Whose privacy it is. */
  public String person() {
    return user.orElse(subject);
  }

  /** What is counted, for a sentence. */
  public String counted() {
    return category.stream().collect(Collectors.joining("' and '", "'", "'"))
        + (category.size() > 1 ? " together" : "");
  }

  /** Those that hold names. */
  public List<String> named() {
    return Stream.concat(Stream.of(subject, person()), category.stream()).distinct().toList();
  }

  List<String> all() {
    return Stream.of(List.of(subject, time), category, List.of(person()))
        .flatMap(List::stream)
        .toList();
  }
}
