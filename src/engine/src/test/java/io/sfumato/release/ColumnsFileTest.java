// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static io.sfumato.serde.SourceRecords.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.serde.Event;
import io.sfumato.serde.EventReader;
import io.sfumato.serde.RejectedRecordException;
import io.sfumato.serde.RejectionCode;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Categories of several fields, from the file to the record. */
class ColumnsFileTest {
  private static final String FILE =
      """
      pipeline: orders
      input:
        topic: in
        subject: store
        user: who
        time: at
        category: %s
        categories: %s
      contributions: { per-window: 2, subjects: 1 }
      subjects: [north, south]
      window: { size: 10s, grace: 2s, clock: ticks }
      budget: { name: test, unit: user, epsilon: 3, delta: 1e-5, period: window }
      releases:
        - %s, name: n, share: { epsilon: 1, delta: 1e-6 } }
      """;

  private static final long NOW = Instant.parse("2026-06-01T00:00:00Z").toEpochMilli();

  private static InputSpec input(String category, String categories, String release)
      throws PipelineFileException {
    return PipelineFile.parse("f", FILE.formatted(category, categories, release)).input();
  }

  @Test
  void crossesColumns() throws Exception {
    InputSpec input =
        input(
            "[cart.region, product]",
            "{ cart.region: [north, south], product: [tea, a/b] }\n  other: else",
            "count: { by: category");
    assertThat(input.allCategories())
        .containsExactly(
            "north / tea",
            "north / a\\/b",
            "north / else",
            "south / tea",
            "south / a\\/b",
            "south / else",
            "else / tea",
            "else / a\\/b",
            "else / else");
    assertThat(read(input, "\"cart\": {\"region\": \"south\"}, \"product\": \"tea\"").category())
        .isEqualTo(3);
    assertThat(read(input, "\"cart.region\": \"?\", \"product\": 7").category()).isEqualTo(8);
    assertThatThrownBy(() -> read(input, "\"product\": \"tea\""))
        .isInstanceOfSatisfying(
            RejectedRecordException.class,
            e -> assertThat(e.code()).isEqualTo(RejectionCode.NO_CATEGORY));
  }

  @Test
  void followsPaths() throws Exception {
    InputSpec input =
        input(
            "{ path: [land, town] }",
            "{ DE: [Bonn, Ulm], FR: [Paris] }",
            "histogram: { method: laplace");
    assertThat(input.allCategories()).containsExactly("DE > Bonn", "DE > Ulm", "FR > Paris");
    assertThat(read(input, "\"land\": \"FR\", \"town\": \"Paris\"").category()).isEqualTo(2);
    assertThatThrownBy(() -> read(input, "\"land\": \"FR\", \"town\": \"Ulm\""))
        .isInstanceOfSatisfying(
            RejectedRecordException.class,
            e -> assertThat(e.code()).isEqualTo(RejectionCode.UNKNOWN_CATEGORY));
  }

  /** Names in the file and in records have one spelling, whatever forms both were typed in. */
  @Test
  void shouldMatchNamesWhenTheirFormsDiffer() throws Exception {
    InputSpec path =
        input(
            "{ path: [land, town] }",
            "{ \"Osterreich\\u0308\": [\"Ko\\u0308ln\", Ulm] }\n  other: \"u\\u0308brig\"",
            "histogram: { method: laplace");
    assertThat(path.allCategories())
        .allMatch(name -> Normalizer.isNormalized(name, Normalizer.Form.NFC));
    assertThat(read(path, "\"land\": \"Osterreich\u0308\", \"town\": \"K\u00f6ln\"").category())
        .isZero();
    assertThat(read(path, "\"land\": \"Osterreich\u0308\", \"town\": \"Bonn\"").category())
        .isEqualTo(2);
  }

  /** Codes such as 250.0 are text in records, too. */
  @Test
  void shouldTakeListedTextAsItIsWhenItLooksLikeANumber() throws Exception {
    String file =
        FILE.formatted("what", "[a, b]", "count: { by: total")
            .replace("[north, south]", "['58.0', south]");
    assertThat(PipelineFile.parse("f", file).listed()).containsExactly("58.0", "south");
  }

  @Test
  void findsWhatIsNotListed() throws Exception {
    InputSpec input =
        input(
            "[region, product]",
            "{ region: [north, south], discover: { share: { epsilon: 1, delta: 1e-6 } } }",
            "count: { by: total");
    assertThat(input.discovers()).isTrue();
    assertThat(read(input, "\"region\": \"north\", \"product\": \"green tea\"").items())
        .containsExactly(new Event.Item(0, 0, "north / green tea"));
    assertThatThrownBy(() -> read(input, "\"region\": \"east\", \"product\": \"tea\""))
        .isInstanceOfSatisfying(
            RejectedRecordException.class,
            e -> assertThat(e.code()).isEqualTo(RejectionCode.UNKNOWN_CATEGORY));
  }

