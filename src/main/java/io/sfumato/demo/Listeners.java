package io.sfumato.demo;

import io.sfumato.pipeline.WindowSpec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * People who listen to a radio: each has habits of their own, is awake or away, and sometimes a
 * broken phone sends nonsense. Keeps the true histograms, which only a demonstration may show.
 */
final class Listeners {
  private static final double BROKEN = 0.002;

  private final List<Listener> listeners = new ArrayList<>();
  private final Map<String, long[]> truth = new HashMap<>();
  private final List<String> actions;
  private final WindowSpec window;
  private final UniformRandomProvider random;

  private record Listener(String name, double[] habits, double activity) {}

  /** One event. */
  record Event(String listener, byte[] value) {}

  Listeners(int count, List<String> actions, WindowSpec window, UniformRandomProvider random) {
    this.actions = actions;
    this.window = window;
    this.random = random;
    for (int i = 0; i < count; i++) {
      double[] habits = new double[actions.size()];
      for (int k = 0; k < habits.length; k++) {
        // Squared exponentials: a few strong habits each.
        habits[k] = Math.pow(-Math.log(1 - random.nextDouble()), 2) + (k == 0 ? 2 : 0.1);
      }
      listeners.add(new Listener("listener-%02d".formatted(i), habits, 0.3 + random.nextDouble()));
    }
  }

  Event next(long now) {
    Listener listener =
        listeners.get(pick(listeners.stream().mapToDouble(Listener::activity).toArray()));
    int action = pick(listener.habits());
    if (random.nextDouble() < BROKEN) {
      return new Event(listener.name(), "{\"listener\":".getBytes(StandardCharsets.UTF_8));
    }
    String json =
        "{\"listener\":\"%s\",\"at\":%d,\"action\":\"%s\"}"
            .formatted(listener.name(), now, actions.get(action));
    synchronized (truth) {
      truth
          .computeIfAbsent(
              listener.name() + "@" + window.startOf(now), k -> new long[actions.size()])[action]++;
    }
    return new Event(listener.name(), json.getBytes(StandardCharsets.UTF_8));
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
