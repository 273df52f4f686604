// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import io.sfumato.random.CanonicalEncoder;
import java.util.HexFormat;

/**
 * Signs the ticks of one budget: who holds it commands the clock, and can do nothing else. Derived
 * from the noise secret, which it says nothing about.
 */
public final class TickKey {
  /** What a {@link #tag} looks like. */
  public static final String TAG = "[0-9a-f]{16}";

  /** What a {@link #mac} looks like: 128 bits. */
  public static final String MAC = "[0-9a-f]{32}";

  private static final int KEY_BYTES = 32;
  private static final int MAC_BYTES = 16;
  private static final int TAG_DIGITS = 16;

  /** First word of a key's text. */
  private static final String WORD = "sfumato-tick-key";

  private final String budget;
  private final byte[] key;
  private final MacKey signer;
  private final String tag;

  private TickKey(String budget, byte[] key) {
    this.budget = budget;
    this.key = key.clone();
    this.signer = new MacKey(key, MAC_BYTES);
    this.tag = hex(new CanonicalEncoder().text("sfumato tick key")).substring(0, TAG_DIGITS);
  }

  /**
   * The key of one budget.
   *
   * @param secret the noise secret, 32 bytes
   */
  static TickKey derive(byte[] secret, String budget) {
    return new TickKey(budget, Hkdf.derive(secret, "sfumato/tick/" + budget));
  }

  /** The budget whose clocks it moves. */
  public String budget() {
    return budget;
  }

  /** Identifies the key without revealing anything about it: 16 hexadecimal digits. */
  public String tag() {
    return tag;
  }

  /**
   * The signature of one tick, over a canonical encoding of what the tick is for: copied into
   * another topic or partition it holds for nobody.
   *
   * @param topic that the tick is written to
   * @param partition of that topic, from 0
   * @param time event time, milliseconds since 1970
   * @return 32 hexadecimal digits
   */
  public String mac(String topic, int partition, long time) {
    return hex(facts(topic, partition, time));
  }

  /**
   * Whether a signature is this key's, in a time that does not depend on where it differs.
   *
   * @param topic that the tick was read from
   * @param partition of that topic, from 0
   * @param time of the tick, milliseconds since 1970
   * @param mac the signature
   */
  public boolean verifies(String topic, int partition, long time, String mac) {
    return mac.matches(MAC)
        && signer.verifies(facts(topic, partition, time), HexFormat.of().parseHex(mac));
  }

  private String hex(CanonicalEncoder facts) {
    return HexFormat.of().formatHex(signer.sign(facts));
  }

  private CanonicalEncoder facts(String topic, int partition, long time) {
    return new CanonicalEncoder()
        .text("sfumato tick")
        .text(budget)
        .text(topic)
        .number(partition)
        .number(time);
  }

  /** The key as text, for a file of its own. */
  public String text() {
    return WORD + " " + budget + " " + HexFormat.of().formatHex(key) + "\n";
  }

  /**
   * Inverse of {@link #text}.
   *
   * @param text with or without white space around it
   * @throws IllegalArgumentException if it is no tick key; the message never holds the text
   */
  public static TickKey parse(String text) {
    String[] words = text.strip().split(" ", -1);
    if (words.length != 3
        || !words[0].equals(WORD)
        || words[1].isEmpty()
        || !words[2].matches("[0-9a-f]{" + 2 * KEY_BYTES + "}")) {
      throw new IllegalArgumentException(
          "holds no tick key; write one with 'sfumato tick-key FILE KEYFILE'");
    }
    return new TickKey(words[1], HexFormat.of().parseHex(words[2]));
  }

  @Override
  public String toString() {
    return "TickKey[" + budget + ", " + tag + "]";
  }
}
