// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.property;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** How many items an array or a list has. */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface Size {
  /** Exactly so many; wins over the other two. */
  int value() default -1;

  /** At least so many. */
  int min() default 0;

  /** At most so many. */
  int max() default Generators.ITEMS;
}
