// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.demo;

import io.sfumato.client.EventPublisher;
import io.sfumato.client.Speed;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/** Publishes what made-up people do, in the present, to the topics of a pipeline. */
public final class Player {
  private static final Duration SHORT = Duration.ofSeconds(10);

  private final KafkaSettings settings;
  private final Pipeline pipeline;
  private final Listeners people;

  /** Which of the topics gets the next event: one after the other. */
  private int next;

  /**
   * @param pipeline counts categories or numbers of JSON records
   * @param people number of subjects
   */
  public Player(KafkaSettings settings, Pipeline pipeline, int people) {
    this(settings, pipeline, new Listeners(people, pipeline, new SplittableRandom()::nextLong));
  }

  Player(KafkaSettings settings, Pipeline pipeline, Listeners people) {
    this.settings = settings;
    this.pipeline = pipeline;
    this.people = people;
  }

  /**
   * Publishes until it is told to stop.
   *
   * @param perSecond events a second
   * @param told is called with the number of events so far
   */
  public void play(double perSecond, BooleanSupplier goOn, LongConsumer told)
      throws RefusedException {
    Speed speed = Speed.parse(perSecond + "/s");
    long sent = 0;
    try (EventPublisher publisher = new EventPublisher(settings)) {
      for (double at = begun(); at < System.currentTimeMillis() && goOn.getAsBoolean(); ) {
        send(publisher, (long) at);
        told.accept(++sent);
        at += 1000 / perSecond;
      }
      while (goOn.getAsBoolean()) {
        speed.await(0);
        send(publisher, System.currentTimeMillis());
        told.accept(++sent);
      }
    }
  }

  /** Of a short window that runs already, its past comes first: no first release of a rest. */
  private long begun() {
    long now = System.currentTimeMillis();
    WindowSpec window = pipeline.window();
    return window.grid().longest().compareTo(SHORT) > 0 ? now : window.startOf(now);
  }

  private void send(EventPublisher publisher, long at) throws RefusedException {
    Listeners.Event event = people.next(at);
    List<String> topics = pipeline.input().topics().names();
    publisher.event(topics.get(next), event.listener(), event.value());
    next = (next + 1) % topics.size();
  }
}
