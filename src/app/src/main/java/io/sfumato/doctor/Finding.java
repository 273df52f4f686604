// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

/**
 * One thing that was looked at.
 *
 * @param severity how bad it is
 * @param subject what was looked at
 * @param found what was found
 * @param fix what to do; empty if nothing
 */
public record Finding(Severity severity, String subject, String found, String fix) {
  /** From good to bad. */
  public enum Severity {
    OK,
    /** Works, but somebody should know. */
    WARNING,
    /** A guarantee, a release or a secret could be lost. */
    PROBLEM
  }

  static Finding ok(String subject, String found) {
    return new Finding(Severity.OK, subject, found, "");
  }

  static Finding warning(String subject, String found, String fix) {
    return new Finding(Severity.WARNING, subject, found, fix);
  }

  static Finding problem(String subject, String found, String fix) {
    return new Finding(Severity.PROBLEM, subject, found, fix);
  }
}
