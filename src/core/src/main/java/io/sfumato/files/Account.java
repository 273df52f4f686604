// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.files;

import com.sun.security.auth.module.UnixSystem;
import java.util.Set;
import java.util.TreeSet;

/**
 * As whom a process runs.
 *
 * @param user its number
 * @param groups the numbers of all groups that it is in, the primary one too
 */
record Account(long user, Set<Long> groups) {
  Account {
    groups = Set.copyOf(groups);
  }

  /** That of this process. */
  static Account ofThisProcess() {
    UnixSystem system = new UnixSystem();
    Set<Long> groups = new TreeSet<>();
    groups.add(system.getGid());
    for (long group : system.getGroups()) {
      groups.add(group);
    }
    return new Account(system.getUid(), groups);
  }

  boolean isIn(long group) {
    return groups.contains(group);
  }

  @Override
  public String toString() {
    return "user " + user + ", groups " + new TreeSet<>(groups);
  }
}
