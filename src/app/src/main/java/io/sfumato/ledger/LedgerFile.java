// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.bytes.CorruptBytesException;
import io.sfumato.files.PrivateFile;
import io.sfumato.random.Sha256;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.ForeignBytes;
import io.sfumato.topology.LedgerImage;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.EnumSet;
import java.util.HexFormat;

/**
 * A sealed ledger in a file: one JSON object a line, facts first, then one line a ledger, then how
 * many there are and the SHA-256 of all that stands before. It names subjects: only its owner may
 * read it. However many ledgers there are, none is kept in memory.
 *
 * @param path of the file
 * @param facts what all ledgers in it have in common
 * @param ledgers how many there are
 * @param digest of the file, hexadecimal
 */
public record LedgerFile(Path path, LedgerFacts facts, long ledgers, String digest)
    implements LedgerStream {

  /** Name of the budget whose ledger it is. */
  public String budget() {
    return facts.budget();
  }

  /** What the budget granted, and where it was sealed. */
  public LedgerImage image() {
    return facts.image();
  }

  /**
   * Writes a new file that any pipeline may import, or none.
   *
   * @throws RefusedException if it is there already or cannot be written
   */
  public static LedgerFile write(Path file, String budget, LedgerImage image, LedgerStream lines)
      throws RefusedException {
    return write(file, LedgerFacts.of(budget, image), lines);
  }

  /**
   * Writes a new file, or none.
   *
   * @throws RefusedException if it is there already or cannot be written
   */
  public static LedgerFile write(Path file, LedgerFacts facts, LedgerStream lines)
      throws RefusedException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PrivateFile.rights(file))) {
      boolean written = false;
      try {
        LedgerFile made = write(channel, file, facts, lines);
        written = true;
        return made;
      } finally {
        if (!written) {
          Files.deleteIfExists(file);
        }
      }
    } catch (FileAlreadyExistsException e) {
      throw refused(file + " exists; a ledger is never overwritten");
    } catch (IOException e) {
      throw refused("cannot write " + file + ": " + e.getClass().getSimpleName());
    }
  }

  private static LedgerFile write(
      FileChannel channel, Path file, LedgerFacts facts, LedgerStream lines)
      throws IOException, RefusedException {
    MessageDigest digest = Sha256.digest();
    Writer out = new BufferedWriter(Channels.newWriter(channel, StandardCharsets.UTF_8));
    put(out, digest, LedgerFormat.text(facts));
    long[] ledgers = {0};
    lines.forEach(
        line -> {
          try {
            put(out, digest, LedgerFormat.text(line));
          } catch (IOException e) {
            throw refused("cannot write " + file + ": " + e.getClass().getSimpleName());
          }
          ledgers[0]++;
        });
    String found = HexFormat.of().formatHex(digest.digest());
    put(out, Sha256.digest(), LedgerFormat.text(new LedgerFormat.Sum(ledgers[0], found)));
    out.flush();
    channel.force(true);
    return new LedgerFile(file, facts, ledgers[0], found);
  }

  /** The same file under the name that it was moved to. */
  LedgerFile movedTo(Path target) {
    return new LedgerFile(target, facts, ledgers, digest);
  }

  /**
   * Reads a file and checks every line, their number and the digest.
   *
   * @throws RefusedException if it is damaged, incomplete or none
   */
  public static LedgerFile read(Path file) throws RefusedException {
    return read(file, ProgressListener.silent());
  }

  /**
   * The same.
   *
   * @param stages hears how far it is, in bytes
   */
  public static LedgerFile read(Path file, ProgressListener stages) throws RefusedException {
    try (ProgressListener.Stage stage = stages.begin("checking", Files.size(file))) {
      return read(
          file,
          line -> {
            // As the import will write it: what cannot be written is damaged.
            ForeignBytes.orCorrupt("a ledger", () -> line.change(1));
          },
          stage);
    } catch (NoSuchFileException e) {
      throw refused(file + ": no such file");
    } catch (IOException e) {
      throw refused("cannot read " + file + ": " + e.getClass().getSimpleName());
    }
  }

  /** Lets the ledgers pass, and notices if the file is no longer the one that was checked. */
  @Override
  public void forEach(Reader reader) throws RefusedException {
    LedgerFile again = read(path, reader, ProgressListener.silent().begin("", 0));
    if (!again.equals(this)) {
      throw refused(path + " was changed while it was read");
    }
  }

  private static LedgerFile read(Path file, Reader reader, ProgressListener.Stage stage)
      throws RefusedException {
    MessageDigest digest = Sha256.digest();
    try (BufferedReader in = Files.newBufferedReader(file)) {
      String first = in.readLine();
      LedgerFacts facts =
          LedgerFormat.facts(first == null ? "" : first)
              .orElseThrow(() -> refused(file + " is not a ledger file of this program"));
      long bytes = update(digest, first);
      long ledgers = 0;
      String next = in.readLine();
      for (String text = in.readLine(); text != null; text = in.readLine()) {
        bytes += update(digest, next);
        stage.at(bytes);
        reader.accept(LedgerFormat.line(next));
        ledgers++;
        next = text;
      }
      LedgerFormat.Sum sum = LedgerFormat.sum(next == null ? "" : next);
      String found = HexFormat.of().formatHex(digest.digest());
      if (sum.ledgers() != ledgers || !sum.sha256().equals(found)) {
        throw damaged(file);
      }
      return new LedgerFile(file, facts, ledgers, found);
    } catch (NoSuchFileException e) {
      throw refused(file + ": no such file");
    } catch (CorruptBytesException e) {
      throw damaged(file);
    } catch (IOException e) {
      throw refused("cannot read " + file + ": " + e.getClass().getSimpleName());
    }
  }

  private static void put(Writer out, MessageDigest digest, String line) throws IOException {
    update(digest, line);
    out.write(line);
    out.write('\n');
  }

  /** Number of bytes. */
  private static long update(MessageDigest digest, String line) {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    digest.update(bytes);
    digest.update((byte) '\n');
    return bytes.length + 1L;
  }

  private static RefusedException damaged(Path file) {
    return refused(
        file + " is damaged or incomplete; use the unchanged file that 'ledger " + "export' wrote");
  }

  private static RefusedException refused(String message) {
    return new RefusedException(ExitCode.REFUSED_FILE, message);
  }
}
