// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.context.OpenMemory;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** How much of the heap open datasets may take. */
final class MemoryOptions {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,9})([kmg])");

  @Option(
      names = "--open-memory",
      paramLabel = "SIZE",
      description =
          "Heap for datasets of open windows, of all partitions of this instance together, "
              + "such as 512m or 2g; at most half of the heap. Data that does not fit is read "
              + "from disk. The heap itself: SFUMATO_JAVA_OPTIONS=-Xmx2g; by default a quarter of "
              + "the heap.")
  private Optional<String> size = Optional.empty();

  OpenMemory memory() throws RefusedException {
    return size.isEmpty()
        ? OpenMemory.ofHeap()
        : memory(size.get(), Runtime.getRuntime().maxMemory());
  }

  /**
   * As much as a text says.
   *
   * @param heap bytes of the largest heap
   */
  static OpenMemory memory(String text, long heap) throws RefusedException {
    Matcher size = SIZE.matcher(text.toLowerCase(Locale.ROOT));
    if (!size.matches()) {
      throw refused(text, heap);
    }
    long bytes = Long.parseLong(size.group(1)) << shift(size.group(2));
    if (bytes < 1 << 20 || bytes > heap / 2) {
      throw refused(text, heap);
    }
    return new OpenMemory(bytes);
  }

  private static int shift(String unit) {
    return switch (unit) {
      case "k" -> 10;
      case "m" -> 20;
      default -> 30;
    };
  }

  private static RefusedException refused(String text, long heap) {
    return new RefusedException(
        ExitCode.USAGE,
        "--open-memory: found '%s', allowed is 1m to %dm, half of the heap; for a larger heap set SFUMATO_JAVA_OPTIONS=-Xmx2g"
            .formatted(text, heap >> 21));
  }
}
