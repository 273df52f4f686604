package io.sfumato.topology;

import io.sfumato.serde.ByteReader;
import io.sfumato.serde.ByteWriter;

/**
 * What a state that begins with an imported ledger knows of where it came from.
 *
 * @param digest of the file that was imported, hexadecimal
 * @param budget that was sealed
 * @param floor no window that starts before this is ever released again
 * @param terms what the sealed budget had granted
 */
record ImportedLedger(String digest, String budget, long floor, Terms terms) {
  private static final int FORMAT = 1;

  byte[] encode() {
    ByteWriter out = new ByteWriter().fixed8(FORMAT).text(digest).text(budget).signed(floor);
    terms.write(out);
    return out.toBytes();
  }

  static ImportedLedger decode(byte[] bytes) {
    ByteReader in = new ByteReader(bytes).format(FORMAT, "an imported ledger");
    ImportedLedger ledger = new ImportedLedger(in.text(), in.text(), in.signed(), Terms.read(in));
    in.end();
    return ledger;
  }
}
