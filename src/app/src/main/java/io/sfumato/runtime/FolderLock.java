// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.files.PrivateFolder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps a part of a data folder for one process: a second one would begin to write before Kafka's
 * own locks stop it, and harm the first. The operating system gives the lock back when the process
 * ends, however it ends.
 */
public final class FolderLock implements AutoCloseable {
  /** Whoever has this byte of the file has the part of the folder. */
  private static final long OWNER = 0;

  /** Kept with it, and looked at by those who only ask: they are never in an owner's way. */
  private static final long SIGN = 1;

  /**
   * What this process has: it may not even open such a file again, since a process loses its locks
   * of a file with the first of its channels that is closed.
   */
  private static final Set<Path> OWN = new HashSet<>();

  private final Path file;
  private final FileChannel channel;

  private FolderLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Takes a part of a folder, which is made if it is missing, for its owner alone.
   *
   * @param part what of it: a file name without its ending
   * @throws RefusedException if another process has it, or the folder cannot be written or is open
   *     to others
   */
  public static FolderLock acquire(Path folder, String part) throws RefusedException {
    return tryTake(folder, part)
        .orElseThrow(
            () ->
                new RefusedException(
                    ExitCode.REFUSED_FILE,
                    "'%s' in the folder %s is in use by another 'sfumato run': stop that one, or give another folder with --data"
                        .formatted(part, folder)));
  }

  /**
   * The same where somebody else may have it: nothing then.
   *
   * @throws RefusedException if the folder cannot be written or is open to others
   */
  public static Optional<FolderLock> tryTake(Path folder, String part) throws RefusedException {
    synchronized (OWN) {
      make(folder);
      Path file = file(folder, part);
      if (OWN.contains(file)) {
        return Optional.empty();
      }
      FolderLock lock = new FolderLock(file, open(folder, file));
      try {
        if (lock.channel.tryLock(OWNER, 1, false) != null) {
          lock.channel.lock(SIGN, 1, false); // behind those who look, which takes no time
          OWN.add(file);
          return Optional.of(lock);
        }
      } catch (IOException e) {
        lock.release();
        throw unwritable(folder);
      }
      lock.release();
      return Optional.empty();
    }
  }

  /** Whether a process has a part of a folder now. */
  static boolean isHeld(Path folder, String part) {
    synchronized (OWN) {
      Path file = file(folder, part);
      if (OWN.contains(file)) {
        return true;
      }
      // Shared, so that none of several who look takes another one for the owner.
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
          FileLock free = channel.tryLock(SIGN, 1, true)) {
        return free == null;
      } catch (IOException e) {
        return false; // nobody could have taken it
      }
    }
  }

  /** The same for each name of the folder. */
  private static Path file(Path folder, String part) {
    try {
      return folder.toRealPath().resolve(part + ".lock");
    } catch (IOException e) {
      return folder.toAbsolutePath().normalize().resolve(part + ".lock");
    }
  }

  private static void make(Path folder) throws RefusedException {
    try {
      PrivateFolder.make(folder);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          e.getMessage()
              + " (state, and the log of an embedded broker, are raw data; in Kubernetes give a"
              + " folder in the volume, and fsGroupChangePolicy: OnRootMismatch)");
    } catch (IOException e) {
      throw unwritable(folder);
    }
  }

  private static FileChannel open(Path folder, Path file) throws RefusedException {
    try {
      return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw unwritable(folder);
    }
  }

  private static RefusedException unwritable(Path folder) {
    return new RefusedException(
        ExitCode.REFUSED_FILE,
        "cannot write into folder %s: make it writable, or give another folder with --data DIR"
            .formatted(folder));
  }

  @Override
  public void close() {
    synchronized (OWN) {
      if (channel.isOpen()) {
        OWN.remove(file);
        release();
      }
    }
  }

  private void release() {
    try {
      channel.close();
    } catch (IOException e) {
      // The lock goes with the process at the latest.
    }
  }
}
