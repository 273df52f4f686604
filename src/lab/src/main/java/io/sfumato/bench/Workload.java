// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.RejectionInversionZipfSampler;

/**
 * Events to be counted. The same parameters give the same events.
 *
 * @param events number of them, at least 1
 * @param subjects number of users, at least 1
 * @param activity how events fall on users
 * @param windows over which the events' times are spread evenly, at least 1
 */
record Workload(int events, int subjects, Activity activity, int windows) {
  /** d, number of categories. */
  static final int CATEGORIES = 32;

  /** Length of a window of event time. */
  static final long WINDOW_MILLIS = 60_000;

  /** Event time of the first event, 2026-01-01, a window's start. */
  static final long BEGIN = 1_767_225_600_000L;

  private static final double ZIPF_EXPONENT = 1.1;
  private static final long SEED = 20_260_101;

  /** How events fall on users. */
  enum Activity {
    UNIFORM,
    /** The k-th most active user has a share of k^-1.1. */
    ZIPF,
    /** All users in turn, so that each has events. */
    IN_TURN
  }

  String topic() {
    return String.format(Locale.ROOT, "bench-%d-%d-%s-%d", events, subjects, activity, windows);
  }

  /** One event. */
  record Event(String subject, byte[] value) {
    byte[] key() {
      return subject.getBytes(StandardCharsets.US_ASCII);
    }
  }

  /** One event of a user, in a category that is drawn. */
  static Event event(String subject, long time, SplittableRandom random) {
    return new Event(subject, value(subject, time, random.nextInt(CATEGORIES)));
  }

  /** One event with two numbers, x and y. */
  static Event numbers(String subject, long time, SplittableRandom random) {
    String value =
        String.format(
            Locale.ROOT,
            "{\"subject\":\"%s\",\"at\":%d,\"category\":\"%s\",\"x\":%.3f,\"y\":%.3f}",
            subject,
            time,
            name(random.nextInt(CATEGORIES)),
            random.nextDouble(),
            random.nextDouble());
    return new Event(subject, value.getBytes(StandardCharsets.US_ASCII));
  }

  interface Sink {
    void accept(Event event);
  }

  /** Makes the events, in order. */
  void generate(Sink sink) {
    SplittableRandom random = new SplittableRandom(SEED);
    IntSupplier users = users(random);
    for (int i = 0; i < events; i++) {
      String subject = subject(users.getAsInt());
      long time = BEGIN + (long) ((double) i / events * windows * WINDOW_MILLIS);
      sink.accept(event(subject, time, random));
    }
  }

  static String subject(int user) {
    return String.format(Locale.ROOT, "user-%07d", user);
  }

  private static byte[] value(String subject, long time, int category) {
    return String.format(
            Locale.ROOT,
            "{\"subject\":\"%s\",\"at\":%d,\"category\":\"%s\"}",
            subject,
            time,
            name(category))
        .getBytes(StandardCharsets.US_ASCII);
  }

  static String name(int category) {
    return String.format(Locale.ROOT, "c%02d", category);
  }

  private IntSupplier users(SplittableRandom random) {
    if (activity == Activity.UNIFORM) {
      return () -> random.nextInt(subjects);
    }
    if (activity == Activity.IN_TURN) {
      AtomicInteger next = new AtomicInteger();
      return () -> next.getAndIncrement() % subjects;
    }
    UniformRandomProvider source = random::nextLong;
    var sampler = RejectionInversionZipfSampler.of(source, subjects, ZIPF_EXPONENT);
    // Neighbours in rank must not be neighbours in the store.
    return () -> (int) ((sampler.sample() * 2_654_435_761L & Long.MAX_VALUE) % subjects);
  }
}
