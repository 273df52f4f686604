// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YamlEditTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'version: 1   # the first'|version|'version: 27   # the first'",
        "'name: 😀 grün\nversion: \"1\"\n'|version|'name: 😀 grün\nversion: 27\n'",
        "'c: { per-window: 4, subjects: 2 } # C'|c.per-window|'c: { per-window: 27, subjects: 2 } # C'",
        "'c:\n  # most\n  per-window: 4\nd: 4\n'|c.per-window|'c:\n  # most\n  per-window: 27\nd: 4\n'",
      })
  void shouldChangeNothingElse(String yaml, String path, String changed) {
    assertThat(new YamlEdit(yaml).with(List.of(path.split("\\.")), "27")).contains(changed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"'a: 1'|b", "'a: [1]'|a", "'a: 1'|a.b", "'# a'|a"})
  void shouldTellThatThereIsNoSuchValue(String yaml, String path) {
    assertThat(new YamlEdit(yaml).with(List.of(path.split("\\.")), "27")).isEmpty();
  }
}
