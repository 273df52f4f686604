// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a program wrote that did not sign: {@code accounts.txt} holds time, key and value of every
 * record of its topic after two pipelines had run, of which one was exported and imported again. A
 * third was refused by the account.
 */
class FormerRegistryTest {
  private static final String KEY = "135a78e86d593689";

  private final List<SignedLog.Entry> entries = new ArrayList<>();
  private FormerRegistry former;

  @BeforeEach
  void read() throws Exception {
    SignedLog log = new SignedLog(null, AccountLog.TOPIC, "", Optional.empty());
    try (InputStream in = getClass().getResourceAsStream("/io/sfumato/formerly/accounts.txt")) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
        String[] parts = line.split("\t");
        log.entry(
                new ConsumerRecord<>(
                    AccountLog.TOPIC,
                    0,
                    entries.size(),
                    Long.parseLong(parts[0]),
                    TimestampType.CREATE_TIME,
                    0,
                    0,
                    parts[1].getBytes(StandardCharsets.UTF_8),
                    parts[2].getBytes(StandardCharsets.UTF_8),
                    new RecordHeaders(),
                    Optional.empty()))
            .ifPresent(entries::add);
      }
    }
    former = FormerRegistry.of(entries);
  }

  @Test
  void shouldReadEveryRecord() {
    assertThat(entries).hasSize(8).noneMatch(SignedLog.Entry::isMine);
  }

  @Test
  void shouldKnowWithWhatABudgetWasStartedAndWhatItWasGranted() {
    RegistryEntries entries = former.of("a");
    assertThat(entries.sealed()).isEmpty();
    assertThat(entries.continued()).isEmpty();
    assertThat(entries.started())
        .contains(
            new Started(
                "a",
                1,
                "16d2258fee7570f4defc3c5eb38dee95a228e05b1a98b8b4962075b2ff2cef6c",
                KEY,
                1795372147505L));
    assertThat(entries.granted())
        .hasValueSatisfying(
            claim -> {
              assertThat(claim.account().name()).isEqualTo("people");
              assertThat(claim.account().epsilon()).hasToString("5");
              assertThat(claim.account().delta()).hasToString("0.00001");
              assertThat(claim.budget()).isEqualTo("a");
              assertThat(claim.unit()).isEqualTo("record");
              assertThat(claim.period()).isEqualTo("lifetime");
              assertThat(claim.epsilon()).hasToString("2");
              assertThat(claim.delta()).hasToString("0.000001");
            });
    assertThat(former.budgetOf("a")).contains("a");
  }

  @Test
  void shouldKnowWhatWasSealedAndAsWhatItGoesOn() {
    RegistryEntries entries = former.of("b");
    assertThat(entries.sealed()).contains("2026-11-22T18:32:04.885033760Z");
    assertThat(entries.continued()).contains("b2");
    assertThat(entries.started()).hasValueSatisfying(start -> assertThat(start.at()).isPositive());
    assertThat(entries.granted()).isPresent();
    assertThat(former.budgetOf("b")).contains("b");
  }

  /** Refused by the account, or never heard of. */
  @Test
  void shouldKnowNothingOfABudgetThatNeverBegan() {
    for (String name : List.of("b2", "c", "")) {
      assertThat(former.of(name)).isEqualTo(RegistryEntries.NONE);
      assertThat(former.budgetOf(name)).isEmpty();
    }
  }
}
