package io.sfumato.mechanism;

import java.util.Map;

/** One way to publish a histogram. */
public interface HistogramMechanism extends Mechanism<Histogram, HistogramRelease> {
  /** The word of pipeline files: {@code dirichlet}, {@code gaussian}, {@code laplace}. */
  String method();

  /** The parameters by name, for people and reports. */
  Map<String, Double> parameters();
}
