// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.http;

import java.util.function.Supplier;

/**
 * What one path answers.
 *
 * @param type its media type
 * @param isPublic whether it needs no token
 * @param answer made for each request
 */
public record Content(String type, boolean isPublic, Supplier<Answer> answer) {
  /**
   * One answer.
   *
   * @param status of HTTP
   * @param body of the declared type
   */
  public record Answer(int status, byte[] body) {}
}
