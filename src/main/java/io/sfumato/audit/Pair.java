// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.topology.Draw;

/** One draw in two neighbouring runs. */
record Pair<D extends Draw>(D first, D second) {
  Pair<D> swapped() {
    return new Pair<>(second, first);
  }

  String subject() {
    return first.id().subject();
  }

  long windowStart() {
    return first.id().windowStart();
  }
}
