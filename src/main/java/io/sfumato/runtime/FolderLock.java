// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.files.PrivateFolder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps a part of a data folder for one process: a second one would begin to write before Kafka's
 * own locks stop it, and harm the first. The operating system gives the lock back when the process
 * ends, however it ends.
 */
public final class FolderLock implements AutoCloseable {
  /** By this process: whoever opened such a file to look would give the lock back by closing it. */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final FileChannel channel;
  private Optional<Path> held = Optional.empty();

  private FolderLock(FileChannel channel) {
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
    FolderLock lock = new FolderLock(open(folder, part));
    try {
      if (lock.channel.tryLock() != null) {
        lock.held = Optional.of(file(folder, part).toRealPath());
        HELD.add(lock.held.get());
        return Optional.of(lock);
      }
    } catch (OverlappingFileLockException e) {
      // This process has it.
    } catch (IOException e) {
      lock.close();
      throw unwritable(folder);
    }
    lock.close();
    return Optional.empty();
  }

  /**
   * Whether a process has a part of a folder now. Looks with a lock that is shared, so that none of
   * several who look takes another one for the holder.
   */
  static synchronized boolean isHeld(Path folder, String part) {
    try {
      Path file = file(folder, part).toRealPath();
      return HELD.contains(file) || isHeldElsewhere(file);
    } catch (IOException e) {
      return false; // nobody could have taken it
    }
  }

  private static boolean isHeldElsewhere(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        FileLock free = channel.tryLock(0, Long.MAX_VALUE, true)) {
      return free == null;
    } catch (OverlappingFileLockException e) {
      return false; // by a thread that is about to take it
    }
  }

  private static Path file(Path folder, String part) {
    return folder.resolve(part + ".lock");
  }

  private static FileChannel open(Path folder, String part) throws RefusedException {
    try {
      PrivateFolder.make(folder);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          e.getMessage()
              + " (state, and the log of an embedded broker, are raw data; in Kubernetes give a folder"
              + " in the volume, and fsGroupChangePolicy: OnRootMismatch)");
    } catch (IOException e) {
      throw unwritable(folder);
    }
    try {
      return FileChannel.open(
          file(folder, part), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw unwritable(folder);
    }
  }

  private static RefusedException unwritable(Path folder) {
    return new RefusedException(
        ExitCode.REFUSED_FILE,
        "cannot write into the folder %s: give another with --data".formatted(folder));
  }

  @Override
  public void close() {
    held.ifPresent(HELD::remove);
    try {
      channel.close();
    } catch (IOException e) {
      // The lock goes with the process at the latest.
    }
  }
}
