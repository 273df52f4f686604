// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.files.PrivateFile;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which changelogs the local state of an application was read from, by their ids. Kafka Streams
 * knows changelogs by name alone: it would read on in a restored one at the offset where the former
 * one was, and mix the two.
 */
final class LocalOrigin {
  private static final Logger LOG = LoggerFactory.getLogger(LocalOrigin.class);

  private final Path state;
  private final Path file;

  /**
   * @param folder of the state stores of all applications
   */
  LocalOrigin(Path folder, String application) {
    this.state = folder.resolve(application);
    this.file = folder.resolve(application + ".topics");
  }

  /**
   * Deletes local state that comes from other changelogs, before anything opens it, and remembers
   * which ones it comes from now.
   *
   * @param now ids of the changelogs that are there, by topic
   * @throws RefusedException if the folder cannot be read or written
   */
  void require(Map<String, String> now) throws RefusedException {
    try {
      Properties known = read();
      boolean other =
          now.entrySet().stream()
              .anyMatch(t -> !known.getProperty(t.getKey(), t.getValue()).equals(t.getValue()));
      if (other) {
        LOG.warn(
            "the changelogs were re-created since the local state in {} was read from them; "
                + "deleting the local state and restoring it",
            state);
        delete();
      }
      Properties all = new Properties();
      all.putAll(known);
      all.putAll(now);
      if (!all.equals(known)) {
        write(all);
      }
    } catch (IOException e) {
      throw new RefusedException(
          ExitCode.FAILED,
          "the local state in %s cannot be read or written: %s"
              .formatted(state, e.getClass().getSimpleName()));
    }
  }

  private Properties read() throws IOException {
    Properties known = new Properties();
    if (Files.exists(file)) {
      try (Reader in = Files.newBufferedReader(file)) {
        known.load(in);
      } catch (IllegalArgumentException e) {
        throw new IOException("malformed", e);
      }
    }
    return known;
  }

  /** All of it, or nothing. */
  private void write(Properties ids) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.createDirectories(file.getParent());
    Files.deleteIfExists(next);
    StringBuilder text = new StringBuilder();
    new TreeMap<>(ids)
        .forEach((topic, id) -> text.append(topic).append('=').append(id).append('\n'));
    PrivateFile.write(next, text.toString());
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
  }

  private void delete() throws IOException {
    if (!Files.exists(state)) {
      return;
    }
    try (Stream<Path> all = Files.walk(state)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
