// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.property;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A parameter of a {@link Property}, which stands for every value of its type and range. */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface ForAll {}
