// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.bytes.CorruptBytesException;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.SchemaRegistries;
import io.sfumato.schema.NamesRelease;
import io.sfumato.serde.ForeignBytes;
import io.sfumato.serde.Outputs;
import io.sfumato.serde.SchemaSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Reads the lists of one output of names. Another writer's records are passed over, and those of
 * other outputs.
 *
 * @param pipeline whose output it is
 * @param source the output
 */
public record ListsReader(Pipeline pipeline, ReleaseSpec source) {
  /** All that its topic holds now. */
  public void ofTopic(KafkaSettings settings, ListsOfWindows lists) throws RefusedException {
    read(settings, OutputReader.Ending.AT_END, () -> {}, lists, window -> true);
  }

  /**
   * What its topic holds, and what comes.
   *
   * @param idle is called whenever nothing more is there
   * @param complete gets every window once all lists are there; returns false to stop
   */
  public void follow(
      KafkaSettings settings,
      ListsOfWindows lists,
      Runnable idle,
      Predicate<ListsOfWindows.Window> complete)
      throws RefusedException {
    read(settings, OutputReader.Ending.NEVER, idle, lists, complete);
  }

  private void read(
      KafkaSettings settings,
      OutputReader.Ending ending,
      Runnable idle,
      ListsOfWindows lists,
      Predicate<ListsOfWindows.Window> complete)
      throws RefusedException {
    SchemaSource schemas = SchemaRegistries.of(settings);
    Refusal refusal = new Refusal();
    new OutputReader(settings)
        .read(
            List.of(source.topic()),
            ending,
            idle,
            record -> {
              try {
                Optional<NamesRelease> part = ours(record.value(), schemas);
                return part.isEmpty() || lists.add(part.get()).map(complete::test).orElse(true);
              } catch (RefusedException e) {
                refusal.told = Optional.of(e);
                return false;
              }
            });
    if (refusal.told.isPresent()) {
      throw refusal.told.get();
    }
  }

  /** In the middle of reading. */
  private static final class Refusal {
    private Optional<RefusedException> told = Optional.empty();
  }

  private Optional<NamesRelease> ours(byte[] value, SchemaSource schemas) {
    return ForeignBytes.ifReadable(() -> Outputs.decodeAny(value, schemas))
        .filter(NamesRelease.class::isInstance)
        .map(NamesRelease.class::cast)
        .filter(this::isOurs);
  }

  private boolean isOurs(NamesRelease part) {
    return part.getPipeline().equals(pipeline.name()) && part.getOutput().equals(source.name());
  }

  /** A file with a record a line, as {@code consume -o json} prints them. */
  public void ofFile(Path file, ListsOfWindows lists) throws RefusedException {
    long number = 0;
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        if (!line.isBlank()) {
          NamesRelease part = (NamesRelease) Outputs.decodeLine(line, source.schema());
          if (isOurs(part)) {
            lists.add(part);
          }
        }
      }
    } catch (CorruptBytesException e) {
      throw refused(
          "%s line %d: not a list of names; allowed is one release per line, as printed by 'sfumato consume %s -o json'"
              .formatted(file, number, source.topic()));
    } catch (NoSuchFileException e) {
      throw refused(file + ": no such file");
    } catch (IOException e) {
      throw refused(file + ": cannot be read as UTF-8 text");
    }
  }

  private static RefusedException refused(String message) {
    return new RefusedException(ExitCode.REFUSED_FILE, message);
  }
}
