// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.accounting.Period;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.LedgerImage;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of ledgers, and the way into them. */
class LedgerFileTest {
  @TempDir Path folder;

  /** Every later version reads it. */
  private Path pinned() throws Exception {
    Path file = folder.resolve("pinned.ledger");
    try (InputStream in = getClass().getResourceAsStream("pinned.ledger")) {
      Files.copy(in, file);
    }
    return file;
  }

  @Test
  void shouldReadAndWriteWhatIsPinned() throws Exception {
    LedgerFile file = LedgerFile.read(pinned());
    assertThat(file.ledgers()).isEqualTo(3);
    List<LedgerImage.Line> lines = new ArrayList<>();
    file.forEach(lines::add);
    assertThat(lines)
        .extracting(LedgerImage.Line::subject)
        .containsExactly("ann", "ann \"quoted\", \\ and \u2028", "zo\u00eb \ud83d\ude00");
    assertThat(lines.get(1).charges()).isEqualTo(Map.of(0, 1L, 7, 12L));
    LedgerFile again =
        LedgerFile.write(folder.resolve("again.ledger"), file.budget(), file.image(), file);
    assertThat(again.path()).hasSameBinaryContentAs(file.path());
    assertThat(again.movedTo(file.path())).isEqualTo(file);
  }

  /** The day before the floor is over: the file says that no window of it is released again. */
  @Test
  void shouldTellLivePeriodsByTheFloor() throws Exception {
    LedgerFile file = LedgerFile.read(pinned());
    List<Boolean> live = new ArrayList<>();
    file.forEach(line -> live.add(file.image().livePeriods().test(line.period())));
    assertThat(live).containsExactly(false, true, true);
    LedgerImage unknown = new LedgerImage(file.image().terms(), Long.MIN_VALUE);
    assertThat(unknown.livePeriods().test(-1_000_000))
        .as("nothing was closed before it was sealed")
        .isTrue();
  }

  @Test
  void shouldNoticeAFileThatChangesBetweenCheckAndImport() throws Exception {
    Path path = pinned();
    LedgerFile file = LedgerFile.read(path);
    LedgerFile other =
        LedgerFile.write(
            folder.resolve("other.ledger"),
            "test",
            file.image(),
            reader ->
                reader.accept(new LedgerImage.Line(20_605, "mix", "eve", new TreeMap<>(), false)));
    Files.delete(path);
    Files.move(other.path(), path);
    assertThatThrownBy(() -> file.forEach(line -> {}))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("was changed while it was read");
  }

  @Test
  void shouldLeaveNoHalfAFile() throws Exception {
    LedgerFile file = LedgerFile.read(pinned());
    Path half = folder.resolve("half.ledger");
    assertThatThrownBy(
            () ->
                LedgerFile.write(
                    half,
                    "test",
                    file.image(),
                    reader -> {
                      file.forEach(reader);
                      throw new IllegalStateException("cut short");
                    }))
        .hasMessage("cut short");
    assertThat(half).doesNotExist();
  }

  /** As a map that is sorted by period, share and subject, whatever comes in whatever order. */
  @Test
  void shouldSortLedgersAndKeepTheLastOfEach() throws Exception {
    Random random = new Random(5);
    TreeMap<String, LedgerImage.Line> expected = new TreeMap<>();
    List<LedgerImage.Line> found = new ArrayList<>();
    try (Workspace workspace = Workspace.beside(folder.resolve("x.ledger"));
        SortedLedgers ledgers = new SortedLedgers(workspace.resolve("sorted"))) {
      for (int change = 1; change <= 20_000; change++) {
        int period = random.nextInt(5);
        String subject = "s%03d".formatted(random.nextInt(800));
        LedgerImage.Line line =
            new LedgerImage.Line(
                period - 2, "mix", subject, new TreeMap<>(Map.of(0, (long) change)), false);
        if (random.nextInt(4) == 0) {
          ledgers.put(line.change(1).key(), null);
          expected.remove(period + subject);
        } else {
          ledgers.put(line.change(1).key(), line.change(1).value());
          expected.put(period + subject, line);
        }
      }
      ledgers.forEach(found::add);
      assertThatThrownBy(() -> Workspace.beside(folder.resolve("x.ledger")))
          .hasMessageContaining("another export is writing this file");
    }
    assertThat(found).containsExactlyElementsOf(expected.values());
    assertThat(Files.list(folder)).as("nothing is left that names subjects").isEmpty();
  }

  @Test
  void shouldKnowPeriodsByTheirWords() {
    for (Period period :
        List.of(
            new Period.Lifetime(),
            new Period.Window(),
            new Period.Fixed(Duration.ofDays(30)),
            new Period.Fixed(Duration.ofHours(36)),
            new Period.Fixed(Duration.ofSeconds(10)))) {
      assertThat(Period.of(period.word())).isEqualTo(period);
    }
    assertThatThrownBy(() -> Period.of("for ever")).isInstanceOf(IllegalArgumentException.class);
  }
}
