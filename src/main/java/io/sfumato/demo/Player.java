// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.demo;

import io.sfumato.client.EventPublisher;
import io.sfumato.client.Speed;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/** Publishes what made-up people do, in the present, to a pipeline's topic. */
public final class Player {
  private final KafkaSettings settings;
  private final Pipeline pipeline;
  private final Listeners people;

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
      while (goOn.getAsBoolean()) {
        speed.await(0);
        Listeners.Event event = people.next(System.currentTimeMillis());
        publisher.event(pipeline.input().topic(), event.listener(), event.value());
        told.accept(++sent);
      }
    }
  }
}
