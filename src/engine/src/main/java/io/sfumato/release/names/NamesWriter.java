// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.EncodedBytes;
import io.sfumato.pipeline.NameSampler.Told;
import io.sfumato.pipeline.NameSampler.WindowList;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.schema.CountedName;
import io.sfumato.schema.NamesRelease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Writes lists of names down, in several records where one would be too long. */
final class NamesWriter {
  /** Most bytes of a record's names: four of them fit into what brokers take by default. */
  private static final int PART_BYTES = 200_000;

  private final long most;
  private final EncodedBytes sizes;

  NamesWriter(NamesSpec spec, Pipeline pipeline) {
    this.most = spec.most();
    this.sizes = new EncodedBytes(pipeline.format());
  }

  /** The largest output. */
  static Caps caps() {
    return new Caps().setting("names", 1).bytes("names", PART_BYTES);
  }

  List<List<Told>> parts(List<Told> names) {
    List<List<Told>> parts = new ArrayList<>();
    int from = 0;
    long bytes = 0;
    for (int i = 0; i < names.size(); i++) {
      long next = bytes(names.get(i));
      if (bytes + next > PART_BYTES) {
        parts.add(names.subList(from, i));
        from = i;
        bytes = 0;
      }
      bytes += next;
    }
    parts.add(names.subList(from, names.size()));
    return parts;
  }

  private long bytes(Told told) {
    return sizes.ofText(told.name())
        + 4 * sizes.ofWhole()
        + sizes.ofFields("name", "count", "low", "high", "found");
  }

  /**
   * One part.
   *
   * @param since start of the first window that is counted
   * @param threshold that names have to pass in this window
   */
  NamesRelease write(OutputLabel label, WindowList list, int part, long since, long threshold) {
    NamesRelease release = label.on(new NamesRelease());
    release.setSince(Instant.ofEpochMilli(since));
    release.setPart(part);
    release.setParts(list.parts().size());
    release.setNames(list.parts().get(part).stream().map(NamesWriter::written).toList());
    list.rest()
        .filter(rest -> part == 0)
        .ifPresent(
            rest -> {
              release.setOther(rest.count());
              release.setOtherError95(
                  Math.max(rest.high() - rest.count(), rest.count() - rest.low()));
            });
    release.setThreshold(threshold);
    release.setListed(list.listed());
    release.setMost(most);
    release.setExampleLeftOut(label.exampleLeftOut());
    return release;
  }

  private static CountedName written(Told told) {
    return CountedName.newBuilder()
        .setName(told.name())
        .setCount(told.figure().count())
        .setLow(told.figure().low())
        .setHigh(told.figure().high())
        .setFound(told.found())
        .build();
  }
}
