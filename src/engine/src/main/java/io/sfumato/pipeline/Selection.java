// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.random.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Records of users that are kept together until a window closes.
 *
 * @param input which records they are, and by which category
 * @param windows how many of the file's windows one window of theirs has, at least 1
 */
public record Selection(InputSpec input, int windows) {
  /** What states call the selection of the file's input. */
  public static final int OF_FILE = 1;

  /**
   * What states call it, whatever its place in the file is, and whatever categories are appended:
   * so versions may add, drop and reorder outputs.
   *
   * @param alike how many selections before it are about the same
   * @return above {@link #OF_FILE}; two of one file are equal by chance once in 2^31
   */
  int id(int alike) {
    return id(
        input.where().canonical() + "|" + input.categoryFields() + "|" + windows + "|" + alike);
  }

  static int id(String text) {
    byte[] digest = Sha256.of(text.getBytes(StandardCharsets.UTF_8));
    return OF_FILE + 1 + Math.floorMod(ByteBuffer.wrap(digest).getInt(), Integer.MAX_VALUE - 4);
  }

  /** Whether both are about the same records, categories and windows. */
  boolean isAbout(Selection other) {
    return input.where().canonical().equals(other.input.where().canonical())
        && input.categoryFields().equals(other.input.categoryFields())
        && windows == other.windows;
  }

  /**
   * In which of the file's windows an event is decided: the last one of its own window, so that a
   * day is decided with its last hour.
   *
   * @param window of the file
   * @return start of that window
   */
  public long decidedIn(WindowSpec window, long time) {
    if (windows == 1) {
      return window.startOf(time);
    }
    WindowSpec own = window.times(windows);
    return window.startOf(own.endOf(own.startOf(time)) - 1);
  }
}
