// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.Shown;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.CountedName;
import io.sfumato.schema.NamesRelease;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** How text of any kind is laid out. */
class OutputTextTest {
  private static CountRelease counts(int categories) {
    CountRelease release = new CountRelease();
    release.setSince(Instant.EPOCH);
    release.setCategories(IntStream.range(0, categories).mapToObj(i -> "category " + i).toList());
    release.setCounts(LongStream.range(0, categories).boxed().toList());
    release.setError95(3);
    return release;
  }

  private static NamesRelease names(int many) {
    NamesRelease release = new NamesRelease();
    release.setSince(Instant.EPOCH);
    release.setPart(0);
    release.setParts(1);
    release.setThreshold(25);
    release.setNames(
        IntStream.range(0, many)
            .mapToObj(i -> new CountedName("n" + i, 700L + i, 680L + i, 725L + i, i % 3 == 0))
            .toList());
    return release;
  }

  @Test
  void shouldWrapAListAndKeepTheBoundWithItsLastItem() {
    List<String> lines = Shown.text(counts(7)).lines().toList();
    assertThat(lines)
        .containsExactly(
            "1970-01-01 00:00  north        category 0 0  category 1 1  category 2 2",
            "    category 3 3  category 4 4  category 5 5  category 6 6  +-3");
    assertThat(Shown.whole(counts(7)).lines()).hasSize(1);
  }

  @Test
  void shouldSayHowManyGroupsHaveNoRoom() {
    assertThat(Shown.text(counts(60))).endsWith("and 20 more  +-3");
    assertThat(Shown.whole(counts(60))).endsWith("category 59 59  +-3");
  }

  @Test
  void shouldShowTheLargestAndSayHowManyOfTheOthersAreMarked() {
    assertThat(Shown.text(names(500)))
        .contains("n499 1,199  n498 1,198 (found)")
        .endsWith("and 492 more, 164 of them found  +-25");
    assertThat(Shown.whole(names(500))).contains("n0 700 (found)").doesNotContain(" more");
  }

  @Test
  void shouldSayThatThereIsNothing() {
    NamesRelease none = names(0);
    none.setOther(5L);
    none.setOtherError95(2L);
    assertThat(Shown.whole(none))
        .isEqualTo(
            "1970-01-01 00:00  north        no name with a noisy count of 25 or more  other 5 +-2");
    none.setSince(Instant.EPOCH.minusSeconds(120));
    assertThat(Shown.whole(none)).contains("north        since 1969-12-31 23:58  no name with");
  }

  /** A topic's writer chooses subjects: a long one moves what is said of it into the next line. */
  @Test
  void shouldGoOnInTheNextLineWhenASubjectIsLong() {
    CountRelease release = counts(1);
    release.setSubject("s".repeat(70));
    assertThat(Shown.text(release).lines())
        .containsExactly("1970-01-01 00:00  " + "s".repeat(70), "    category 0 0  +-3");
  }
}
