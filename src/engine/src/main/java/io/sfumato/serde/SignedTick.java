// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.gate.TickKey;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A tick as it stands in a header of a records' topic: {@code
 * TIME;BUDGET;KEYTAG;TOPIC;PARTITION;MAC} in plain text, so that any client can send what {@code
 * sfumato tick --print} wrote.
 *
 * @param time event time, milliseconds since 1970
 * @param budget whose clock it moves
 * @param keyTag of the key that signed it
 * @param topic that it holds for
 * @param partition of that topic
 * @param mac over budget, topic, partition and time
 */
public record SignedTick(
    long time, String budget, String keyTag, String topic, int partition, String mac) {
  /** Between the parts; in no time and no name. */
  private static final String BETWEEN = ";";

  /** More than any signed tick has. */
  private static final int LONGEST = 512;

  private static final int PARTS = 6;

  /** The tick that a key signs. */
  public static SignedTick by(TickKey key, String topic, int partition, long time) {
    return new SignedTick(
        time, key.budget(), key.tag(), topic, partition, key.mac(topic, partition, time));
  }

  /** Whether a header's text is meant to be signed. */
  public static boolean isMeant(String text) {
    return text.contains(BETWEEN);
  }

  /** The header's text. */
  public String text() {
    return String.join(
        BETWEEN,
        Instant.ofEpochMilli(time).toString(),
        budget,
        keyTag,
        topic,
        Integer.toString(partition),
        mac);
  }

  /** Inverse of {@link #text}; nothing if it has another form. */
  public static Optional<SignedTick> parse(String text) {
    if (text.length() > LONGEST) {
      return Optional.empty();
    }
    String[] parts = text.split(BETWEEN, -1);
    if (parts.length != PARTS
        || parts[1].isEmpty()
        || !parts[2].matches(TickKey.TAG)
        || parts[3].isEmpty()
        || !parts[5].matches(TickKey.MAC)) {
      return Optional.empty();
    }
    Optional<Long> time = EventReader.parseTime(parts[0]);
    OptionalInt partition = partition(parts[4]);
    return time.isEmpty() || partition.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new SignedTick(
                time.get(), parts[1], parts[2], parts[3], partition.getAsInt(), parts[5]));
  }

  private static OptionalInt partition(String text) {
    return text.matches("[0-9]{1,9}")
        ? OptionalInt.of(Integer.parseInt(text))
        : OptionalInt.empty();
  }

  /** Whether it names a key's budget and that very key. */
  public boolean names(TickKey key) {
    return budget.equals(key.budget()) && keyTag.equals(key.tag());
  }

  /** Whether a key has signed it for a partition of a topic. */
  public boolean isSignedBy(TickKey key, String forTopic, int forPartition) {
    return names(key)
        && topic.equals(forTopic)
        && partition == forPartition
        && key.verifies(topic, partition, time, mac);
  }
}