  @Test
  void namesTheRestOfAListedColumnLikeItsOther() throws Exception {
    InputSpec input =
        input(
            "[region, product]",
            "{ region: [north, south], discover: { share: { epsilon: 1, delta: 1e-6 } } }\n  other: else",
            "count: { by: total");
    assertThat(read(input, "\"region\": \"east\", \"product\": \"green tea\"").items())
        .as("names are of listed values alone")
        .containsExactly(new Event.Item(0, 0, "else / green tea"));
    assertThat(read(input, "\"region\": \"south\", \"product\": \"else\"").items())
        .containsExactly(new Event.Item(0, 0, "south / else"));
  }

  private static Event read(InputSpec input, String fields) throws RejectedRecordException {
    String json = "{\"store\": \"north\", \"at\": %d, %s}".formatted(NOW, fields);
    return new EventReader(input)
        .read(record(null, json.getBytes(StandardCharsets.UTF_8), NOW))
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[region] | {region: [a, b]} | count: { by: total | field 'input.category': found 1 usable item",
        "[region, region] | {region: [a, b]} | count: { by: total | found 'region' twice",
        "[region, product] | {region: [a, b]} | count: { by: total | field 'input.categories.product': is missing",
        "[region, product] | {region: [a, b], product: [c, d], town: [e]} | count: { by: total | field 'input.categories.town': unknown",
        "[region, 'tags[]'] | {region: [a, b], 'tags[]': [c, d]} | count: { by: total | found 'tags[]', allowed is one item, such as 'tags[0]'",
        "[region, product] | {region: [a, b], product: [c, d], discover: {share: {epsilon: 1, delta: 1e-6}}} | count: { by: total | found though every column is listed",
        "[region, product] | {region: [a, b], discover: {share: {epsilon: 1, delta: 1e-6}}} | count: { by: category | allowed is only where 'input.categories' lists them",
        "{path: [land, town]} | {DE: [Bonn], FR: {Paris: [x]}} | count: { by: total | field 'input.categories.FR': found a mapping",
        "{path: [land, town]} | [DE, FR] | count: { by: total | a mapping of values to what lies within them, 1 level deeper",
        "[region, product] | '{region: [a], product: [a]}\n  other: a' | count: { by: total | found 1 combination, allowed is 2 or more",
        "{path: [land, town]} | {DE: [Bonn], \"\": [x]} | count: { by: total | found an empty name",
        "[region, product] | {region: [\"\\uD800\", \"\\uD801\"], product: [c, d]} | count: { by: total | half of a character",
        "{path: [land, town]} | {\"a\\u0301\": [Bonn], \"\\u00e1\": [x]} | count: { by: total | in two spellings of Unicode",
        "{path: [land, town]} | {DE: [Bonn], \"a\\u0007\": [x]} | count: { by: total | found a text that is no name",
        "$key | [a, b] | count: { by: total | field 'input.category': found '$key', allowed is the name of a field",
        "$timestamp | [a, b] | count: { by: total | field 'input.category': found '$timestamp'",
        "{path: [land]} | {DE: [Bonn], FR: [Paris]} | count: { by: total | field 'input.category.path': found 1 usable item"
      })
  void saysWhatIsWrong(String category, String categories, String release, String message) {
    assertThatThrownBy(() -> input(category, categories, release))
        .isInstanceOf(PipelineFileException.class)
        .hasMessageContaining(message);
  }

  /** What needs every category by itself says so where they are too many for that. */
  @ParameterizedTest
  @CsvSource({"count: { by: category", "histogram: { method: laplace"})
  void refusesToCountVeryManyOneByOne(String release) {
    String values = values(101);
    assertThatThrownBy(
            () -> input("[a, b]", "{ a: [%s], b: [%s] }".formatted(values, values), release))
        .hasMessageContaining("at most 10,000 categories, and the columns have 10,201 together");
  }

  @Test
  void countsAllOfVeryManyTogether() throws Exception {
    String values = values(300);
    InputSpec input =
        input(
            "[a, b, c, d]",
            "{ a: [%1$s], b: [%1$s], c: [%1$s], d: [%1$s] }".formatted(values),
            "count: { by: total");
    assertThat(input.isWide()).isTrue();
    assertThat(input.counts()).isEqualTo(1);
    assertThat(input.places()).isEqualTo(8_100_000_000L);
    assertThat(
            read(input, "\"a\": \"v299\", \"b\": \"v299\", \"c\": \"v299\", \"d\": \"v298\"")
                .category())
        .isEqualTo(8_099_999_998L);
  }

  private static String values(int count) {
    StringBuilder values = new StringBuilder("v0");
    for (int i = 1; i < count; i++) {
      values.append(", v").append(i);
    }
    return values.toString();
  }
}
