// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

/**
 * How long what comes from outside may be: readers refuse more, and the bounds of entries, rows and
 * outputs count on it.
 */
public final class FieldLimits {
  /** Longest subject or user, in bytes of UTF-8. */
  public static final int SUBJECT = 256;

  /** Longest name of a category that nobody listed, in bytes of UTF-8. */
  public static final int NAME = 256;

  /** Longest id of a query, in bytes: its characters take one each. */
  public static final int QUERY_ID = 64;

  /** Most parameters of a candidate. */
  public static final int PARAMETERS = 100;

  /** Most events of a subject's window that are told apart where no user's records are bounded. */
  public static final int EVENTS = 10_000;

  private FieldLimits() {}
}
