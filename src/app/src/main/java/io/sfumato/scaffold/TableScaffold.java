// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

/** A draft's tables of several fields. */
final class TableScaffold {
  private TableScaffold() {}

  /**
   * The release.
   *
   * @param name of the pipeline
   * @param epsilon of its share
   * @param delta likewise
   * @param windows a line for shares that last a number of windows, or nothing
   */
  static String release(String name, String epsilon, String delta, String windows) {
    return """
          # The total, the counts of each field and those of each two: they agree, for one charge (docs/guides/funnels.md).
          # Fields within each other (country, region, city) are a path instead: 'Paths' there.
          - table:
              name: %s-tables\1\1also the topic it is published to
              share: { epsilon: %s, delta: %s }
        %s"""
        .formatted(name, epsilon, delta, windows);
  }
}
