// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.demo;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.pipeline.Crossing;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.record.WrittenTime;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * People who listen to a radio, or do whatever a pipeline counts: each has habits of their own, is
 * awake or away, and sometimes a broken phone sends nonsense. Keeps the true histograms, which only
 * a demonstration may show.
 */
final class Listeners {
  private static final double BROKEN = 0.002;
  private static final double LEAST_ACTIVITY = 0.3;
  private static final double BANDWIDTHS = 8;

  private final List<Listener> listeners = new ArrayList<>();
  private final Map<String, long[]> truth = new HashMap<>();
  private final InputSpec input;
  private final Optional<Population> population;
  private final List<String> listed;
  private final List<String> actions;
  private final WindowSpec window;
  private final double range;
  private final List<Optional<NumberBounds>> bounds;
  private final UniformRandomProvider random;
  private final MadeUpWords words;
  private final Optional<MadeUpColumns> crossed;

  private record Listener(String name, int number, double[] habits, double activity) {}

  /** One event. */
  record Event(String listener, byte[] value) {}

  /**
   * @param pipeline counts categories of JSON records; its fields are filled
   */
  Listeners(int count, Pipeline pipeline, UniformRandomProvider random) {
    this.input = pipeline.input();
    this.population = pipeline.population();
    this.listed = pipeline.listed();
    this.actions = input.allCategories();
    this.window = pipeline.window();
    this.range = pipeline.features().map(kept -> BANDWIDTHS * kept.bandwidth()).orElse(1.0);
    this.bounds = IntStream.range(0, input.values().size()).mapToObj(pipeline::bounds).toList();
    this.random = random;
    this.words = new MadeUpWords(random::nextDouble);
    this.crossed =
        input
            .columns()
            .filter(Crossing.class::isInstance)
            .map(Crossing.class::cast)
            .map(crossing -> new MadeUpColumns(crossing, random::nextDouble));
    for (int i = 0; i < count; i++) {
      double[] habits = new double[actions.size()];
      for (int k = 0; k < habits.length; k++) {
        // Squared exponentials: a few strong habits each.
        habits[k] =
            Math.pow(-Math.log(1 - random.nextDouble()), 2)
                + (k == 0 && crossed.isEmpty() ? 2 : 0.1);
        long place = k;
        habits[k] *= crossed.map(columns -> columns.weight(place)).orElse(1.0);
      }
      listeners.add(
          new Listener(
              "listener-%02d".formatted(i), i, habits, LEAST_ACTIVITY + random.nextDouble()));
    }
  }

  /**
   * Puts a time in the file's own form.
   *
   * @return the time as it is read: the form may have no seconds
   */
  private long putTime(ObjectNode json, long now) {
    Optional<WrittenTime> written = WrittenTime.unlessNumber(input.formats().times(), now);
    written.ifPresentOrElse(
        time -> json.put(input.time(), time.text()), () -> json.put(input.time(), now));
    return written.map(WrittenTime::millis).orElse(now);
  }

  Event next(long now) {
    Listener listener =
        listeners.get(pick(listeners.stream().mapToDouble(Listener::activity).toArray()));
    int action = actions.isEmpty() ? 0 : pick(listener.habits());
    if (random.nextDouble() < BROKEN) {
      return new Event(listener.name(), "{\"listener\":".getBytes(StandardCharsets.UTF_8));
    }
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    String subject = subject(listener);
    json.put(input.subject(), subject);
    long read = putTime(json, now);
    population.ifPresent(people -> json.put(people.user(), listener.name()));
    List<String> fields = input.categoryFields();
    List<String> values = fields.isEmpty() ? List.of() : values(subject, action);
    for (int i = 0; i < fields.size(); i++) {
      json.put(fields.get(i), values.get(i));
    }
    for (int place = 0; place < input.values().size(); place++) {
      json.put(input.values().get(place), number(listener, place));
    }
    input.id().ifPresent(field -> json.put(field, Long.toHexString(random.nextLong())));
    input.weight().ifPresent(field -> json.put(field, 1 + (int) (3 * random.nextDouble())));
    synchronized (truth) {
      truth
          .computeIfAbsent(
              listener.name() + "@" + window.startOf(read),
              k -> new long[Math.max(1, actions.size())])[action]++;
    }
    return new Event(listener.name(), json.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** What stands in the fields of the category. */
  private List<String> values(String subject, int action) {
    if (!actions.isEmpty()) {
      return input.valuesOf(action);
    }
    int place = Math.max(0, listed.indexOf(subject));
    if (input.columns().isEmpty()) {
      return List.of(words.next(place));
    }
    return crossed
        .map(columns -> columns.next(() -> words.next(place)))
        .orElseGet(() -> input.valuesOf((long) (input.places() * random.nextDouble())));
  }

  /**
   * Some have larger numbers than others; features tell apart what lies some bandwidths apart. Of a
   * public range most lie in its lower part, as amounts and durations do.
   */
  private double number(Listener listener, int place) {
    double own = 0.7 * (listener.activity() - LEAST_ACTIVITY) + 0.3 * random.nextDouble();
    return bounds
        .get(place)
        .map(inside -> Math.rint(100 * inside.at(own * own)) / 100)
        .orElse(range * own);
  }

  /** Each is a subject, or feeds one of the list's: at random, or one alone where it has names. */
  private String subject(Listener listener) {
    if (input.discovers() && !listed.isEmpty()) {
      return listed.get(listener.number() % listed.size());
    }
    return population.isEmpty() || listed.isEmpty()
        ? listener.name()
        : listed.get((int) (random.nextDouble() * listed.size()));
  }

  /** True shares of a subject's window. */
  double[] truth(String subject, long windowStart) {
    long[] counts;
    synchronized (truth) {
      counts = truth.getOrDefault(subject + "@" + windowStart, new long[actions.size()]).clone();
    }
    double sum = Math.max(1, Arrays.stream(counts).sum());
    return Arrays.stream(counts).mapToDouble(count -> count / sum).toArray();
  }

  private int pick(double[] weights) {
    double left = random.nextDouble() * Arrays.stream(weights).sum();
    for (int i = 0; i < weights.length - 1; i++) {
      left -= weights[i];
      if (left < 0) {
        return i;
      }
    }
    return weights.length - 1;
  }
}
