// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import io.sfumato.mechanism.quantile.Bins.Scale;
import io.sfumato.pipeline.EnumWords;
import java.util.Map;

/** Words for scales: files, digests and outputs have them, so they never change. */
final class Scales {
  private Scales() {}

  static String word(Scale scale) {
    return switch (scale) {
      case LINEAR -> "linear";
      case LOG -> "log";
    };
  }

  static Map<String, Scale> words() {
    return EnumWords.either(word(Scale.LINEAR), Scale.LINEAR, word(Scale.LOG), Scale.LOG);
  }
}
