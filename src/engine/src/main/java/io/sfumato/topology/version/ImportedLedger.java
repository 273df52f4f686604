// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.version;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.topology.context.PipelineStopException;
import java.util.Optional;

/**
 * What a state that begins with an imported ledger knows of where it came from.
 *
 * @param digest of the file that was imported, hexadecimal
 * @param budget that was sealed
 * @param floor no window that starts before this is ever released again
 * @param terms what the sealed budget had granted
 */
public record ImportedLedger(String digest, String budget, long floor, BudgetTerms terms) {
  private static final int FORMAT = 1;

  /** Of an import that has begun. Programs that know nothing of those stop in front of it. */
  private static final int BEGUN = 2;

  /**
   * An import that has begun: some ledgers may be written, and some not.
   *
   * @param digest of the file, hexadecimal
   * @param budget that was sealed
   */
  public record Begun(String digest, String budget) {
    /** As the keeper's store has it. */
    public byte[] encode() {
      return new ByteWriter().fixed8(BEGUN).text(digest).text(budget).toBytes();
    }

    /** Of a state that nothing may work on. */
    public PipelineStopException halfImported() {
      return new PipelineStopException(
          ("the import of the ledger of budget '%s' was interrupted: part of it is missing, and "
                  + "missing ledgers would start empty. Run 'sfumato ledger import' again with "
                  + "the same file (sha256 %s)")
              .formatted(budget, digest));
    }
  }

  /** What an import that has begun said; nothing if it is finished. */
  public static Optional<Begun> begun(byte[] bytes) {
    if (bytes.length == 0 || bytes[0] != BEGUN) {
      return Optional.empty();
    }
    ByteReader in = new ByteReader(bytes).format(BEGUN, "a begun import");
    Begun begun = new Begun(in.text(), in.text());
    in.end();
    return Optional.of(begun);
  }

  /** As the keeper's store has it. */
  public byte[] encode() {
    ByteWriter out = new ByteWriter().fixed8(FORMAT).text(digest).text(budget).signed(floor);
    terms.write(out);
    return out.toBytes();
  }

  /** Inverse of {@link #encode}. */
  public static ImportedLedger decode(byte[] bytes) {
    ByteReader in = new ByteReader(bytes).format(FORMAT, "an imported ledger");
    ImportedLedger ledger =
        new ImportedLedger(in.text(), in.text(), in.signed(), BudgetTerms.read(in));
    in.end();
    return ledger;
  }
}
