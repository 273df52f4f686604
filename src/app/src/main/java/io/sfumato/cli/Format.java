// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

/** How facts are printed. */
enum Format {
  TEXT,
  JSON
}
