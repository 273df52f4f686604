// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.release.PipelineFile;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The pipeline files that a process runs: those that are named, and all of a folder. */
final class PipelineFiles {
  private PipelineFiles() {}

  /**
   * Lists them, each once; those of a folder in the order of their names.
   *
   * @throws RefusedException if a folder has none, or cannot be read
   */
  static List<Path> of(List<Path> named) throws RefusedException {
    Set<Path> files = new LinkedHashSet<>();
    for (Path path : named) {
      files.addAll(Files.isDirectory(path) ? inFolder(path) : List.of(path));
    }
    return List.copyOf(files);
  }

  private static List<Path> inFolder(Path folder) throws RefusedException {
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files = all.filter(PipelineFiles::isPipeline).sorted().toList();
    } catch (IOException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "cannot read folder %s (%s)".formatted(folder, e.getClass().getSimpleName()));
    }
    if (files.isEmpty()) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "folder %s has no pipeline file: their names end with .yaml or .yml".formatted(folder));
    }
    return files;
  }

  private static boolean isPipeline(Path file) {
    String name = file.getFileName().toString();
    return !name.startsWith(".") && (name.endsWith(".yaml") || name.endsWith(".yml"));
  }

  /**
   * Files that one process cannot run together, each with the reason: which of two files with one
   * name is right, nobody can tell but their owner. Files that cannot be read are not among them.
   */
  static Map<Path, String> clashes(List<Path> files) {
    Map<String, List<Path>> byName = new TreeMap<>();
    for (Path file : files) {
      try {
        Pipeline pipeline = PipelineFile.read(file);
        add(byName, "pipeline '" + pipeline.name() + "'", file);
        add(byName, "budget '" + pipeline.budget().name() + "'", file);
      } catch (PipelineFileException e) {
        continue; // whoever starts it says so
      }
    }
    Map<Path, String> clashes = new TreeMap<>();
    byName.forEach(
        (name, sharing) -> {
          if (sharing.size() > 1) {
            String reason =
                "%s is in several files: %s. Keep one of them, and start again"
                    .formatted(name, sharing);
            sharing.forEach(file -> clashes.putIfAbsent(file, reason));
          }
        });
    return clashes;
  }

  private static void add(Map<String, List<Path>> byName, String name, Path file) {
    byName.computeIfAbsent(name, n -> new ArrayList<>()).add(file);
  }
}
