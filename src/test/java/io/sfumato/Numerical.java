// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Of a class of tests that computes the same for ten seconds and more: the build runs it in
 * processes that compile with both compilers, where it takes a third less. Elsewhere the second one
 * costs more than it saves.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag(Numerical.TAG)
public @interface Numerical {
  /** In the build's description. */
  String TAG = "numerical";
}
