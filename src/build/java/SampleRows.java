// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/**
 * Writes a sample of diabetes diaries: ten synthetic patients, two weeks, 25 entries each. The same
 * bytes every time.
 *
 * <p>java src/build/java/SampleRows.java topology/diary-sample.csv
 */
public final class SampleRows {
  private static final Instant MONDAY = Instant.parse("1988-03-21T00:00:00Z");
  private static final int PATIENTS = 10;
  private static final int WEEKS = 2;
  private static final int ENTRIES = 25;

  /** Insulins, and measurements of glucose, in the codes of the UCI diaries. */
  private static final int[] CODES = {33, 34, 35, 48, 57, 58, 60, 62, 65};

  private static final int[] WEIGHTS = {34, 14, 6, 6, 3, 14, 9, 10, 4};

  private SampleRows() {}

  /** The one argument is the file to write. */
  public static void main(String[] arguments) throws Exception {
    Random random = new Random(1988);
    TreeMap<String, String> rows = new TreeMap<>();
    for (int patient = 1; patient <= PATIENTS; patient++) {
      for (int week = 0; week < WEEKS; week++) {
        for (int entry = 0; entry < ENTRIES; entry++) {
          long minute = random.nextInt((int) Duration.ofDays(7).toMinutes());
          Instant time = MONDAY.plus(Duration.ofDays(7L * week)).plus(Duration.ofMinutes(minute));
          // In order of time; the number keeps two entries of one minute apart.
          rows.put(
              "%s %05d".formatted(time, rows.size()),
              "p%02d,%s,%d".formatted(patient, time, code(random, patient)));
        }
      }
    }
    List<String> lines = new ArrayList<>(List.of("patient,timestamp,code"));
    lines.addAll(rows.values());
    Files.writeString(
        Path.of(arguments[0]), String.join("\n", lines) + "\n", StandardCharsets.UTF_8);
  }

  /** Each patient has a habit: one code more often than others have it. */
  private static int code(Random random, int patient) {
    if (random.nextInt(4) == 0) {
      return CODES[patient % CODES.length];
    }
    int left = random.nextInt(100);
    int at = 0;
    while (left >= WEIGHTS[at]) {
      left -= WEIGHTS[at++];
    }
    return CODES[at];
  }
}
