// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import io.sfumato.client.EventPublisher;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.TickHeader;
import io.sfumato.workload.NameWorkload;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;

/**
 * The stream of names as events, in the order of their time. It is made user by user, and kept on
 * disk by window meanwhile: in memory is one window at most. Within a window events of all users
 * are mixed. The same workload gives the same events.
 */
final class NameStream {
  /** Event time of the first window: one at which a period of 100 windows begins. */
  static final long BEGIN = Workload.BEGIN + 40 * Workload.WINDOW_MILLIS;

  private static final int BUFFER_BYTES = 1 << 16;

  private final NameWorkload workload;
  private final Path folder;
  private final long[] events;

  private NameStream(NameWorkload workload, Path folder, long[] events) {
    this.workload = workload;
    this.folder = folder;
    this.events = events;
  }

  /**
   * Makes it.
   *
   * @param folder new or empty
   * @param progress is told how many users are made
   */
  static NameStream make(NameWorkload workload, Path folder, LongConsumer progress) {
    long[] events = new long[workload.windows()];
    List<BufferedOutputStream> windows = new ArrayList<>();
    try {
      Files.createDirectories(folder);
      try {
        for (int window = 1; window <= workload.windows(); window++) {
          windows.add(
              new BufferedOutputStream(Files.newOutputStream(file(folder, window)), BUFFER_BYTES));
        }
        workload.forEach(
            (user, records) -> {
              for (int i = 0; i < records.names().length; i++) {
                int window = records.windows()[i] - 1;
                write(windows.get(window), user, records.names()[i]);
                events[window]++;
              }
              progress.accept(user + 1L);
            });
      } finally {
        for (BufferedOutputStream window : windows) {
          window.close();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new NameStream(workload, folder, events);
  }

  private static Path file(Path folder, int window) {
    return folder.resolve("window-" + window);
  }

  private static void write(BufferedOutputStream out, int user, int name) {
    try {
      out.write(ByteBuffer.allocate(Long.BYTES).putInt(user).putInt(name).array());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  NameWorkload workload() {
    return workload;
  }

  /** Events of all windows. */
  long events() {
    long sum = 0;
    for (long window : events) {
      sum += window;
    }
    return sum;
  }

  /** Event time of a window's end, of windows from 1. */
  static long end(int window) {
    return BEGIN + window * Workload.WINDOW_MILLIS;
  }

  /**
   * Writes all events into a topic, with a tick in front and one behind every window.
   *
   * @param progress is told how many events are written
   */
  void publish(EventPublisher publisher, String topic, LongConsumer progress)
      throws RefusedException {
    publisher.tickBetween(topic, BEGIN, TickHeader.unsigned());
    long done = 0;
    for (int window = 1; window <= workload.windows(); window++) {
      long[] mixed = mixed(window);
      for (int i = 0; i < mixed.length; i++) {
        String user = Workload.subject((int) (mixed[i] >>> Integer.SIZE));
        publisher.event(topic, user, value(user, (int) mixed[i], time(window, i, mixed.length)));
        progress.accept(++done);
      }
      publisher.tickBetween(topic, end(window), TickHeader.unsigned());
    }
    publisher.flush();
  }

  private static long time(int window, int place, int of) {
    return end(window - 1) + Workload.WINDOW_MILLIS * place / of;
  }

  /** User and name of each. */
  private long[] mixed(int window) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file(folder, window)));
      long[] mixed = new long[bytes.remaining() / Long.BYTES];
      bytes.asLongBuffer().get(mixed);
      SplittableRandom random = new SplittableRandom(window);
      for (int i = mixed.length - 1; i > 0; i--) {
        int other = random.nextInt(i + 1);
        long swapped = mixed[i];
        mixed[i] = mixed[other];
        mixed[other] = swapped;
      }
      return mixed;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How a name is written. */
  static String name(int name) {
    return "n" + name;
  }

  /** Inverse of {@link #name}. */
  static int name(String text) {
    return Integer.parseInt(text.substring(1));
  }

  /** In the fields that all bare topologies read; the list is there for the pipeline. */
  private static byte[] value(String user, int name, long time) {
    // By hand: they are many.
    return ("{\"subject\":\""
            + user
            + "\",\"category\":\""
            + name(name)
            + "\",\"at\":"
            + time
            + ",\"list\":\"all\"}")
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** Deletes what lies on disk. */
  void delete() {
    try {
      for (int window = 1; window <= workload.windows(); window++) {
        Files.deleteIfExists(file(folder, window));
      }
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
