// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receipts of what was spent on samples: each beside the draft that it was spent for.
 *
 * @param file of the next one
 */
record Receipts(Path file) {
  private static final Logger LOG = LoggerFactory.getLogger(Receipts.class);
  private static final String ENDING = ".receipt.json";

  /** It stays: whoever deleted it could let two runs lock two files of this name. */
  private static final String LOCK = ".sfumato-receipts.lock";

  /**
   * A receipt that is there.
   *
   * @param file that holds it
   */
  record Kept(Path file, Receipt receipt) {}

  /** Beside a draft. */
  static Receipts beside(Path draft) {
    String name = draft.getFileName().toString().replaceFirst("\\.ya?ml$", "");
    return new Receipts(draft.resolveSibling(name + ENDING));
  }

  /**
   * The first one in the folder that is about something.
   *
   * @throws RefusedException if one cannot be read: it may be about that
   */
  Optional<Kept> find(Predicate<Receipt> about) throws RefusedException {
    for (Path each : all()) {
      Receipt receipt = read(each);
      if (about.test(receipt)) {
        return Optional.of(new Kept(each, receipt));
      }
    }
    return Optional.empty();
  }

  private List<Path> all() throws RefusedException {
    Path folder = Optional.ofNullable(file.getParent()).orElse(Path.of(""));
    try (Stream<Path> files = Files.list(folder)) {
      return new ArrayList<>(
          files.filter(each -> each.getFileName().toString().endsWith(ENDING)).sorted().toList());
    } catch (IOException e) {
      throw refused(folder.toString().isEmpty() ? Path.of(".") : folder, "cannot be read", e);
    }
  }

  private static Receipt read(Path each) throws RefusedException {
    try {
      return Receipt.parse(Files.readString(each));
    } catch (IOException e) {
      throw refused(each, "cannot be read", e);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          each
              + ": "
              + e.getMessage()
              + "; it may tell what was spent already: mend it, or move it");
    }
  }

  /** Writes a new one, to the disk: from here on it is spent. */
  void write(Receipt receipt) throws RefusedException {
    try {
      Files.writeString(
          file, receipt.text(), StandardOpenOption.CREATE_NEW, StandardOpenOption.SYNC);
    } catch (FileAlreadyExistsException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          file + " tells what was spent on another sample: choose another name of the draft");
    } catch (IOException e) {
      throw refused(file, "cannot be written, and nothing was spent", e);
    }
  }

  /** Puts what was found into it: all of it, or nothing. */
  static void complete(Kept kept) throws RefusedException {
    Path part = part(kept);
    try {
      Files.writeString(
          part,
          kept.receipt().text(),
          StandardOpenOption.CREATE,
          StandardOpenOption.TRUNCATE_EXISTING,
          StandardOpenOption.SYNC);
      Files.move(part, kept.file(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw refused(kept.file(), "cannot be written", e);
    }
  }

  private static Path part(Kept kept) {
    return kept.file().resolveSibling("." + kept.file().getFileName() + ".part");
  }

  /**
   * What was drawn when the program ended before the receipt had it: somebody may have seen it, so
   * that nothing else is drawn for it.
   *
   * @return nothing where no draw was begun to be written
   * @throws RefusedException if it was written in part
   */
  static Optional<Kept> drawn(Kept charged) throws RefusedException {
    Path part = part(charged);
    try {
      Receipt drawn = Receipt.parse(Files.readString(part));
      if (drawn.allDrawn() && drawn.with(charged.receipt().draws()).equals(charged.receipt())) {
        return Optional.of(new Kept(charged.file(), drawn));
      }
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException | IllegalArgumentException e) {
      LOG.debug("a draw that was written in part", e);
    }
    throw new RefusedException(
        ExitCode.REFUSED_FILE,
        part
            + " holds a part of what was drawn for "
            + charged.file()
            + ", and may have been seen: nothing else is drawn for that price. Move both away to spend anew; the costs add up");
  }

  /**
   * Keeps other runs out of this folder until it is closed: two that finish the same receipt would
   * draw twice.
   *
   * @throws RefusedException if another one is at work
   */
  Closeable alone() throws RefusedException {
    Path folder = Optional.ofNullable(file.getParent()).orElse(Path.of(""));
    try {
      FileChannel channel =
          FileChannel.open(
              folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (isLocked(channel)) {
        return channel;
      }
      channel.close();
    } catch (IOException e) {
      throw refused(folder.resolve(LOCK), "cannot be locked", e);
    }
    throw new RefusedException(
        ExitCode.REFUSED_FILE,
        "another 'sfumato new --list-epsilon' is at work in this folder: wait until it has ended");
  }

  static void release(Closeable lock) {
    try {
      lock.close();
    } catch (IOException e) {
      LOG.debug("a lock", e); // it ends with the process
    }
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false; // by another thread
    }
  }

  private static RefusedException refused(Path file, String problem, IOException e) {
    return new RefusedException(
        ExitCode.REFUSED_FILE, "%s %s (%s)".formatted(file, problem, e.getClass().getSimpleName()));
  }
}
