// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.files;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * As whom a process runs.
 *
 * @param user its number
 * @param groups the numbers of all groups that it is in, the primary one too
 */
record Account(long user, Set<Long> groups) {
  private static final Path STATUS = Path.of("/proc/self/status");

  /** Behind the real user and group. */
  private static final int EFFECTIVE = 1;

  Account {
    groups = Set.copyOf(groups);
  }

  /** That of this process. */
  static Account ofThisProcess() {
    try {
      return of(Files.readAllLines(STATUS));
    } catch (IOException e) {
      return ofSystem(); // no Linux
    }
  }

  /**
   * As Linux states it. Java asks for the user's entry in /etc/passwd, and takes a user who has
   * none for root.
   */
  static Account of(List<String> status) {
    Set<Long> groups = new TreeSet<>(numbers(status, "Groups:"));
    groups.add(numbers(status, "Gid:").get(EFFECTIVE));
    return new Account(numbers(status, "Uid:").get(EFFECTIVE), groups);
  }

  private static List<Long> numbers(List<String> status, String field) {
    return status.stream()
        .filter(line -> line.startsWith(field))
        .flatMap(line -> Arrays.stream(line.substring(field.length()).trim().split("\\s+")))
        .filter(number -> !number.isEmpty())
        .map(Long::valueOf)
        .toList();
  }

  private static Account ofSystem() {
    UnixSystem system = new UnixSystem();
    Set<Long> groups = new TreeSet<>();
    groups.add(system.getGid());
    long[] others = system.getGroups();
    if (others != null) { // as it is where the process is in no other group
      Arrays.stream(others).forEach(groups::add);
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
