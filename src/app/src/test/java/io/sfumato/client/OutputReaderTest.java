// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OutputReaderTest {
  @Test
  void shouldNameTheNearestTopicAndHowManyMoreThereAre() {
    Set<String> many =
        IntStream.range(0, 20).mapToObj("a-topic-%02d"::formatted).collect(Collectors.toSet());
    many.add("gym-counts");
    many.add("__consumer_offsets");
    assertThat(OutputReader.others("gym-count", many))
        .startsWith(". Did you mean 'gym-counts'? Topics there: a-topic-00, a-topic-01, ")
        .endsWith("a-topic-11 and 9 more");
    assertThat(OutputReader.others("gym-count", Set.of("visits", "sfumato-b-registry")))
        .isEqualTo(". Topics there: visits");
    assertThat(OutputReader.others("gym-count", Set.of())).isEmpty();
  }
}
