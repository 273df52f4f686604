// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.bytes.ByteWriter;
import io.sfumato.property.ForAll;
import io.sfumato.property.Property;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.Fixture;
import io.sfumato.topology.HostileBytes;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.Mutations;
import io.sfumato.topology.version.BudgetTerms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Ledger files with changed bytes: what is read is what was written, or the file is refused. */
class MutatedLedgerFilesTest {
  private static final LedgerImage LEDGER = ledger();
  private static final List<LedgerImage.Line> LINES = lines();

  @TempDir static Path folder;

  private byte[][] corpus;

  private static LedgerImage ledger() {
    ByteWriter terms = new ByteWriter();
    BudgetTerms.of(Fixture.plan(Fixture.YAML)).write(terms);
    return new LedgerImage(terms.toBytes(), 7);
  }

  private static List<LedgerImage.Line> lines() {
    TreeMap<Integer, Long> counts = new TreeMap<>();
    counts.put(0, 3L);
    return List.of("ann", "bob", "zoë").stream()
        .map(subject -> new LedgerImage.Line(0, "mix", subject, counts, false))
        .toList();
  }

  @BeforeEach
  void write() throws Exception {
    Path file = folder.resolve("whole");
    LedgerFile.write(
        file,
        "test",
        LEDGER,
        reader -> {
          for (LedgerImage.Line line : LINES) {
            reader.accept(line);
          }
        });
    corpus = new byte[][] {Files.readAllBytes(file)};
    Files.delete(file);
  }

  @Property(seed = "8")
  void shouldReadWhatWasWrittenOrRefuse(@ForAll Random random) throws Exception {
    byte[] value = Mutations.of(corpus, random.nextLong());
    Path file = folder.resolve("mutated");
    Files.write(file, value);
    HostileBytes.feed(
        value,
        bytes -> {
          LedgerFile read = LedgerFile.read(file);
          List<LedgerImage.Line> lines = new ArrayList<>();
          read.forEach(lines::add);
          assertThat(read.image()).as("what is read is what was written").isEqualTo(LEDGER);
          assertThat(lines).isEqualTo(LINES);
        },
        RefusedException.class);
    Files.delete(file);
  }
}
