// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.PipelineFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
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

  private static boolean isKnown(String word) {
    return MadeUpWords.KNOWN.contains(word.substring(word.indexOf('/') + 1));
  }
}
