// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.draft;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.io.IOException;
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

/**
 * Receipts of what was spent on samples: each beside the draft that it was spent for.
 *
 * @param file of the next one
 */
record Receipts(Path file) {
  private static final String ENDING = ".receipt.json";

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
   */
  static Optional<Kept> drawn(Kept charged) throws RefusedException {
    try {
      Receipt drawn = Receipt.parse(Files.readString(part(charged)));
      if (drawn.allDrawn() && drawn.with(charged.receipt().draws()).equals(charged.receipt())) {
        return Optional.of(new Kept(charged.file(), drawn));
      }
      return Optional.empty();
    } catch (NoSuchFileException | IllegalArgumentException e) {
      return Optional.empty(); // it ended before that was written
    } catch (IOException e) {
      throw refused(part(charged), "cannot be read", e);
    }
  }

  private static RefusedException refused(Path file, String problem, IOException e) {
    return new RefusedException(
        ExitCode.REFUSED_FILE, "%s %s (%s)".formatted(file, problem, e.getClass().getSimpleName()));
  }
}
