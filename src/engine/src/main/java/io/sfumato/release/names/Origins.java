// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.schema.CountedName;
import io.sfumato.schema.NamesRelease;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * How names came to their lists, of whichever published lists have been read. A name that is public
 * when a block begins stands in the list of its first window, not as found; one that is found is
 * marked where it was. It stays public until the block ends.
 */
public final class Origins {
  private record Block(String subject, Instant since) {}

  private final Map<Block, Map<String, Origin>> names = new HashMap<>();

  /** Takes a list, or a part of one, in any order. */
  public void add(NamesRelease part) {
    boolean first = part.getWindowStart().equals(part.getSince());
    for (CountedName name : part.getNames()) {
      if (name.getFound()) {
        block(part).put(name.getName(), new Origin.FoundIn(part.getWindowStart(), name.getCount()));
      } else if (first) {
        block(part).put(name.getName(), new Origin.Before());
      }
    }
  }

  private Map<String, Origin> block(NamesRelease part) {
    return names.computeIfAbsent(
        new Block(part.getSubject(), part.getSince()), block -> new HashMap<>());
  }

  /** Of a name that stands in the list. */
  public Origin of(NamesRelease list, String name) {
    return names
        .getOrDefault(new Block(list.getSubject(), list.getSince()), Map.of())
        .getOrDefault(name, new Origin.Unknown());
  }
}
