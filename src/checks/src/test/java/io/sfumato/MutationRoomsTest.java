// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.testkit.Places;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A mutation run that misses its tests would blame the code: rooms and tests exist. */
class MutationRoomsTest {
  private static final String ROOMS_AND_TESTS =
      "source <(sed -n '/^rooms=/,/^}/p' src/build/mutants); for room in \"${rooms[@]}\"; do"
          + " echo \"$room\" $(tests_of \"$room\"); done";

  @Test
  void shouldNameRoomsAndTestsThatExist() throws Exception {
    Set<String> rooms = names(Places.main());
    Set<String> tests = names(Places.tests());
    String[] lines = printed().strip().split("\n");
    assertThat(lines).hasSizeGreaterThan(20);
    for (String line : lines) {
      String[] words = line.split(" ");
      assertThat(words.length).as(line).isGreaterThan(1);
      assertThat(rooms).as(line).anyMatch(name -> name.startsWith(words[0] + "."));
      assertThat(tests)
          .containsAll(Arrays.stream(words, 1, words.length).map(w -> w + "Test").toList());
    }
  }

  /** Of classes below {@code io.sfumato}. */
  private static Set<String> names(List<Path> folders) {
    return Places.java(folders).stream()
        .map(MutationRoomsTest::classOf)
        .collect(Collectors.toSet());
  }

  private static String classOf(Path file) {
    return file.toString()
        .replaceFirst(".*/io/sfumato/", "")
        .replace(".java", "")
        .replace('/', '.');
  }

  private static String printed() throws IOException, InterruptedException {
    Process bash =
        new ProcessBuilder("bash", "-c", ROOMS_AND_TESTS).redirectErrorStream(true).start();
    String out = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).as(out).isZero();
    return out;
  }
}
