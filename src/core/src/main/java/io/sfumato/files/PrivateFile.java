// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/**
 * A file that only its owner may read: keys, tokens, passwords, ledgers. Where a file system knows
 * no owners, nothing is checked.
 */
public final class PrivateFile {
  private static final String RIGHTS = "rw-------";

  /** A key is a line. */
  private static final int MOST_BYTES = 4096;

  private PrivateFile() {}

  /**
   * Reads the text of a key or token that nobody else may read or replace.
   *
   * @param expected what such a file holds, for messages
   * @throws IllegalArgumentException if others may, and the message says what to run; or if it is
   *     no small file of text, and the message has its name, and nothing of what it holds
   * @throws IOException if there is none, or it cannot be read
   */
  public static String read(Path file, String expected) throws IOException {
    SmallFile.requireRegular(file, expected);
    require(file);
    return SmallFile.read(file, MOST_BYTES, expected);
  }

  /**
   * Refuses a file that others may read or replace.
   *
   * @throws IllegalArgumentException if others may; the message says what to run
   * @throws IOException if there is none
   */
  public static void require(Path file) throws IOException {
    problem(file, Access.Kind.FILE)
        .ifPresent(
            problem -> {
              throw new IllegalArgumentException(problem);
            });
  }

  static Optional<String> problem(Path path, Access.Kind kind) throws IOException {
    Optional<Access> access = Access.of(path);
    return access.isEmpty()
        ? Optional.empty()
        : access.get().problem(path, kind, Account.ofThisProcess());
  }

  /**
   * Writes a new file, or none: whoever finds it finds all of it, on disk.
   *
   * @throws FileAlreadyExistsException if it is there; it is left as it was
   */
  public static void write(Path file, String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    write(
        file,
        channel -> {
          while (bytes.hasRemaining()) {
            channel.write(bytes);
          }
        });
  }

  /** Puts a file's bytes into it; it may end in the middle, as on a full disk. */
  @FunctionalInterface
  interface Filling {
    void into(WritableByteChannel channel) throws IOException;
  }

  static void write(Path file, Filling filling) throws IOException {
    Path target = file.toAbsolutePath();
    if (Files.exists(target)) {
      throw new FileAlreadyExistsException(file.toString());
    }
    Path part =
        Files.createTempFile(
            target.getParent(), "." + target.getFileName() + "-", ".part", rights(target, RIGHTS));
    try {
      try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
        filling.into(channel);
        channel.force(true);
      }
      publish(part, target);
    } finally {
      Files.deleteIfExists(part);
    }
    sync(target.getParent());
  }

  /**
   * Gives a file that is complete its name, at once. A move would replace a file that came into
   * being meanwhile, a link cannot.
   */
  private static void publish(Path part, Path target) throws IOException {
    try {
      Files.createLink(target, part);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (IOException | UnsupportedOperationException e) {
      // No links here: the name is taken first, by whom it is free for.
      Files.createFile(target, rights(target, RIGHTS));
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** A name is safe when its folder is. */
  private static void sync(Path folder) {
    try (FileChannel channel = FileChannel.open(folder, Set.of(StandardOpenOption.READ))) {
      channel.force(true);
    } catch (IOException e) {
      // Some systems open no folders, and keep names safe by themselves.
      return;
    }
  }

  /** Rights of a new file that its owner alone reads and writes, where there are any. */
  public static FileAttribute<?>[] rights(Path file) throws IOException {
    return rights(file, RIGHTS);
  }

  static FileAttribute<?>[] rights(Path path, String rights) throws IOException {
    Path there = path.toAbsolutePath().getParent();
    return Files.getFileStore(there).supportsFileAttributeView("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(rights))
        }
        : new FileAttribute<?>[0];
  }
}
