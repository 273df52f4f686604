// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.topology.roster.SubjectStore;
import io.sfumato.topology.store.StagedWrites;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SubjectStoreTest {
  /** Rows of those who come and go do not grow, and nothing that is still asked is forgotten. */
  @Test
  void shouldForgetSpansThatAreOverAndNoOthers() {
    StagedWrites staged = new StagedWrites(MemoryStores.named("any"));
    SubjectStore roster = new SubjectStore(staged);
    for (long window = 0; window < 1000; window += 10) {
      roster.enrol("ann", window);
      roster.leave("ann", window + 5);
    }
    int before = staged.get(SubjectStore.key("ann")).length;
    roster.forgetBefore(roster.after("", 1).get(0), 905);
    assertThat(staged.get(SubjectStore.key("ann")).length).isLessThan(before / 8);
    assertThat(LongStream.range(905, 1100).filter(w -> roster.covers("ann", w)))
        .containsExactlyElementsOf(
            LongStream.range(905, 1000).filter(w -> w % 10 < 5).boxed().toList());
    roster.forgetBefore(roster.after("", 1).get(0), 995);
    assertThat(staged.get(SubjectStore.key("ann"))).isNull();
  }
}
