// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.demo;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.PipelineFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Made-up people do whatever a pipeline counts. */
class ListenersTest {
  /** One event in 500 is nonsense: that so few are not has a chance below 1e-100. */
  @Test
  void shouldMakeUpNumbersWhereRecordsHaveNoCategory() throws Exception {
    Pipeline wards = PipelineFile.read(Path.of("topology/ward-model.yaml"));
    Listeners people = new Listeners(40, wards, new SplittableRandom(5)::nextLong);
    TreeSet<Double> scores = new TreeSet<>();
    for (int i = 0; i < 5000; i++) {
      String event = new String(people.next(i).value(), StandardCharsets.UTF_8);
      if (event.endsWith("}")) {
        JsonNode json = new ObjectMapper().readTree(event);
        assertThat(wards.listed()).contains(json.get("ward").asText());
        assertThat(json.get("patient").asText()).startsWith("listener-");
        scores.add(json.get("score").asDouble());
      }
    }
    assertThat(scores).hasSizeGreaterThan(4000);
    assertThat(scores.first()).isBetween(0.0, 1.5);
    assertThat(scores.last()).isBetween(3.0, 4.8);
  }

  /**
   * A name needs some thirty users of a country: the first ones have many more, some that are known
   * have fewer, and what somebody made up is that one's alone. 4,000 events of 2,000 people.
   */
  @Test
  void shouldLookForWordsOfWhichOnlySomeAreManyPeoples() throws Exception {
    Pipeline searches = PipelineFile.read(Path.of("topology/searches.yaml"));
    Listeners people = new Listeners(2_000, searches, new SplittableRandom(8)::nextLong);
    Map<String, Set<String>> users = new TreeMap<>();
    Map<String, Set<String>> countries = new TreeMap<>();
    for (int i = 0; i < 4_000; i++) {
      String event = new String(people.next(i).value(), StandardCharsets.UTF_8);
      if (event.endsWith("}")) {
        JsonNode json = new ObjectMapper().readTree(event);
        String account = json.get("account").asText();
        String country = json.get("country").asText();
        users
            .computeIfAbsent(country + "/" + json.get("word").asText(), word -> new TreeSet<>())
            .add(account);
        countries.computeIfAbsent(account, any -> new TreeSet<>()).add(country);
      }
    }
    assertThat(countries.values()).as("of one country each").allMatch(of -> of.size() == 1);
    assertThat(countries.values().stream().flatMap(Set::stream).distinct())
        .containsExactlyInAnyOrderElementsOf(searches.listed());
    for (int place = 0; place < searches.listed().size(); place++) {
      String country = searches.listed().get(place);
      assertThat(users.get(country + "/" + MadeUpWords.KNOWN.get(3 * place)))
          .as("the first of %s", country)
          .hasSizeGreaterThan(100);
      assertThat(users.get(country + "/" + MadeUpWords.KNOWN.get((3 * place + 38) % 40)))
          .as("one of the last of %s", country)
          .hasSizeLessThan(25);
    }
    assertThat(users.keySet().stream().filter(word -> !isKnown(word)).count())
        .as("made up by one alone")
        .isBetween(300L, 500L);
    assertThat(users.entrySet().stream().filter(word -> !isKnown(word.getKey())))
        .allMatch(word -> word.getValue().size() <= 2);
  }

  /**
   * Of every channel's orders half or so are for its favourite product (8 of 15), a quarter for the
   * next one. Some 4,000 of 20,000 orders are of the rarest channel, and habits of 2,000 people
   * move shares by 0.02: that one is off by 0.08 has a chance below 1e-9.
   */
  @Test
  void shouldHaveFavouritesWhereRecordsHoldTwoFields() throws Exception {
    Pipeline orders = PipelineFile.read(Path.of("topology/orders.yaml"));
    assertFavourites(orders, List.of("web", "app", "shop"), List.of("tea", "coffee", "cups"), 4);
  }

  /** Of more categories than are counted one by one. */
  @Test
  void shouldHaveFavouritesAmongAnyNumberOfCategories() throws Exception {
    String many = IntStream.range(0, 5_000).mapToObj(i -> "p" + i).collect(joining(", "));
    Pipeline orders =
        PipelineFile.parse(
            "p",
            Files.readString(Path.of("topology/orders.yaml"))
                .replace("tea, coffee, cups, gifts", many));
    assertFavourites(orders, List.of("web", "app", "shop"), List.of("p0", "p1", "p2"), 5_000);
  }

  private static void assertFavourites(
      Pipeline orders, List<String> channels, List<String> favourites, int products)
      throws Exception {
    Listeners people = new Listeners(2_000, orders, new SplittableRandom(3)::nextLong);
    Map<String, Map<String, Integer>> counts = new TreeMap<>();
    for (int i = 0; i < 20_000; i++) {
      String event = new String(people.next(i).value(), StandardCharsets.UTF_8);
      if (event.endsWith("}")) {
        JsonNode json = new ObjectMapper().readTree(event);
        counts
            .computeIfAbsent(json.get("channel").asText(), any -> new TreeMap<>())
            .merge(json.get("product").asText(), 1, Integer::sum);
      }
    }
    assertThat(counts.keySet()).containsExactlyInAnyOrderElementsOf(channels);
    double share = 1 / (2 - StrictMath.scalb(2.0, -products));
    for (int i = 0; i < channels.size(); i++) {
      Map<String, Integer> of = counts.get(channels.get(i));
      double all = of.values().stream().mapToInt(Integer::intValue).sum();
      assertThat(of.get(favourites.get(i)) / all)
          .as(channels.get(i))
          .isCloseTo(share, within(0.08));
    }
  }

  private static boolean isKnown(String word) {
    return MadeUpWords.KNOWN.contains(word.substring(word.indexOf('/') + 1));
  }

  /** A time without seconds is that of the minute, and counts in its window. */
  @Test
  void shouldCountWhereATimeIsReadWhenItsFormatHasNoSeconds() throws Exception {
    Pipeline demo =
        PipelineFile.parse(
            "demo",
            Files.readString(Path.of("topology/demo.yaml"))
                .replace(
                    "  time: at\n", "  time: at\n  time-format: dd.MM.yyyy HH:mm\n  zone: UTC\n"));
    Listeners people = new Listeners(1, demo, new SplittableRandom(5)::nextLong);
    long minute = 1_767_621_900_000L;
    String name = "";
    for (int i = 0; i < 20; i++) {
      name = people.next(minute + 59_999).listener();
    }
    assertThat(people.truth(name, minute)).hasSize(6);
    assertThat(Arrays.stream(people.truth(name, minute)).sum()).isCloseTo(1, within(1e-9));
    assertThat(Arrays.stream(people.truth(name, minute + 55_000)).sum()).isZero();
  }
}
