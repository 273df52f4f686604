// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.count.NextBound.Threshold;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.DeadLetter;
import io.sfumato.schema.Guarantee;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Published numbers of users beyond bounds, as proposals for the next version take them. */
class PublishedUsersTest {
  private static final Instant BEGIN = Instant.parse("2026-11-02T00:00:00Z");

  private final UsersBeyond published = new UsersBeyond(2, 2);

  private void add(int version, String output, int window, String subject, long users) {
    Guarantee guarantee = new Guarantee();
    guarantee.setPipelineVersion(version);
    CountRelease release = new CountRelease();
    release.setGuarantee(guarantee);
    release.setOutput(output);
    release.setSubject(subject);
    release.setWindowStart(BEGIN.plus(Duration.ofDays(window)));
    release.setCounts(List.of(users));
    published.add(release);
  }

  @Test
  void shouldAverageTheLastWindowsOfThisVersion() {
    add(1, "more", 0, "east", 900);
    add(2, "more", 3, "east", 10);
    add(2, "more", 3, "west", -4);
    // Of a window before those: whatever partition it comes from.
    add(2, "more", 1, "east", 500);
    add(2, "more", 2, "east", 7);
    add(2, "more", 2, "west", 3);
    published.add(new DeadLetter());
    assertThat(published.windows("more")).isEqualTo(2);
    assertThat(published.numbers("more")).isEqualTo(4);
    assertThat(published.mean("more")).hasValue(4);
  }

  /** A retry of a release would be the same bytes: it counts once. */
  @Test
  void shouldCountANumberOnce() {
    add(2, "more", 3, "east", 10);
    add(2, "more", 3, "east", 10);
    assertThat(published.numbers("more")).isEqualTo(1);
  }

  @Test
  void shouldKnowNothingOfWhatWasNotPublished() {
    add(2, "more", 3, "east", 10);
    List<Threshold> thresholds =
        List.of(new Threshold("more", "m", 4, 1.5), new Threshold("far", "f", 9, 1.5));
    assertThat(published.mean("far")).isEmpty();
    assertThat(published.means(thresholds)).containsOnlyKeys(4).containsEntry(4, 10.0);
  }
}
