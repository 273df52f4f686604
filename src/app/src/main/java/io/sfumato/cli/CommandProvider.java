// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import java.util.Map;
import java.util.ServiceLoader;

/** Commands that an optional part of an installation adds; {@link ServiceLoader} finds them. */
public interface CommandProvider {
  /** Command classes by name; only names for which the program has a stub are used. */
  Map<String, Class<?>> commands();
}
