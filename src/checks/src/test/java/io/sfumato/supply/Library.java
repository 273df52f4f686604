// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.supply;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A library in a version.
 *
 * @param name group and artifact, with a colon between them
 * @param version as its file is named
 */
record Library(String name, String version) {
  /** All of a class path that lie in a Maven repository. */
  static List<Library> of(String classPath, Path repository) {
    return Arrays.stream(classPath.split(File.pathSeparator))
        .map(Path::of)
        .filter(path -> path.startsWith(repository))
        .map(repository::relativize)
        .flatMap(path -> of(path).stream())
        .toList();
  }

  /** Repositories lay files as group/with/slashes/artifact/version/artifact-version.jar. */
  private static Optional<Library> of(Path path) {
    int parts = path.getNameCount();
    if (parts < 4) {
      return Optional.empty();
    }
    String group = path.subpath(0, parts - 3).toString().replace(File.separatorChar, '.');
    return Optional.of(
        new Library(group + ":" + path.getName(parts - 3), path.getName(parts - 2).toString()));
  }
}
