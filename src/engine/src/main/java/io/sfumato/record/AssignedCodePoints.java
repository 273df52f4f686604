// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.record;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;

/**
 * Code points that Unicode 13.0 assigns. Their normal forms never change (Unicode's stability
 * policy). The normal form of any other code point could change with the JDK.
 */
final class AssignedCodePoints {
  /** Ranges of hexadecimal numbers, one a line, from the character database of Unicode 13.0. */
  private static final String RANGES = "unicode-13-assigned.txt";

  private static final BitSet ASSIGNED = read();

  private AssignedCodePoints() {}

  static boolean contain(int codePoint) {
    return ASSIGNED.get(codePoint);
  }

  private static BitSet read() {
    BitSet assigned = new BitSet(Character.MAX_CODE_POINT + 1);
    try (InputStream in = AssignedCodePoints.class.getResourceAsStream(RANGES);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] ends = line.split("-");
        int first = Integer.parseInt(ends[0], 16);
        int last = Integer.parseInt(ends[ends.length - 1], 16);
        assigned.set(first, last + 1);
      }
      return assigned;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + RANGES, e);
    }
  }
}
