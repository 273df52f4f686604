// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;

/** What callers show: as a bearer token, or, since browsers ask for one, as a password. */
public final class AccessToken {
  /** Shorter ones could be guessed. */
  public static final int LEAST_LENGTH = 16;

  /** What one looks like, for messages. */
  public static final String LOOK =
      "an access token has at least "
          + LEAST_LENGTH
          + " characters, all of them visible ASCII; make one with: openssl rand -hex 16";

  private static final String BEARER = "bearer";
  private static final String BASIC = "basic";

  private final byte[] token;

  /**
   * @throws IllegalArgumentException if it is too short or has blanks
   */
  public AccessToken(String token) {
    if (token.length() < LEAST_LENGTH || !token.chars().allMatch(c -> c > ' ' && c < 127)) {
      throw new IllegalArgumentException(LOOK);
    }
    this.token = token.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Whether a header {@code Authorization} shows it.
   *
   * @param header null if there is none
   */
  boolean isShownBy(String header) {
    if (header == null) {
      return false;
    }
    // The scheme may be written in either case.
    int blank = header.indexOf(' ');
    String scheme = blank < 0 ? "" : header.substring(0, blank).toLowerCase(Locale.ROOT);
    String shown = header.substring(blank + 1).strip();
    if (scheme.equals(BEARER)) {
      return is(shown.getBytes(StandardCharsets.UTF_8));
    }
    if (scheme.equals(BASIC)) {
      try {
        String pair = new String(Base64.getDecoder().decode(shown), StandardCharsets.UTF_8);
        return is(pair.substring(pair.indexOf(':') + 1).getBytes(StandardCharsets.UTF_8));
      } catch (IllegalArgumentException e) {
        return false;
      }
    }
    return false;
  }

  /** In a time that does not depend on where they differ. */
  private boolean is(byte[] shown) {
    return MessageDigest.isEqual(token, shown);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AccessToken access && is(access.token);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(token);
  }

  @Override
  public String toString() {
    return "AccessToken[...]";
  }
}
