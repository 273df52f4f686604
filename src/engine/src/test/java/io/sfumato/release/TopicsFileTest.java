// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static io.sfumato.release.Plans.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.CanonicalText;
import io.sfumato.pipeline.InputTopics;
import io.sfumato.pipeline.PipelineFileException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code input.topic}: one topic, a list of them, or a pattern. */
class TopicsFileTest {
  private static final String ONE =
      """
      pipeline: shop
      input: { topic: clicks, subject: who, time: at, category: what, categories: [a, b] }
      window: { size: 1d }
      budget: { name: shop, unit: record, epsilon: 1, delta: 1e-6, period: window }
      releases:
        - histogram: { name: numbers, share: { epsilon: 1, delta: 1e-6 } }
      """;

  private static Plan with(String topics) throws PipelineFileException {
    return plan(ONE.replace("topic: clicks", "topic: " + topics));
  }

  private static InputTopics topics(String topics) throws PipelineFileException {
    return with(topics).pipeline().input().topics();
  }

  @Test
  void shouldReadOneTopicOrAList() throws Exception {
    assertThat(topics("clicks").only()).contains("clicks");
    InputTopics several = topics("[clicks-us, clicks-eu]");
    assertThat(several.names()).containsExactly("clicks-us", "clicks-eu");
    assertThat(several.only()).isEmpty();
    assertThat(several.phrase()).isEqualTo("topics clicks-us, clicks-eu");
    assertThat(several.include("clicks-eu")).isTrue();
    assertThat(several.include("clicks-asia")).isFalse();
  }

  @Test
  void shouldReadAPatternWhoseTopicsAreNotKnownYet() throws Exception {
    InputTopics pattern = topics("{ pattern: 'clicks-.*' }");
    assertThat(pattern.isUnresolved()).isTrue();
    assertThat(pattern.include("clicks-eu")).isTrue();
    assertThat(pattern.include("more-clicks-eu")).as("whole names").isFalse();
    assertThat(pattern.phrase()).isEqualTo("topics that match 'clicks-.*'");
    assertThat(pattern.resolved(List.of("clicks-eu")).phrase()).isEqualTo("topic clicks-eu");
  }

  @Test
  void shouldLeaveOneTopicAsItWasInDigestAndLayout() throws Exception {
    Plan one = with("clicks");
    assertThat(CanonicalText.of(one.pipeline().input())).startsWith("InputSpec[topic=clicks, ");
    assertThat(one.layout()).containsEntry(Plan.TOPICS, "clicks");
  }

  @Test
  void shouldMakeAnotherDigestOfOtherTopics() throws Exception {
    assertThat(with("[a, b]").digestText())
        .isNotEqualTo(with("[b, a]").digestText())
        .isNotEqualTo(with("[a, b, c]").digestText())
        .isNotEqualTo(with("a").digestText());
    Plan pattern = with("{ pattern: 'a|b' }");
    Plan resolved =
        new Plan(
            pattern
                .pipeline()
                .with(pattern.pipeline().input().topics().resolved(List.of("a", "b"))),
            pattern.releases());
    assertThat(resolved.digestText()).as("the state has the list").isEqualTo(pattern.digestText());
  }

  /** A right on a prefix covers topics that appear later. */
  @ParameterizedTest
  @CsvSource({
    "clicks-.*, clicks-",
    "clicks, clicks",
    "clicks-e?u, clicks-",
    "clicks[-.]eu, clicks",
    "a{2}, ''",
    "clicks|orders, ''",
    "'.*-clicks', ''"
  })
  void shouldKnowHowMatchingNamesBegin(String pattern, String prefix) {
    assertThat(InputTopics.matching(pattern).prefix()).contains(prefix);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {".*", "shop-.*", "numbers", "sfumato-.*", "__.*", ".*-control", "[a-z-]+"})
  void shouldRefuseAPatternThatMatchesATopicThatHoldsNoRecords(String pattern) {
    assertThatThrownBy(() -> with("{ pattern: '" + pattern + "' }"))
        .isInstanceOf(PipelineFileException.class)
        .hasMessageContaining("field 'input.topic': the pattern matches");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[clicks] | 2 to 100",
        "[clicks, clicks] | twice or empty",
        "[clicks, 'no topic'] | a Kafka topic",
        "[clicks, __consumer_offsets] | the cluster itself",
        "shop-dead-letters | found 'shop-dead-letters', which is a topic of the pipeline itself",
        "[clicks, shop-control] | found 'shop-control', which is a topic of the pipeline itself",
        "[clicks, sfumato-accounts] | any topic but those of budgets",
        "[clicks, numbers] | used twice",
        "{ pattern: '[' } | a Java regular expression",
        "{ regex: 'clicks-.*' } | unknown",
        "{ } | is missing"
      })
  void shouldSayWhatIsAllowed(String topics, String allowed) {
    assertThatThrownBy(() -> with(topics))
        .isInstanceOf(PipelineFileException.class)
        .hasMessageContaining(allowed);
  }

  @Test
  void shouldRefuseMoreTopicsThanAMessageHasRoomFor() {
    String many =
        IntStream.range(0, InputTopics.MOST + 1)
            .mapToObj(i -> "t" + i)
            .collect(Collectors.joining(", ", "[", "]"));
    assertThatThrownBy(() -> with(many)).hasMessageContaining("2 to 100");
  }
}
