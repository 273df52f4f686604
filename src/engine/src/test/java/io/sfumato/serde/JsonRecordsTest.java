// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.bytes.CorruptBytesException;
import io.sfumato.pipeline.OutputFormat;
import io.sfumato.schema.AbcCandidate;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.DeadLetter;
import io.sfumato.schema.Guarantee;
import io.sfumato.schema.Guarantees;
import io.sfumato.schema.Refusal;
import io.sfumato.schema.RefusalCode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonRecordsTest {
  private static final Instant TIME = Instant.parse("2026-01-05T00:00:00Z");
  private static final OutputEncoder JSON =
      OutputEncoder.of(OutputFormat.JSON, SchemaSource.none());

  private static List<SpecificRecord> records() {
    Guarantee guarantee =
        Guarantees.any()
            .setAdjacency("a \"word\"\n")
            .setMechanism("m")
            .setRenyiOrder(1.1)
            .setRenyiEpsilon(Double.MIN_NORMAL)
            .setEpsilon(2)
            .build();
    return List.of(
        CountRelease.newBuilder()
            .setReleaseId("id")
            .setPipeline("p")
            .setOutput("o")
            .setSubject("Z\u00fcrich \ud83c\udfe5")
            .setWindowStart(TIME)
            .setWindowEnd(TIME.plusMillis(7))
            .setSince(TIME)
            .setCategories(List.of("a", "b"))
            .setCounts(List.of(-3L, Long.MAX_VALUE))
            .setError95(9)
            .setExampleLeftOut(0.25)
            .setGuarantee(guarantee)
            .build(),
        Refusal.newBuilder()
            .setPipeline("p")
            .setOutput("o")
            .setSubject("s")
            .setWindowStart(TIME)
            .setWindowEnd(TIME)
            .setCode(RefusalCode.EXHAUSTED)
            .setPipelineVersion(3)
            .build(),
        DeadLetter.newBuilder()
            .setTopic("t")
            .setPartition(1)
            .setOffset(1L << 40)
            .setCode("MALFORMED")
            .build(),
        AbcCandidate.newBuilder()
            .setOutput("o")
            .setQueryId("q")
            .setCandidate(0)
            .setCandidates(1)
            .setSubject("s")
            .setWindowStart(TIME)
            .setParameters(List.of(0.1, -1e300))
            .setValues(List.of(List.of(1.0, 2.0), List.of()))
            .build());
  }

  @Test
  void whatIsWrittenIsReadBackInEitherFormat() {
    for (SpecificRecord record : records()) {
      byte[] json = JSON.encode(record);
      assertThat(new String(json, StandardCharsets.UTF_8))
          .startsWith("{\"type\":\"" + record.getSchema().getName() + "\",");
      assertThat(Outputs.decodeAny(json)).isEqualTo(record);
      assertThat(Outputs.decodeAny(Outputs.encode(record))).isEqualTo(record);
    }
  }

  /** Shortest text that reads back, as Java 19 and later print it: fixed here for Java 17 too. */
  @ParameterizedTest
  @ValueSource(doubles = {2e-3, 1e23, 2.2250738585072014E-308, 0.1, 4.9E-324, 9007199254740993.0})
  void textsOfNumbersDoNotDependOnTheJavaThatWritesThem(double number) {
    AbcCandidate candidate =
        AbcCandidate.newBuilder((AbcCandidate) records().get(3))
            .setParameters(List.of(number))
            .build();
    String text = new String(JSON.encode(candidate), StandardCharsets.UTF_8);
    String shown = text.replaceAll(".*\"parameters\":\\[([^]]*)].*", "$1");
    assertThat(Double.parseDouble(shown)).isEqualTo(number);
    String expected = number == 1e23 ? "1.0E23" : number == 2e-3 ? "0.002" : shown;
    assertThat(shown).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"type\":7}",
        "{\"type\":\"Unknown\"}",
        "{\"type\":\"DeadLetter\"}",
        "{\"type\":\"DeadLetter\",\"topic\":1,\"partition\":1,\"offset\":1,\"code\":\"x\"}",
        "{\"type\":\"DeadLetter\",\"topic\":\"t\",\"partition\":1.5,\"offset\":1,\"code\":\"x\"}",
        "{\"type\":\"DeadLetter\",\"topic\":\"t\",\"topic\":\"u\"}",
        "{\"type\":\"DeadLetter\"} {}",
        "{\"type\":",
        "{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":1}}}}}}}}}}}"
      })
  void nonsenseIsNoOutput(String text) {
    assertThatThrownBy(() -> Outputs.decodeAny(text.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(CorruptBytesException.class)
        .hasNoCause();
  }

  /** 20,000 outputs with some bytes changed: read, or refused, and never anything else. */
  @Test
  void damagedOutputsAreReadOrRefused() {
    Random random = new Random(11);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = JSON.encode(records().get(i % 4));
      for (int change = random.nextInt(4); change >= 0; change--) {
        bytes[1 + random.nextInt(bytes.length - 1)] = (byte) random.nextInt(256);
      }
      try {
        assertThat(Outputs.decodeAny(bytes)).isNotNull();
      } catch (CorruptBytesException e) {
        assertThat(e).hasMessageNotContaining("Z\u00fcrich");
      }
    }
  }
}
