// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.property;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Which long whole numbers a parameter, or an item of a list, stands for. */
@Target({ElementType.PARAMETER, ElementType.TYPE_USE})
@Retention(RetentionPolicy.RUNTIME)
public @interface LongRange {
  /** Smallest value, which is drawn too. */
  long min() default 0;

  /** Largest value, which is drawn too. */
  long max() default Long.MAX_VALUE;
}
