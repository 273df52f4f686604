// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.topology.context.LocalCopy;
import io.sfumato.topology.context.LocalState;

/** Local state whose clock and transactions a test has in its hands. */
class Tested implements LocalState {
  long now = 1_000_000;
  long oldest = 1_000;
  Outcome current = new Outcome();
  int open;

  static final class Outcome implements Transaction {
    boolean committed;

    @Override
    public boolean isCommitted() {
      return committed;
    }
  }

  @Override
  public Transaction transaction() {
    return current;
  }

  @Override
  public long now() {
    return now;
  }

  @Override
  public boolean isTooOld(long upToDate) {
    return now - upToDate > oldest;
  }

  @Override
  public void opened(LocalCopy copy) {
    open++;
  }

  @Override
  public void closed(LocalCopy copy) {
    open--;
  }

  @Override
  public void requireUpToDate() {}
}
