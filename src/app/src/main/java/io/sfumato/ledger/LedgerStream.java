// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.LedgerImage;

/** Ledgers that pass by, one at a time: there may be more than fit into memory. */
public interface LedgerStream {
  /** Lets every ledger pass. */
  void forEach(Reader reader) throws RefusedException;

  /** Takes one ledger. */
  interface Reader {
    /** Takes one line, in the order of the file. */
    void accept(LedgerImage.Line line) throws RefusedException;
  }
}
