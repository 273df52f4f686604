// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

/** Hears how far long work is. */
public interface ProgressListener {
  /**
   * Work begins.
   *
   * @param what in a word or two
   * @param total of whatever is counted
   */
  Stage begin(String what, long total);

  /** One kind of work, until it is closed. */
  interface Stage extends AutoCloseable {
    /**
     * So much of it is done.
     *
     * @param done 0 to the total
     */
    void at(long done);

    @Override
    void close();
  }

  /** Nobody hears. */
  static ProgressListener silent() {
    return (what, total) ->
        new Stage() {
          @Override
          public void at(long done) {
            // Nobody hears.
          }

          @Override
          public void close() {
            // Nobody hears.
          }
        };
  }
}
