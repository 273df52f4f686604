// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.Crossing.Column;
import io.sfumato.pipeline.Hierarchy.Node;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Places and values go into each other, and no two categories share a name. */
class ColumnsTest {
  private static final Optional<String> REST = Optional.of("rest");

  private static Column numbered(String field, int values, Optional<String> other) {
    return Column.listed(
        field, IntStream.range(0, values).mapToObj(i -> field + i).toList(), other);
  }

  static Stream<Columns> listed() {
    Node bavaria = new Node("Bavaria", leaves("Munich", "Nuremberg"));
    Node berlin = new Node("Berlin", leaves("Berlin"));
    List<Node> countries =
        List.of(
            new Node("Germany", List.of(bavaria, berlin)),
            new Node("France", List.of(new Node("Paris", leaves("Paris", "rest")))));
    List<String> fields = List.of("country", "region", "city");
    return Stream.of(
        new Crossing(
            List.of(numbered("a", 3, Optional.empty()), numbered("b", 4, Optional.empty()))),
        new Crossing(
            List.of(
                numbered("a", 3, REST),
                Column.listed("b", List.of("rest", "x"), REST),
                numbered("c", 1, REST))),
        new Crossing(
            List.of(
                Column.listed("a", List.of("x / y", "x", "x \\"), Optional.empty()),
                Column.listed("b", List.of("z", "y / z", "/ z"), Optional.empty()))),
        Hierarchy.of(fields, countries, Optional.empty()),
        Hierarchy.of(fields, countries, REST));
  }

  private static List<Node> leaves(String... values) {
    return Stream.of(values).map(value -> new Node(value, List.of())).toList();
  }

  @ParameterizedTest
  @MethodSource("listed")
  void placesAndValuesGoIntoEachOther(Columns columns) {
    Columns.Lookup lookup = columns.lookup();
    Set<String> names = new HashSet<>();
    for (long place = 0; place < columns.places(); place++) {
      List<String> values = columns.values(place);
      assertThat(values).hasSameSizeAs(columns.fields());
      assertThat(lookup.place(values)).isEqualTo(place);
      names.add(columns.name(values));
    }
    assertThat(names).hasSize((int) columns.places());
  }

  @Test
  void whatIsNotListedIsUnknownUnlessAnotherValueStandsForIt() {
    Crossing strict =
        new Crossing(
            List.of(numbered("a", 2, Optional.empty()), numbered("b", 2, Optional.empty())));
    assertThat(strict.lookup().place(List.of("a0", "?"))).isEqualTo(Columns.UNKNOWN);
    Crossing lenient = new Crossing(List.of(numbered("a", 2, REST), numbered("b", 2, REST)));
    assertThat(lenient.values(lenient.lookup().place(List.of("?", "b1"))))
        .containsExactly("rest", "b1");
    Hierarchy tree = (Hierarchy) listed().toList().get(4);
    Columns.Lookup lookup = tree.lookup();
    assertThat(tree.values(lookup.place(List.of("Germany", "Bavaria", "Fürth"))))
        .containsExactly("Germany", "Bavaria", "rest");
    assertThat(tree.values(lookup.place(List.of("Germany", "Hesse", "Munich"))))
        .containsExactly("Germany", "rest", "rest");
    assertThat(tree.values(lookup.place(List.of("Peru", "Bavaria", "Munich"))))
        .containsExactly("rest", "rest", "rest");
    Hierarchy bare = (Hierarchy) listed().toList().get(3);
    assertThat(bare.lookup().place(List.of("Germany", "Bavaria", "Fürth")))
        .isEqualTo(Columns.UNKNOWN);
  }

  /** What people write may hold the separator, and what escapes it. */
  @Test
  void differentValuesHaveDifferentNames() {
    Crossing free = new Crossing(List.of(Column.free("a"), Column.free("b")));
    Random random = new Random(5);
    List<String> pieces = List.of("/", " ", "\\", ">", "x", " / ", "\\/");
    Set<List<String>> pairs = new HashSet<>();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < 50_000; i++) {
      List<String> pair = new ArrayList<>();
      for (int column = 0; column < 2; column++) {
        List<String> shuffled = new ArrayList<>(pieces);
        Collections.shuffle(shuffled, random);
        pair.add(String.join("", shuffled.subList(0, random.nextInt(5))));
      }
      pairs.add(pair);
      names.add(free.name(pair));
    }
    assertThat(names).hasSameSizeAs(pairs);
  }

  /**
   * A state goes on under a file with the same text: never with columns that mean something else.
   */
  @Test
  void differentColumnsHaveDifferentCanonicalTexts() {
    Random random = new Random(6);
    Map<String, Columns> texts = new HashMap<>();
    for (int i = 0; i < 10_000; i++) {
      // One part at a time, so that texts come near each other.
      int varied = random.nextInt(3);
      String field = varied == 0 ? written(random) : "a";
      Optional<String> other = Optional.of(random).filter(r -> varied == 1).map(r -> written(r));
      List<String> values = varied == 2 ? some(random) : List.of("p", "q");
      Columns columns =
          random.nextBoolean()
              ? new Crossing(
                  List.of(
                      Column.listed(field, values, other),
                      Column.listed("b", List.of("p", "q"), other)))
              : Hierarchy.of(
                  List.of(field, "b"),
                  List.of(new Node("p", leaves(values.toArray(String[]::new)))),
                  other);
      assertThat(texts.merge(columns.canonical(), columns, (known, made) -> known))
          .isEqualTo(columns);
    }
    assertThat(texts).hasSizeGreaterThan(1000);
    assertThat(listed().toList().get(0).canonical())
        .as("states live with it")
        .isEqualTo("crossing of a: [a0, a1, a2]; b: [b0, b1, b2, b3]");
    assertThat(listed().toList().get(3).canonical())
        .isEqualTo(
            "path of [country, region, city]: [Germany[Bavaria[Munich, Nuremberg], Berlin[Berlin]],"
                + " France[Paris[Paris, rest]]]");
  }

  private static List<String> some(Random random) {
    return Stream.generate(() -> written(random)).distinct().limit(1 + random.nextInt(3)).toList();
  }

  /** What people write, with all that a text separates names by. */
  private static String written(Random random) {
    List<String> pieces = List.of("x", ", ", "[", "]", "\"", "\\");
    return Stream.generate(() -> pieces.get(random.nextInt(pieces.size())))
        .limit(1 + random.nextInt(2))
        .collect(Collectors.joining());
  }
}
