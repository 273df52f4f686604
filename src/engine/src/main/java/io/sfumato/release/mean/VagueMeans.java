// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Stretches of windows in which a mean is hardly known: its interval is told as wide as its noise,
 * and nothing is published outside the range.
 *
 * @param spec of the file
 * @param told errors of each stretch, by its name, in the order in which they are told
 */
record VagueMeans(MeanSpec spec, Map<String, MeanErrors> told) {
  /** One for each number that is vague somewhere. */
  List<String> warnings() {
    return spec.values().stream()
        .map(value -> Map.entry(value.name(), vague(value)))
        .filter(found -> !found.getValue().isEmpty())
        .map(
            found ->
                "the mean of %s is known within %s only: %s"
                    .formatted(found.getKey(), found.getValue(), MeanReport.remedy(spec)))
        .toList();
  }

  private String vague(MeasuredValue value) {
    return told.entrySet().stream()
        .filter(stretch -> MeanReport.part(stretch.getValue(), value) > MeanReport.VAGUE)
        .map(
            stretch ->
                String.format(
                    Locale.ROOT,
                    "%.0f%% of its range %s",
                    100 * MeanReport.part(stretch.getValue(), value),
                    stretch.getKey()))
        .collect(Collectors.joining(", "));
  }
}
