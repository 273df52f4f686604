// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.record.CanonicalName;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A name as records and releases have it, however it was typed. */
final class NameConverter implements ITypeConverter<String> {
  @Override
  public String convert(String typed) {
    return CanonicalName.ofText(typed)
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "a name has 1 to %d bytes and no control characters"
                        .formatted(CanonicalName.MOST_BYTES)));
  }
}
