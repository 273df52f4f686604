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
 * Writes the sample that README starts with: one day of admissions of 800 synthetic patients to
 * four wards. The same bytes every time.
 *
 * <p>java src/build/java/AdmissionRows.java topology/wards-sample.csv
 */
public final class AdmissionRows {
  private static final Instant DAY = Instant.parse("2026-11-02T00:00:00Z");
  private static final int PATIENTS = 800;
  private static final String[] WARDS = {"north", "east", "south", "west"};
  private static final String[] DIAGNOSES = {"infection", "injury", "heart", "other"};

  /** Percent of each diagnosis, by ward. */
  private static final int[][] PERCENT = {
    {45, 20, 25, 10}, {25, 40, 20, 15}, {30, 30, 15, 25}, {35, 15, 40, 10}
  };

  private AdmissionRows() {}

  /** The one argument is the file to write. */
  public static void main(String[] arguments) throws Exception {
    Random random = new Random(54);
    TreeMap<String, String> rows = new TreeMap<>();
    for (int patient = 1; patient <= PATIENTS; patient++) {
      int home = random.nextInt(WARDS.length);
      for (int left = admissions(random); left > 0; left--) {
        // Some are moved to another ward.
        int ward = random.nextInt(10) == 0 ? random.nextInt(WARDS.length) : home;
        Instant time = DAY.plus(Duration.ofMinutes(random.nextInt(24 * 60)));
        // In order of time; the number keeps two rows of one minute apart.
        rows.put(
            "%s %05d".formatted(time, rows.size()),
            "%s,p%04d,%s,%s"
                .formatted(WARDS[ward], patient, time, DIAGNOSES[diagnosis(random, ward)]));
      }
    }
    List<String> lines = new ArrayList<>(List.of("ward,patient,at,diagnosis"));
    lines.addAll(rows.values());
    Files.writeString(
        Path.of(arguments[0]), String.join("\n", lines) + "\n", StandardCharsets.UTF_8);
  }

  /** Most patients have one, a fifth has two, and a few have three. */
  private static int admissions(Random random) {
    int percent = random.nextInt(100);
    return percent < 75 ? 1 : percent < 95 ? 2 : 3;
  }

  private static int diagnosis(Random random, int ward) {
    int left = random.nextInt(100);
    int at = 0;
    while (left >= PERCENT[ward][at]) {
      left -= PERCENT[ward][at++];
    }
    return at;
  }
}
