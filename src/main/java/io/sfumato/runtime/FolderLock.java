package io.sfumato.runtime;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Keeps a part of a data folder for one process: a second one would begin to write before Kafka's
 * own locks stop it, and harm the first. The operating system gives the lock back when the process
 * ends, however it ends.
 */
public final class FolderLock implements AutoCloseable {
  private final FileChannel channel;

  private FolderLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Takes a part of a folder, which is made if it is missing.
   *
   * @param part what of it: a file name without its ending
   * @throws RefusedException if another process has it, or the folder cannot be written
   */
  public static FolderLock take(Path folder, String part) throws RefusedException {
    FileChannel channel = null;
    try {
      Files.createDirectories(folder);
      channel =
          FileChannel.open(
              folder.resolve(part + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return new FolderLock(channel);
      }
      channel.close();
    } catch (OverlappingFileLockException e) {
      closeQuietly(channel);
    } catch (IOException e) {
      closeQuietly(channel);
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "cannot write into the folder %s: give another with --data".formatted(folder));
    }
    throw new RefusedException(
        ExitCode.REFUSED_FILE,
        "'%s' in the folder %s is in use by another 'sfumato run': stop that one, or give another folder with --data"
            .formatted(part, folder));
  }

  private static void closeQuietly(FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      // What was opened for nothing.
    }
  }

  @Override
  public void close() {
    closeQuietly(channel);
  }
}
