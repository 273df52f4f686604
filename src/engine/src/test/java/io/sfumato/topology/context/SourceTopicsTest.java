// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.topology.context.SourceTopics.Topic;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class SourceTopicsTest {
  private static final SourceTopics THREE =
      new SourceTopics(
          List.of(
              new Topic("eu", "id-eu", 3),
              new Topic("us", "id-us", 1),
              new Topic("asia", "id-asia", 2).joining(70)));

  @Test
  void shouldNumberPartitionsOfASingleTopicAsTheyAre() {
    SourceTopics one = SourceTopics.of("in", "id", 4);
    for (int partition = 0; partition < 4; partition++) {
      assertThat(one.number("in", partition)).isEqualTo(partition);
      assertThat(one.place(partition)).isEqualTo(new TopicPartition("in", partition));
      assertThat(one.words(partition)).isEqualTo(Integer.toString(partition));
    }
    assertThat(one.count()).isEqualTo(one.journalPartitions()).isEqualTo(4);
  }

  @Test
  void shouldGiveEveryPartitionOfEveryTopicANumberOfItsOwn() {
    assertThat(THREE.count()).isEqualTo(6);
    assertThat(THREE.journalPartitions()).isEqualTo(3);
    assertThat(IntStream.range(0, 6).mapToObj(THREE::place)).isEqualTo(THREE.places());
    assertThat(THREE.places().stream().map(THREE::number)).containsExactly(0, 1, 2, 3, 4, 5);
    assertThat(THREE.number("us", 0)).isEqualTo(3);
    assertThat(THREE.words(5)).isEqualTo("asia-1");
    assertThat(THREE.text(new RecordSpan(4, 7, 9))).isEqualTo("asia-0@7..9");
  }

  @Test
  void shouldKeepAllNumbersWhenATopicJoins() {
    SourceTopics before = new SourceTopics(THREE.topics().subList(0, 2));
    for (int source = 0; source < before.count(); source++) {
      assertThat(THREE.place(source)).isEqualTo(before.place(source));
      assertThat(THREE.since(source)).isEqualTo(Topic.FROM_THE_BEGINNING);
    }
    assertThat(THREE.since(4)).isEqualTo(THREE.since(5)).isEqualTo(70);
  }

  @Test
  void shouldRefuseWhatIsNoSource() {
    assertThat(THREE.contains(new TopicPartition("us", 0))).isTrue();
    assertThat(THREE.contains(new TopicPartition("us", 1))).isFalse();
    assertThat(THREE.contains(new TopicPartition("mars", 0))).isFalse();
    assertThatThrownBy(() -> THREE.number("us", 1)).hasMessageContaining("no source is us-1");
    assertThatThrownBy(() -> THREE.place(6)).hasMessageContaining("6 sources");
    assertThatThrownBy(() -> new SourceTopics(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SourceTopics.of("in", "id", 0)).hasMessageContaining("at least 1");
    Topic us = new Topic("us", "other", 1);
    assertThatThrownBy(() -> new SourceTopics(List.of(us, new Topic("us", "id", 2))))
        .hasMessageContaining("each of another name");
  }
}
