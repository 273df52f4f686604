// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.property;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that holds for every value of its parameters. It runs once for every try, on one instance,
 * between one pair of set-up and clean-up methods; assumptions discard a try, and another is drawn.
 */
@Test
@ExtendWith(PropertyExtension.class)
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Property {
  /** Tries; 0 leaves it to the configuration parameter {@value PropertyExtension#TRIES}. */
  int tries() default 0;

  /** Seed of all tries, a number; by default each run has one of its own, which failures name. */
  String seed() default "";
}
