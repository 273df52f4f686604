// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.draft;

import io.sfumato.noise.Framing;
import io.sfumato.noise.Incarnation;
import io.sfumato.noise.MacKey;
import io.sfumato.noise.NoiseKey;
import java.math.BigInteger;

/**
 * Names records by what they hold in a field, in whatever order they come: nobody without the key
 * can tell another one from it, or test a guess.
 */
final class RecordTag {
  private final String field;
  private final MacKey key;
  private BigInteger sum = BigInteger.ZERO;

  RecordTag(String field, NoiseKey key) {
    this.field = field;
    this.key = key.samples();
  }

  void add(String person, String value) {
    Framing record = new Framing().text("record").text(person).text(field).text(value);
    sum = sum.add(new BigInteger(1, key.sign(record)));
  }

  Incarnation tag() {
    Framing all = new Framing().text("sample").text(field).bytes(sum.toByteArray());
    return Incarnation.fromBytes(key.sign(all));
  }
}
