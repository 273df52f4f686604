// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.console.Progress;
import io.sfumato.console.Terminal;
import io.sfumato.ledger.ProgressListener;

/** Draws how far long work is, as a bar each. */
final class ProgressStages implements ProgressListener {
  @Override
  public Stage begin(String what, long total) {
    Progress bar = new Progress(Terminal.forProgress(), what, total);
    return new Stage() {
      @Override
      public void at(long done) {
        bar.at(done);
      }

      @Override
      public void close() {
        bar.close();
      }
    };
  }
}
