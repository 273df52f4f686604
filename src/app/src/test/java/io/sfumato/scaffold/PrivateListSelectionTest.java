// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.mechanism.partitionselection.DiscoveryMechanism;
import io.sfumato.random.Sha256;
import io.sfumato.runtime.RefusedException;
import io.sfumato.scaffold.PrivateListSelection.Answer;
import io.sfumato.scaffold.PrivateListSelection.Wish;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names are found once, by noisy numbers of people, and a receipt says what it cost. */
class PrivateListSelectionTest {
  private static final Clock NOW =
      Clock.fixed(Instant.parse("2026-06-01T10:00:00.5Z"), ZoneOffset.UTC);
  private static final ListPrice PRICE = price("1", "1e-6");
  private static final Wish KINDS = new Wish("categories", "kind", 4);
  private static final Wish WARDS = new Wish("subjects", "ward", 1);

  @TempDir Path folder;

  private static ListPrice price(String epsilon, String delta) {
    return new ListPrice(new BigDecimal(epsilon), new BigDecimal(delta));
  }

  /** A secret of a test, the same for the same number. */
  private static Optional<NoiseSecret> secret(int number) {
    byte[] bytes = Sha256.of(ByteBuffer.allocate(4).putInt(number).array());
    return Optional.of(NoiseSecret.parse(HexFormat.of().formatHex(bytes)));
  }

  private PrivateListSelection lists(String draft, String sample, Optional<NoiseSecret> secret) {
    return PrivateListSelection.beside(folder.resolve(draft), sample, "who", secret, NOW);
  }

  private record Row(String who, String field, String value) {}

  private static WholeSample of(List<Row> rows) {
    return (person, fields, taker) -> {
      for (Row row : rows) {
        taker.take(row.who(), person, row.who());
        if (fields.contains(row.field())) {
          taker.take(row.who(), row.field(), row.value());
        }
      }
    };
  }

