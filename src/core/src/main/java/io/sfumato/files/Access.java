// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Who may do what with a file or folder, as Unix keeps it.
 *
 * @param owner number of the user whom it belongs to
 * @param group number of the group that it belongs to
 * @param mode permission bits
 */
record Access(long owner, long group, int mode) {
  private static final long ROOT = 0;
  private static final int ALL_BITS = 07777;
  private static final int OTHERS = 07;
  private static final int GROUP = 070;

  /** To run a file is not to read it; where a folder may be searched, its files may be opened. */
  private static final int READ_OR_WRITE = 066;

  private static final int GROUP_WRITE = 020;

  /** What is asked about. */
  enum Kind {
    FILE("600"),
    FOLDER("700");

    private final String rights;

    Kind(String rights) {
      this.rights = rights;
    }
  }

  /** What stands in the file system; nothing where it knows no owners. */
  static Optional<Access> of(Path path) throws IOException {
    boolean known =
        path.getFileSystem().supportedFileAttributeViews().contains("unix")
            && Files.getFileStore(path).supportsFileAttributeView("posix");
    if (!known) {
      return Optional.empty();
    }
    Map<String, Object> found = Files.readAttributes(path, "unix:uid,gid,mode");
    return Optional.of(
        new Access(number(found, "uid"), number(found, "gid"), (int) number(found, "mode")));
  }

  private static long number(Map<String, Object> attributes, String name) {
    return Integer.toUnsignedLong((Integer) attributes.get(name));
  }

  /**
   * What is wrong with it as a place of secrets, and the command that mends it. One account may get
   * at it, this process's; root always can. A group may read it where root has given it to one of
   * the process's groups: so does Kubernetes mount secrets and volumes (fsGroup), whose owner a
   * process cannot be.
   */
  Optional<String> problem(Path path, Kind kind, Account process) {
    if (owner != ROOT && owner != process.user()) {
      return Optional.of(
          "%s belongs to user %d, who can read and replace it, and this process runs as %s; run it as that user, or: chown %d %s"
              .formatted(path, owner, process, process.user(), path));
    }
    int bits = kind == Kind.FILE ? mode & READ_OR_WRITE : mode;
    if ((bits & OTHERS) != 0) {
      return Optional.of(
          "%s is open to every user (mode %s); run: %s"
              .formatted(path, octal(), remedy(path, kind, process)));
    }
    if ((bits & GROUP) == 0) {
      return Optional.empty();
    }
    if (!isGranted(kind, process)) {
      return Optional.of(
          "%s is open to group %d (mode %s), and that is only right where it belongs to root and the group is one of the process's (%s); run: %s"
              .formatted(path, group, octal(), process, remedy(path, kind, process)));
    }
    if (kind == Kind.FILE && (bits & GROUP_WRITE) != 0) {
      return Optional.of(
          "%s can be written by group %d (mode %s); run: chmod g-w %s"
              .formatted(path, group, octal(), path));
    }
    return Optional.empty();
  }

  /** A folder of its own a process can close, a mounted file it may not be able to. */
  private boolean isGranted(Kind kind, Account process) {
    boolean closable = kind == Kind.FOLDER && owner == process.user();
    return owner == ROOT && process.isIn(group) && !closable;
  }

  /** Leaves the process its own access. */
  private String remedy(Path path, Kind kind, Account process) {
    if (owner == process.user()) {
      return "chmod %s %s".formatted(kind.rights, path);
    }
    return process.isIn(group)
        ? "chmod o-rwx %s".formatted(path)
        : "chown %d %s && chmod %s %s".formatted(process.user(), path, kind.rights, path);
  }

  private String octal() {
    return "%04o".formatted(mode & ALL_BITS);
  }
}
