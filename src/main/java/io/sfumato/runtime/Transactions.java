// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.topology.setting.LocalState.Transaction;

/**
 * Knows which transactions were committed: those whose commit the producer acknowledged. Kafka
 * Streams has one producer a stream thread, and writes, begins, commits and aborts on that thread.
 */
final class Transactions {
  private final ThreadLocal<Outcome> current = ThreadLocal.withInitial(Outcome::new);

  private static final class Outcome implements Transaction {
    private volatile boolean committed;

    @Override
    public boolean isCommitted() {
      return committed;
    }
  }

  /** The one that this thread's next write will be part of, begun or not. */
  Transaction current() {
    return current.get();
  }

  /** Commits this thread's transaction; whatever it writes from here on is of the next one. */
  void commit(Runnable commit) {
    Outcome outcome = current.get();
    current.remove();
    commit.run();
    outcome.committed = true;
  }

  /** This thread's transaction is given up. */
  void giveUp() {
    current.remove();
  }
}
