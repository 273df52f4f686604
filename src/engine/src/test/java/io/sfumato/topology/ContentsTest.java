// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.property.DoubleRange;
import io.sfumato.property.ForAll;
import io.sfumato.property.IntRange;
import io.sfumato.property.Property;
import io.sfumato.property.Size;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.topology.dataset.Contents;
import io.sfumato.topology.dataset.ContentsCodec;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.dataset.OpenDataset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

class ContentsTest {
  private static final Contents.Layout FEATURES = layout("features");

  private static final Contents.Layout SUMMARIES =
      layout(
          "summaries, clip: 3, summaries: [{ mean: x, scale: 1e-9 }, { largest: y, scale: 1e12 }, { quantile: y, at: 0.5, scale: 1 }]");

  private static Contents.Layout layout(String distance) {
    return new Contents.Layout(
        Fixture.plan(
                """
                pipeline: test
                input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c], values: [x, y] }
                features: { bandwidth: 0.7, count: 16 }
                window: { size: 10s }
                budget: { name: test, unit: record, epsilon: 2, delta: 1e-6 }
                releases:
                  - abc: { name: coin, distance: %s, threshold: 0.4, share: { epsilon: 2, delta: 1e-6 }, queries: 2 }
                """
                    .formatted(distance))
            .pipeline());
  }

  /** Any permutation of any records: identical bytes, which hold all there is and no raw number. */
  @Property(tries = 300)
  void orderOfArrivalIsForgotten(
      @ForAll @Size(min = 1, max = 40) List<@IntRange(max = 2) Integer> categories,
      @ForAll @Size(min = 1, max = 40) List<@DoubleRange(min = -1e12, max = 1e12) Double> numbers,
      @ForAll long seed) {
    List<Observation> records = new ArrayList<>();
    for (int i = 0; i < categories.size(); i++) {
      List<Double> values =
          List.of(numbers.get(i % numbers.size()), numbers.get(i * 7 % numbers.size()));
      records.add(new Observation("ann", 0, categories.get(i), values, i * 7919L));
    }
    for (Contents.Layout layout : List.of(FEATURES, SUMMARIES)) {
      byte[] bytes = stored(records, layout);
      Contents contents = ContentsCodec.decode(bytes, layout);
      assertThat(contents.records()).isEqualTo(records.size());
      assertThat(ContentsCodec.encode(contents)).isEqualTo(bytes);
      List<Observation> shuffled = new ArrayList<>(records);
      Collections.shuffle(shuffled, new Random(seed));
      assertThat(stored(shuffled, layout)).isEqualTo(bytes);
    }
  }

  private static byte[] stored(List<Observation> records, Contents.Layout layout) {
    OpenDataset dataset = new OpenDataset(new DatasetStore.Key(0, "ann"), layout.empty(), layout);
    records.forEach(dataset::add);
    return ContentsCodec.encode(dataset.contents());
  }
}
