// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.property;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.ReflectionSupport;

/** Runs a {@link Property} as often as it asks for, in place of its one invocation. */
final class PropertyExtension implements InvocationInterceptor, ParameterResolver {
  /** Configuration parameter: runs of properties that name none. */
  static final String TRIES = "sfumato.property.tries";

  /** Configuration parameter: seed of properties that name none. */
  static final String SEED = "sfumato.property.seed";

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.isAnnotated(ForAll.class);
  }

  /** A value of the right type, which nobody sees: the interception below draws all of them. */
  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return new Tries(1, 0, List.of(Generators.of(parameter.getParameter()))).arguments(0)[0];
  }

  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context) {
    invocation.skip();
    Method body = method.getExecutable();
    Object test = method.getTarget().orElseThrow();
    tries(body, context).run(arguments -> ReflectionSupport.invokeMethod(body, test, arguments));
  }

  private static Tries tries(Method body, ExtensionContext context) {
    Property property = body.getAnnotation(Property.class);
    int count =
        property.tries() > 0
            ? property.tries()
            : context.getConfigurationParameter(TRIES, Integer::valueOf).orElseThrow();
    long seed =
        property.seed().isEmpty()
            ? context
                .getConfigurationParameter(SEED, Long::valueOf)
                .orElseGet(() -> ThreadLocalRandom.current().nextLong())
            : Long.parseLong(property.seed());
    List<Generator<?>> generators =
        Arrays.stream(body.getParameters()).<Generator<?>>map(Generators::of).toList();
    return new Tries(count, seed, generators);
  }
}
