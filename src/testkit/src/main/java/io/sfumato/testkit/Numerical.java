// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A deep test class that repeats the same computation for ten seconds or more. The build runs these
 * classes in JVMs with both JIT compilers, where they need a third less processor time; all other
 * tests need less with the first compiler alone.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("deep")
@Tag(Numerical.TAG)
public @interface Numerical {
  /** Selects these classes in the build. */
  String TAG = "numerical";
}
