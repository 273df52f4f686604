// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.DerivedSpec;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.FieldLimits;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.PrivacyRationale;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.schema.CountedName;
import io.sfumato.schema.NamesRelease;
import io.sfumato.schema.TopName;
import io.sfumato.schema.TopRelease;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;

/**
 * The names with the largest counts of each window's list: a function of the records that the
 * list's output publishes of the window, and of nothing else.
 *
 * @param name of the output
 * @param topic that it is published to
 * @param of name of the output of names
 * @param k most rows, 1 to {@value #MOST}
 */
public record TopSpec(String name, String topic, String of, int k) implements DerivedSpec {
  /** Most rows of any file. */
  public static final int MOST = 1_000;

  /** The word of pipeline files. */
  static final String WORD = "top";

  @Override
  public String kind() {
    return WORD;
  }

  @Override
  public Schema schema() {
    return TopRelease.getClassSchema();
  }

  @Override
  public List<String> conflicts(Function<String, Optional<ReleaseSpec>> outputs) {
    Optional<ReleaseSpec> source = outputs.apply(of);
    return source.filter(TopSpec::hasNames).isPresent()
        ? List.of()
        : List.of(
            "release '%s', field 'of': %s; allowed: the name of the output of 'input.categories.discover'"
                .formatted(
                    name,
                    source.isPresent()
                        ? "'" + of + "' publishes no names"
                        : "no output is named '" + of + "'"));
  }

  /** Whether an output publishes lists of names, however they were found. */
  public static boolean hasNames(ReleaseSpec source) {
    return source.schema().equals(NamesRelease.getClassSchema());
  }

  @Override
  public void digest(CanonicalEncoder digest) {
    digest.text("top").number(k);
  }

  @Override
  public PrivacyRationale rationale() {
    return new PrivacyRationale(
        "the names with the largest counts of each list of '%s'".formatted(of),
        List.of(PrivacyRationale.POST_PROCESSING));
  }

  @Override
  public Facts facts(Pipeline pipeline, List<PlannedRelease> sources) {
    return Facts.of("top", this)
        .forPrograms()
        .words("", "kind", "top")
        .words("", "of", of)
        .row("rows")
        .number("at most", "k", k)
        .say("of each list of '%s', the largest counts first", of)
        .row("cost")
        .say("none: computed from the output '%s' publishes", of);
  }

  @Override
  public Caps caps() {
    return new Caps()
        .text("of", of)
        .setting("releases." + name + ".k", k, "lower it")
        .items("rows", k)
        .anyText("rows.name", FieldLimits.NAME, 0);
  }

  @Override
  public Maker maker(List<PlannedRelease> sources) {
    return this::made;
  }

  private SpecificRecord made(OutputLabel label, List<? extends SpecificRecord> source) {
    List<CountedName> names =
        source.stream().flatMap(part -> ((NamesRelease) part).getNames().stream()).toList();
    List<TopName> rows = new ArrayList<>();
    for (CountedName largest : LargestNames.first(names, k)) {
      rows.add(
          TopName.newBuilder()
              .setRank(rows.size() + 1)
              .setName(largest.getName())
              .setCount(largest.getCount())
              .setLow(largest.getLow())
              .setHigh(largest.getHigh())
              .setFound(largest.getFound())
              .build());
    }
    TopRelease release = label.on(new TopRelease());
    release.setSince(((NamesRelease) source.get(0)).getSince());
    release.setOf(of);
    release.setK(k);
    release.setRows(rows);
    release.setNames(names.size());
    release.setExampleLeftOut(label.exampleLeftOut());
    return release;
  }
}
