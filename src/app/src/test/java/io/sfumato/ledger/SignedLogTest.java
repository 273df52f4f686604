// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.gate.NoiseKey;
import io.sfumato.gate.NoiseSecret;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Signatures of entries, which registries keep for ever. */
class SignedLogTest {
  private static final NoiseKey KEY =
      NoiseSecret.parse("00112233445566778899aabbccddeeff102132435465768798a9bacbdcedfe0f")
          .derive();

  private static SignedLog log(String topic, String owner) {
    return new SignedLog(null, topic, "", Optional.of(KEY.entriesOf(owner)));
  }

  private static ObjectNode value(String name, String text) {
    return JsonNodeFactory.instance.objectNode().put(name, text);
  }

  /** HKDF (RFC 5869) and HMAC computed elsewhere: entries written before must hold. */
  @ParameterizedTest
  @CsvSource({
    "sfumato-a-registry, budget/a, sealed, at, now, 88e1703f50b2551920f5eb46b06811b8887bdf69ce037db1b59cf4d5d3c6bab2",
    "a-registry, pipeline/a, budget, budget, a, 358ad115b1a6e0e0be971e8de0d6ec19f8ae1b426de16acd39b37cf1737734ee"
  })
  void shouldSignAsItAlwaysDid(
      String topic, String owner, String name, String field, String text, String signature) {
    ProducerRecord<byte[], byte[]> signed =
        log(topic, owner).signed(new SignedLog.Draft(name, value(field, text)));
    assertThat(signed.headers().lastHeader(SignedLog.SIGNATURE).value())
        .isEqualTo(HexFormat.of().parseHex(signature));
  }

  @Test
  void shouldTakeNoSignatureForAnythingElse() {
    ProducerRecord<byte[], byte[]> signed =
        log("t", "budget/a").signed(new SignedLog.Draft("sealed", value("at", "now")));
    byte[] name = signed.key();
    byte[] value = signed.value();
    byte[] signature = signed.headers().lastHeader(SignedLog.SIGNATURE).value();
    assertThat(isMine("t", name, value, signature)).isTrue();
    assertThat(isMine("other", name, value, signature)).as("another topic").isFalse();
    assertThat(isMine("t", bytes("started"), value, signature)).isFalse();
    assertThat(isMine("t", name, bytes("{\"at\":\"then\"}"), signature)).isFalse();
    assertThat(isMine("t", name, value, new byte[0])).isFalse();
    assertThat(isMine("t", name, value, null)).isFalse();
  }

  private static boolean isMine(String topic, byte[] name, byte[] value, byte[] signature) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(SignedLog.SIGNATURE, signature);
    return log(topic, "budget/a")
        .entry(
            new ConsumerRecord<>(
                topic,
                0,
                0,
                0,
                TimestampType.CREATE_TIME,
                0,
                0,
                name,
                value,
                headers,
                Optional.empty()))
        .orElseThrow()
        .isMine();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Whoever was fenced tries again; whoever may not, or is set up wrongly, is told so. */
  @Test
  void shouldTellWhoWasOvertakenFromWhoMayNot() {
    for (KafkaException overtaken :
        List.of(
            new ProducerFencedException("fenced"),
            new KafkaException("in an error state", new InvalidProducerEpochException("old")),
            new InvalidTxnStateException("none"),
            new KafkaException("Unhandled error in EndTxnResponse: The server experienced ..."))) {
      assertThat(SignedLog.isOvertaken(overtaken)).as(overtaken.toString()).isTrue();
    }
    for (KafkaException other :
        List.of(
            new TopicAuthorizationException("may not"),
            new KafkaException("in an error state", new TopicAuthorizationException("may not")),
            new TimeoutException("nobody answers"),
            new KafkaException("not made", new ConfigException("acks", "x")))) {
      assertThat(SignedLog.isOvertaken(other)).as(other.toString()).isFalse();
    }
  }
}
