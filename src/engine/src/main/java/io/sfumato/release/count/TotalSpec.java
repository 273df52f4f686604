// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.estimate.additive.NoiseSum;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.DerivedSpec;
import io.sfumato.pipeline.Fact.Form;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.PrivacyRationale;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.schema.CountRelease;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;

/**
 * Totals of users' first C + D records: a count of what the bounds of contributions let count, and
 * one of what they left out, added up with one interval (docs/theory/bounded-users.md, "Totals of
 * the first C + D records"). A user with more records is missing the rest, so the interval is never
 * one of the true total.
 *
 * @param name of the output
 * @param topic that it is published to
 * @param of name of the count of all records that count
 * @param leftOut name of the count of those that are left out
 */
public record TotalSpec(String name, String topic, String of, String leftOut)
    implements DerivedSpec {
  /** The word of pipeline files. */
  static final String WORD = "total";

  @Override
  public String kind() {
    return WORD;
  }

  @Override
  public Schema schema() {
    return CountRelease.getClassSchema();
  }

  @Override
  public List<String> sources() {
    return List.of(of, leftOut);
  }

  @Override
  public List<String> conflicts(Function<String, Optional<ReleaseSpec>> outputs) {
    return Stream.concat(
            conflict("of", of, "total", outputs.apply(of), CountSpec.Grouping.TOTAL),
            conflict(
                "left-out",
                leftOut,
                "left-out",
                outputs.apply(leftOut),
                CountSpec.Grouping.LEFT_OUT))
        .toList();
  }

  private Stream<String> conflict(
      String field,
      String source,
      String by,
      Optional<ReleaseSpec> found,
      CountSpec.Grouping grouping) {
    Predicate<CountSpec> fits =
        count ->
            count.grouping() == grouping
                && count.users().isEmpty()
                && !count.population().chargesRecords()
                && !count.usesHistory()
                && !count.over().needsPast();
    boolean isRight =
        found
            .filter(CountSpec.class::isInstance)
            .map(CountSpec.class::cast)
            .filter(fits)
            .isPresent();
    return isRight
        ? Stream.empty()
        : Stream.of(
            "release '%s', field '%s': %s; allowed: the name of a count 'by: %s' of records, without 'running', 'over', 'post-processing' and 'contributions.per-period'"
                .formatted(
                    name,
                    field,
                    found.isPresent()
                        ? "'" + source + "' is no such count"
                        : "no output is named '" + source + "'",
                    by));
  }

  @Override
  public void digest(CanonicalEncoder digest) {
    digest.text(WORD).text(leftOut);
  }

  @Override
  public PrivacyRationale rationale() {
    return new PrivacyRationale(
            "'%s' and '%s' added up, with one interval".formatted(of, leftOut),
            List.of(PrivacyRationale.POST_PROCESSING))
        .but(
            "The interval is not one of the true total: records of users beyond both bounds are in neither count.");
  }

  @Override
  public Facts facts(Pipeline pipeline, List<PlannedRelease> sources) {
    Population users = pipeline.population().orElseThrow();
    int most = mostRecords(users);
    Facts facts =
        Facts.of("total", this)
            .forPrograms()
            .words("", "kind", WORD)
            .many("", "of", sources())
            .row("counts")
            .number("the first", "records", most, "records of each user and window")
            .say("'%s' and '%s' added up", of, leftOut)
            .row("error")
            .bar("95% of totals within", "error_95", halfWidth(sources), "")
            .say("of the total of these records, not of all records");
    users
        .example()
        .ifPresent(
            example ->
                facts
                    .row("cut off")
                    .number(
                        "",
                        "example_cut_off",
                        example.leftOut(most),
                        Form.PERCENT,
                        "of the records of the public example are beyond both bounds"
                            + users.exampleAssumes()));
    return facts.row("cost").say("none: computed from what '%s' and '%s' publish", of, leftOut);
  }

  /** C + D. */
  private static int mostRecords(Population users) {
    return users.records() + users.leftOut().orElse(0);
  }

  private static PlannedCount count(List<PlannedRelease> sources, int place) {
    return (PlannedCount) sources.get(place);
  }

  private static long halfWidth(List<PlannedRelease> sources) {
    return new NoiseSum(
            count(sources, 0).plan().mechanism().noise(),
            count(sources, 1).plan().mechanism().noise())
        .halfWidth();
  }

  @Override
  public Caps caps() {
    return new Caps().texts("categories", List.of()).items("counts", 1).items("last_counts", 0);
  }

  @Override
  public Maker maker(List<PlannedRelease> sources) {
    long halfWidth = halfWidth(sources);
    return (label, published) -> made(label, published, halfWidth);
  }

  private static SpecificRecord made(
      OutputLabel label, List<? extends SpecificRecord> published, long halfWidth) {
    CountRelease release = label.on(new CountRelease());
    release.setSince(label.from());
    release.setCategories(List.of());
    release.setCounts(
        List.of(
            published.stream()
                .mapToLong(record -> ((CountRelease) record).getCounts().get(0))
                .reduce(0, Math::addExact)));
    release.setError95(halfWidth);
    return release;
  }
}
