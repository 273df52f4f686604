// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.modeller;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The simulators by name. */
public final class Simulators {
  /** Components of the mixture, as in the paper. */
  private static final int COMPONENTS = 5;

  private static final Map<String, Function<List<String>, Simulator>> BY_NAME =
      new LinkedHashMap<>();

  static {
    BY_NAME.put("mixture-of-uniforms", categories -> new MixtureOfUniforms(COMPONENTS));
    BY_NAME.put("tuberculosis", categories -> new Tuberculosis());
    BY_NAME.put("event-rates", EventRates::new);
  }

  private Simulators() {}

  /** Words by which commands name them. */
  public static List<String> names() {
    return List.copyOf(BY_NAME.keySet());
  }

  /**
   * A simulator.
   *
   * @param categories of the pipeline, which event-rates needs
   * @throws IllegalArgumentException if there is none of that name
   */
  public static Simulator named(String name, List<String> categories) {
    Function<List<String>, Simulator> maker = BY_NAME.get(name);
    if (maker == null) {
      throw new IllegalArgumentException(
          "no simulator '" + name + "', there are " + String.join(", ", names()));
    }
    if (name.equals("event-rates") && categories.isEmpty()) {
      throw new IllegalArgumentException(
          "event-rates needs a pipeline whose records have categories");
    }
    return maker.apply(categories);
  }
}
