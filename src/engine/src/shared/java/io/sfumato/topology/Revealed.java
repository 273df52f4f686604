// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.gate.Secret;
import java.util.concurrent.atomic.AtomicReference;

/** Exact data as a test sees them: by a query with a side effect, which no other code may have. */
final class Revealed {
  private Revealed() {}

  static <S> S of(Secret<S> secret) {
    AtomicReference<S> seen = new AtomicReference<>();
    secret.map(
        exact -> {
          seen.set(exact);
          return exact;
        });
    return seen.get();
  }
}
