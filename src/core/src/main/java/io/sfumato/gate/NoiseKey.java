// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The derived keys of one secret. For every release it gives one stream of randomness, always the
 * same: ChaCha20 under HMAC-SHA256(noise key, release id, digest of the input).
 */
public final class NoiseKey {
  /** What a {@link #logTag} looks like. */
  public static final String LOG_TAG = "[0-9a-f]{16}";

  private final Hmac noise;
  private final Hmac log;
  private final String tag;
  private final NoiseSecret secret;

  NoiseKey(byte[] noise, byte[] log, byte[] fingerprint, NoiseSecret secret) {
    this.secret = secret;
    this.noise = new Hmac(noise);
    this.log = new Hmac(log);
    byte[] mac = Hkdf.hmac(fingerprint, "sfumato noise key".getBytes(StandardCharsets.UTF_8));
    this.tag = HexFormat.of().formatHex(Arrays.copyOf(mac, 8));
  }

  /** Identifies the key in outputs without revealing anything about it: 16 hexadecimal digits. */
  public String tag() {
    return tag;
  }

  /**
   * What signs the ticks of one budget.
   *
   * @param budget its name
   */
  public TickKey tickKey(String budget) {
    return secret.tickKey(budget);
  }

  /**
   * What signs entries about somebody in the registry.
   *
   * @param owner whom they are about: a budget or a pipeline, with the kind before the name
   */
  public MacKey entriesOf(String owner) {
    return secret.entriesOf(owner);
  }

  /**
   * What encrypts the charge counts of a budget in its registry.
   *
   * @param budget its name
   */
  public SealKey countsOf(String budget) {
    return secret.countsOf(budget);
  }

  /**
   * The randomness of one release.
   *
   * @param inputDigest SHA-256 of the mechanism's exact input and parameters, 32 bytes. A defence
   *     in depth: the same noise on another input would show the exact difference.
   */
  KeyedRandom forRelease(ReleaseId id, byte[] inputDigest) {
    if (inputDigest.length != 32) {
      throw new IllegalArgumentException("a digest has 32 bytes, found " + inputDigest.length);
    }
    CanonicalEncoder encoder = new CanonicalEncoder();
    id.encode(encoder);
    encoder.bytes(inputDigest);
    return KeyedRandom.ofKey(noise.of(encoder.toBytes()));
  }

  /**
   * The rank of a record among those of its dataset: a keyed hash of its place in the log, so that
   * a sample of the smallest ranks is uniform, and nobody without the key can choose to be in it.
   *
   * @param topic of the record
   * @param partition of the record, from 0
   * @param offset of the record, from 0
   */
  public long rank(String topic, int partition, long offset) {
    return rank(topic, partition, offset, 0);
  }

  /**
   * The rank of one item of a record, likewise: that of the first is the record's.
   *
   * @param topic of the record
   * @param partition of the record, from 0
   * @param offset of the record, from 0
   * @param item place in the record's array, from 0
   */
  public long rank(String topic, int partition, long offset, int item) {
    CanonicalEncoder place = new CanonicalEncoder().text(topic).number(partition).number(offset);
    if (item > 0) {
      place.number(item);
    }
    return ByteBuffer.wrap(log.of(place.toBytes())).getLong();
  }

  /**
   * The rank of a subject among those that one user's records of a window belong to: a keyed hash
   * of the three, which depends on nothing else.
   *
   * @param user whose records they are
   * @param windowStart milliseconds since 1970
   * @param subject that is ranked
   */
  public long rank(String user, long windowStart, String subject) {
    byte[] place =
        new CanonicalEncoder()
            .text("subject of a user")
            .text(user)
            .number(windowStart)
            .text(subject)
            .toBytes();
    return ByteBuffer.wrap(log.of(place)).getLong();
  }

  /**
   * The rank of an event among those of one user's, or one subject's, window: a keyed hash of its
   * id, so that copies of the event have one rank, wherever they are in the log, and nobody without
   * the key can choose to be counted.
   *
   * @param user whose event it is, or the subject where records are protected one by one
   * @param windowStart milliseconds since 1970
   * @param id of the event
   * @param item place in the event's array, from 0
   */
  public long rankOfEvent(String user, long windowStart, String id, int item) {
    byte[] event =
        new CanonicalEncoder()
            .text("event of a user")
            .text(user)
            .number(windowStart)
            .text(id)
            .number(item)
            .toBytes();
    return ByteBuffer.wrap(log.of(event)).getLong();
  }

  /**
   * Names a release in logs and commands: a keyed hash of its id, which nobody without the key can
   * lead back to a subject. 16 hexadecimal digits.
   */
  public String logTag(ReleaseId id) {
    CanonicalEncoder encoder = new CanonicalEncoder().text("release id");
    id.encode(encoder);
    return HexFormat.of().formatHex(Arrays.copyOf(log.of(encoder.toBytes()), 8));
  }

  @Override
  public String toString() {
    return "NoiseKey[" + tag + "]";
  }
}
