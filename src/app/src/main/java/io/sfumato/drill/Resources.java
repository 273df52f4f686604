// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.drill;

import java.util.ArrayDeque;
import java.util.Deque;

/** What RocksDB holds outside the heap, closed in the opposite order of its opening. */
final class Resources implements AutoCloseable {
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  <T extends AutoCloseable> T open(T resource) {
    opened.push(resource);
    return resource;
  }

  @Override
  public void close() {
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException("closing what RocksDB holds failed", e);
      }
    }
  }
}