  /** So many people with a record of each of some values. */
  private static List<Row> people(int number, String field, String... values) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      for (String value : values) {
        rows.add(new Row("p" + i, field, value));
      }
    }
    return rows;
  }

  private static List<Row> together(List<List<Row>> rows) {
    return rows.stream().flatMap(List::stream).toList();
  }

  private String receipt(String draft) throws Exception {
    return Files.readString(folder.resolve(draft + ".receipt.json"));
  }

  @Test
  void whatManyHaveIsFoundMostFrequentFirst() throws Exception {
    List<Row> rows =
        together(
            List.of(
                people(3000, "kind", "walk"),
                people(1500, "kind", "run"),
                people(3000, "ward", "north")));
    Answer answer =
        lists("mine.yaml", "csv a", secret(1)).of(List.of(KINDS, WARDS), PRICE, of(rows));
    assertThat(answer.names()).containsExactly(List.of("walk", "run"), List.of("north"));
    assertThat(answer.again()).isFalse();
    JsonNode kept = new ObjectMapper().readTree(receipt("mine"));
    assertThat(kept.at("/epsilon").decimalValue()).isEqualByComparingTo("1");
    assertThat(kept.at("/delta").decimalValue()).isEqualByComparingTo("1e-6");
    assertThat(kept.at("/time").asText()).isEqualTo("2026-06-01T10:00:00Z");
    assertThat(kept.at("/person").asText()).isEqualTo("who");
    assertThat(kept.at("/key").asText()).isEqualTo(secret(1).orElseThrow().derive().tag());
    BigDecimal spent = BigDecimal.ZERO;
    for (JsonNode draw : kept.at("/draws")) {
      spent = spent.add(draw.at("/epsilon").decimalValue());
      assertThat(draw.at("/delta").decimalValue()).isEqualByComparingTo("5e-7");
    }
    assertThat(spent).isEqualByComparingTo("1");
    assertThat(kept.at("/draws/0/found/0/noisy_people").asLong()).isBetween(2800L, 3200L);
    assertThat(kept.at("/draws/0/threshold").asLong()).isEqualTo(answer.least().get(0));
  }

  /**
   * What a name of one person alone passes with, over all ways to have names, is a part of delta:
   * 1e-14 here. That any of 500 draws publishes one of theirs has a probability below 1e-11.
   */
  @Test
  void aNameOfOnePersonAloneIsNeverTold() throws Exception {
    ListPrice price = price("3", "1e-14");
    Random random = new Random(20_260_601);
    for (int seed = 0; seed < 500; seed++) {
      List<Row> rows = new ArrayList<>(people(100, "kind", "walk", "run"));
      // Four names of theirs alone, each in many records.
      for (int i = 0; i < 40; i++) {
        rows.add(new Row("ann", "kind", "only ann's " + random.nextInt(4)));
      }
      Collections.shuffle(rows, random);
      String draft = "d" + seed;
      Answer answer =
          lists(draft + ".yaml", "csv " + seed, secret(seed)).of(List.of(KINDS), price, of(rows));
      assertThat(answer.names().get(0)).containsExactlyInAnyOrder("walk", "run");
      assertThat(receipt(draft) + answer).doesNotContain("only ann's");
      Files.delete(folder.resolve(draft + ".receipt.json"));
    }
  }

  /** Forty names of one person move no more than four counts, whatever the names of others. */
  @Test
  void ofOnePersonSoManyNamesCount() {
    List<Row> rows = new ArrayList<>(people(50, "kind", "a", "b", "c", "d", "e", "f"));
    for (int seed = 0; seed < 20; seed++) {
      UserNames without = new UserNames("kind", 4, secret(seed).orElseThrow().derive());
      UserNames with = new UserNames("kind", 4, secret(seed).orElseThrow().derive());
      rows.forEach(row -> without.add(row.who(), row.value()));
      rows.forEach(row -> with.add(row.who(), row.value()));
      for (int i = 0; i < 40; i++) {
        with.add("ann", i % 2 == 0 ? "a" : "mine " + i);
      }
      Map<String, Long> before = without.counts();
      long moved = 0;
      for (Map.Entry<String, Long> count : with.counts().entrySet()) {
        long more = count.getValue() - before.getOrDefault(count.getKey(), 0L);
        assertThat(more).as(count.getKey()).isBetween(0L, 1L);
        moved += more;
      }
      assertThat(moved).isEqualTo(4);
      assertThat(before.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(200);
    }
  }

  /** What is charged is Theorem M's, for so many names of one person. */
  @Test
  void theMechanismAffordsItsPrice() throws Exception {
    DiscoveryMechanism four = PRICE.mechanism(4);
    DiscoveryMechanism one = PRICE.mechanism(1);
    assertThat(one.threshold().least())
        .as("docs/theory/partition-selection.md, Theorem M")
        .isEqualTo(15);
    assertThat(four.threshold().least()).isGreaterThan(one.threshold().least());
    assertThat(four.sensitivity().word()).contains("of 4 names, 1 each");
    assertThat(new Epsilon(PRICE.part(3).epsilon()).value().multiply(BigDecimal.valueOf(3)))
        .isLessThanOrEqualTo(PRICE.epsilon());
    assertThat(new Delta(PRICE.part(3).delta()).value().multiply(BigDecimal.valueOf(3)))
        .isLessThanOrEqualTo(PRICE.delta());
    assertThatThrownBy(() -> price("0", "1e-6").mechanism(1))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("--list-epsilon");
  }

  /**
   * Who pays again gets noise of its own, also for the same sample under the same key: else two
   * answers alike would say that nobody's records changed. Ten answers of 60 and 40 people, alike
   * in pairs, would be next to impossible.
   */
  @Test
  void aSecondLookCostsAndLeavesNothingOfTheFirst() throws Exception {
    List<Row> rows =
        new ArrayList<>(together(List.of(people(60, "kind", "a"), people(40, "kind", "b"))));
    Set<String> answers = new HashSet<>();
    Set<String> others = new HashSet<>();
    for (int i = 0; i < 10; i++) {
      lists("mine.yaml", "csv a", secret(7)).of(List.of(KINDS), PRICE, of(rows));
      answers.add(noise("mine"));
      ObjectNode rest = (ObjectNode) new ObjectMapper().readTree(receipt("mine"));
      assertThat(rest.remove("nonce").asText()).hasSize(32);
      ((ObjectNode) rest.at("/draws/0")).remove("found");
      others.add(rest.toString());
      Files.delete(folder.resolve("mine.receipt.json"));
    }
    assertThat(answers).hasSizeGreaterThan(5);
    assertThat(others).as("nothing else hangs on records").hasSize(1);
  }

  /** A receipt of other people's records has the same words, but for what was found. */
  @Test
  void aReceiptSaysNothingOfRecordsButTheirNames() throws Exception {
    Set<String> receipts = new HashSet<>();
    for (List<Row> rows :
        List.of(people(60, "kind", "a"), people(61, "kind", "a"), people(9, "kind", "b"))) {
      lists("mine.yaml", "csv a", secret(7)).of(List.of(KINDS), PRICE, of(rows));
      ObjectNode kept = (ObjectNode) new ObjectMapper().readTree(receipt("mine"));
      kept.remove("nonce");
      ((ObjectNode) kept.at("/draws/0")).remove("found");
      receipts.add(kept.toString());
      Files.delete(folder.resolve("mine.receipt.json"));
    }
    assertThat(receipts).hasSize(1);
  }

  private String noise(String draft) throws Exception {
    return new ObjectMapper().readTree(receipt(draft)).at("/draws/0/found").toString();
  }

  /**
   * In another draft, at another price, with another secret: the receipt knows the sample's name.
   */
  @Test
  void whatWasSpentOnASampleAnswersUnderEveryName() throws Exception {
    List<Row> rows = together(List.of(people(200, "kind", "a", "b"), people(200, "ward", "n")));
    Answer first = lists("mine.yaml", "csv a", secret(3)).of(List.of(KINDS), PRICE, of(rows));
    String kept = receipt("mine");
    for (PrivateListSelection again :
        List.of(
            lists("mine.yaml", "csv a", secret(3)),
            lists("other.yaml", "csv a", secret(3)),
            lists("other.yaml", "csv a", Optional.empty()))) {
      Answer answer = again.of(List.of(KINDS), price("2", "1e-7"), of(rows));
      assertThat(answer.again()).isTrue();
      assertThat(answer.names()).isEqualTo(first.names());
      assertThat(answer.words()).isEqualTo(first.words());
      assertThatThrownBy(() -> again.of(List.of(WARDS), PRICE, of(rows)))
          .as("more of the same people")
          .hasMessageContaining("Nothing is spent on it twice");
    }
    assertThat(receipt("mine")).isEqualTo(kept);
    assertThat(folder.resolve("other.receipt.json")).doesNotExist();
    assertThat(
            lists("other.yaml", "csv renamed", secret(3))
                .of(List.of(KINDS), PRICE, of(rows))
                .again())
        .as(
            "under another name it is paid for: an answer for nothing would say that it is the"
                + " same")
        .isFalse();
  }

  /** Where the receipt answers the sample is not even read. */
  @Test
  void theReceiptAnswersWithoutALookAtRecords() throws Exception {
    lists("mine.yaml", "csv a", Optional.empty())
        .of(List.of(KINDS), PRICE, of(people(200, "kind", "a")));
    WholeSample untouchable =
        (person, fields, taker) -> {
          throw new AssertionError("was read");
        };
    assertThat(
            lists("mine.yaml", "csv a", Optional.empty())
                .of(List.of(KINDS), PRICE, untouchable)
                .names())
        .containsExactly(List.of("a"));
    PrivateListSelection other =
        PrivateListSelection.beside(
            folder.resolve("mine.yaml"), "csv a", "ward", Optional.empty(), NOW);
    assertThatThrownBy(() -> other.of(List.of(KINDS), PRICE, untouchable))
        .as("other people are protected")
        .hasMessageContaining("Nothing is spent on it twice");
  }

  /** Another sample, beside the first one's draft: its receipt is never written over. */
  @Test
  void anotherSampleNeedsAnotherDraft() throws Exception {
    lists("mine.yaml", "csv a", Optional.empty())
        .of(List.of(KINDS), PRICE, of(people(200, "kind", "a")));
    String kept = receipt("mine");
    assertThatThrownBy(
            () ->
                lists("mine.yaml", "csv b", Optional.empty())
                    .of(List.of(KINDS), PRICE, of(people(200, "kind", "b"))))
        .hasMessageContaining("tells what was spent on another sample");
    assertThat(receipt("mine")).isEqualTo(kept);
  }

  /** Ended between the charge and the draw: the same draw is made up for, and no other one. */
  @Test
  void whatWasChargedAndNotDrawnIsDrawnOnce() throws Exception {
    List<Row> rows = people(200, "kind", "a", "b");
    lists("mine.yaml", "csv a", secret(5)).of(List.of(KINDS), PRICE, of(rows));
    String whole = receipt("mine");
    Receipt kept = Receipt.parse(whole);
    List<Receipt.Spent> charged =
        kept.draws().stream().map(draw -> draw.with(null)).collect(Collectors.toList());
    Path file = folder.resolve("mine.receipt.json");
    Files.writeString(file, kept.with(charged).text());
    String half = Files.readString(file);
    Path part = folder.resolve(".mine.receipt.json.part");
    assertThat(part).doesNotExist();
    assertThat(half).doesNotContain("found");
    for (Optional<NoiseSecret> other : List.of(secret(6), Optional.<NoiseSecret>empty())) {
      assertThatThrownBy(
              () -> lists("mine.yaml", "csv a", other).of(List.of(KINDS), PRICE, of(rows)))
          .hasMessageContaining("a draw that was never completed");
    }
    assertThatThrownBy(
            () ->
                lists("mine.yaml", "csv a", secret(5))
                    .of(List.of(KINDS), price("9", "1e-6"), of(rows)))
        .hasMessageContaining("a draw that was never completed");
    assertThat(Files.readString(file)).isEqualTo(half);
    lists("mine.yaml", "csv a", secret(5)).of(List.of(KINDS), PRICE, of(rows));
    assertThat(receipt("mine")).isEqualTo(whole);
    Files.writeString(file, half);
    Files.writeString(part, whole);
    lists("mine.yaml", "csv a", Optional.empty()).of(List.of(KINDS), PRICE, of(rows));
    assertThat(receipt("mine")).as("what was drawn already").isEqualTo(whole);
    assertThat(part).doesNotExist();
    Files.writeString(file, half);
    for (String cut : List.of("", whole.substring(0, 40), whole.replace("\"a\"", "\"other\""))) {
      Files.writeString(part, cut.replace("other", "a").equals(whole) ? "{}" : cut);
      assertThatThrownBy(
              () -> lists("mine.yaml", "csv a", secret(5)).of(List.of(KINDS), PRICE, of(rows)))
          .as("somebody may have seen a part")
          .hasMessageContaining("may have been seen");
      assertThat(receipt("mine")).isEqualTo(half);
    }
  }

  /** While one reads its sample another one would finish the same receipt. */
  @Test
  void twoRunsAtOnceDoNotDrawTwice() throws Exception {
    WholeSample slow =
        (person, fields, taker) -> {
          assertThatThrownBy(
                  () ->
                      lists("other.yaml", "csv a", secret(5))
                          .of(List.of(KINDS), PRICE, of(people(200, "kind", "a"))))
              .hasMessageContaining("is at work in this folder");
          of(people(200, "kind", "a")).read(person, fields, taker);
        };
    lists("mine.yaml", "csv a", secret(5)).of(List.of(KINDS), PRICE, slow);
    assertThat(receipt("mine")).contains("found");
  }

  /** It may be about this very sample. */
  @Test
  void aReceiptThatCannotBeReadIsNotPassedOver() throws Exception {
    for (String text : List.of("", "{", "null", "{\"receipt\":2}", "{\"secret\":\"x\"}")) {
      Files.writeString(folder.resolve("old.receipt.json"), text);
      assertThatThrownBy(
              () ->
                  lists("mine.yaml", "csv a", Optional.empty())
                      .of(List.of(KINDS), PRICE, of(people(200, "kind", "a"))))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("old.receipt.json: is no receipt");
    }
    assertThat(folder.resolve("mine.receipt.json")).doesNotExist();
  }
}
