// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.draft;

import java.util.List;
import java.util.Optional;

/**
 * Which field of a record is what.
 *
 * @param user whose privacy it is, where many users feed one subject
 * @param subject whose privacy it is elsewhere
 * @param time of the event
 * @param category what is counted
 */
public record Fields(Optional<String> user, String subject, String time, String category) {
  /** Whose privacy it is. */
  public String person() {
    return user.orElse(subject);
  }

  List<String> all() {
    return List.of(subject, time, category, person());
  }
}
