// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * This machine's JDK and Maven for containers: to unpack packages of both into each would cost more
 * than to build with them.
 */
final class Toolchain {
  private Toolchain() {}

  /**
   * Volumes, for reading, that bring a folder to where it lies here: itself, and what links in it
   * lead to. Debian keeps settings below {@code /etc}, and jars of many programs in one folder.
   */
  static Map<Path, String> mounted(Path home) throws IOException {
    Path real = home.toRealPath();
    Map<Path, String> volumes = new TreeMap<>();
    volumes.put(real, home + ":ro");
    List<Path> links;
    try (Stream<Path> files = Files.walk(real)) {
      links = files.filter(Files::isSymbolicLink).filter(Files::exists).toList();
    }
    for (Path link : links) {
      Path file = link.toRealPath();
      if (!file.startsWith(real)) {
        Path folder = Files.isDirectory(file) ? file : file.getParent();
        volumes.put(folder, folder + ":ro");
      }
    }
    return volumes;
  }
}
