// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The commands of one block of a guide, with a test's files and cluster in place of its names. */
final class GuideCommands {
  private static final Pattern BLOCK = Pattern.compile("(?s)```sh\n(.*?)```");
  private static final String PROGRAM = "bin/sfumato ";

  private GuideCommands() {}

  /**
   * The commands of the first block that contains a text, each as its words.
   *
   * @param words of the guide, and what stands in their place
   */
  static List<List<String>> of(Path guide, String text, Map<String, String> words)
      throws IOException {
    Matcher blocks = BLOCK.matcher(Files.readString(guide));
    String block =
        blocks
            .results()
            .map(found -> found.group(1))
            .filter(found -> found.contains(text))
            .findFirst()
            .orElseThrow(() -> new AssertionError(guide + " has no block with: " + text));
    return block
        .lines()
        .filter(line -> line.startsWith(PROGRAM))
        .map(line -> line.substring(PROGRAM.length()).replaceFirst(" *#.*", ""))
        .map(
            line ->
                Arrays.stream(line.split(" +"))
                    .map(word -> words.getOrDefault(word, word))
                    .toList())
        .toList();
  }
}
