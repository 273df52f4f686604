// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import io.sfumato.ledger.Registry;
import io.sfumato.ledger.RegistryContents;
import java.util.Optional;

/** Whether a noise secret is the one that a budget runs with, or is to run with. */
final class KeyCheck {
  private static final String FIX =
      "give the budget's current secret; to change it, hand over from the old one: sfumato "
          + "activate FILE --secret-file NEW --former-secret-file OLD";

  private KeyCheck() {}

  /**
   * Compares tags.
   *
   * @param tag of the secret at hand
   * @param entries of the budget's registry, told apart by that secret
   * @param running tag of the key that the newest version works with, if one ran
   * @param announced tag of the key of a version that is to take over
   * @return what is wrong, if this secret would be refused
   */
  static Optional<Finding> of(
      String budget,
      String tag,
      RegistryContents entries,
      Optional<String> running,
      Optional<String> announced) {
    boolean handedOver = entries.mine().adopted();
    boolean isDue = announced.map(tag::equals).orElse(false);
    if (running.isPresent() && !running.get().equals(tag) && !(isDue && handedOver)) {
      return Optional.of(
          problem(
              "tag %s, but budget '%s' uses another secret, tag %s%s"
                  .formatted(
                      tag,
                      budget,
                      running.get(),
                      isDue ? ", and its registry entries were not handed over" : "")));
    }
    return running.isEmpty() && !handedOver && entries.others().adopted()
        ? Optional.of(
            problem(
                "tag %s, but the entries of %s were signed with another secret"
                    .formatted(tag, Registry.topicOf(budget))))
        : Optional.empty();
  }

  private static Finding problem(String found) {
    return Finding.problem("noise secret", found, FIX);
  }
}
