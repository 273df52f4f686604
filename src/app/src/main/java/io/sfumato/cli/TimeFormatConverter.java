// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.record.TimeFormat;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads how times are written, on the command line. */
final class TimeFormatConverter implements ITypeConverter<TimeFormat> {
  @Override
  public TimeFormat convert(String word) {
    try {
      return TimeFormat.of(word);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException("'" + word + "' is not " + e.getMessage());
    }
  }
}
