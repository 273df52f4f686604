// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Events that keep coming at a steady speed, until it is closed. */
final class RecordFlow implements AutoCloseable {
  private static final Duration TICK = Duration.ofMillis(1);

  private final KafkaProducer<byte[], byte[]> producer;
  private final Thread thread;
  private volatile boolean stopped;

  /**
   * Makes it ready.
   *
   * @param perSecond events a second
   * @param subjects number of users
   * @param time event time of an event that is sent now
   */
  RecordFlow(Arena arena, String topic, int perSecond, int subjects, LongSupplier time) {
    producer = arena.producer();
    thread = new Thread(() -> send(topic, perSecond, subjects, time), "bench-flow");
    thread.setDaemon(true);
  }

  RecordFlow start() {
    thread.start();
    return this;
  }

  private void send(String topic, int perSecond, int subjects, LongSupplier time) {
    SplittableRandom random = new SplittableRandom(7);
    long began = System.nanoTime();
    long sent = 0;
    while (!stopped) {
      long due = (long) ((System.nanoTime() - began) / 1e9 * perSecond);
      for (; sent < due; sent++) {
        String subject = Workload.subject(random.nextInt(subjects));
        Workload.Event event = Workload.event(subject, time.getAsLong(), random);
        producer.send(new ProducerRecord<>(topic, event.key(), event.value()));
      }
      LockSupport.parkNanos(TICK.toNanos());
    }
  }

  @Override
  public void close() {
    stopped = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    producer.close();
  }
}
