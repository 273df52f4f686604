// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.noise.ReleaseId;
import io.sfumato.topology.DatasetStore.Dataset;

/** How one output is drawn of closed datasets. The topology charges before it asks. */
interface Drawer {
  /** Number of charged draws of one dataset. */
  int draws();

  /** Prepares the draws of one dataset; called once the first is charged. */
  Draws of(Dataset dataset);

  /** The draws of one dataset. */
  interface Draws {
    /** Draws what {@code id} names, and writes it down. */
    byte[] draw(ReleaseId id);
  }
}
