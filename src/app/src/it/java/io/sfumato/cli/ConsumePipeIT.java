// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import io.sfumato.serde.Outputs;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Outputs that go through a pipe to another program. */
@ExtendWith(SharedBroker.class)
class ConsumePipeIT {
  /** A pipe whose reader, such as {@code head}, has ended. */
  private static final class ClosedPipe extends Writer {
    @Override
    public void write(char[] text, int from, int length) throws IOException {
      throw new IOException("Broken pipe");
    }

    @Override
    public void flush() throws IOException {
      throw new IOException("Broken pipe");
    }

    @Override
    public void close() {}
  }

  private static void send(TestCluster cluster, String topic, byte[] record) throws Exception {
    cluster.createTopic(topic, 1);
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
      producer.send(new ProducerRecord<>(topic, record));
      producer.flush();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"table", "json", "csv"})
  void shouldEndWhenItsReaderEnds(String format, TestCluster cluster) throws Exception {
    String topic = "closed-pipe-" + format;
    send(cluster, topic, Outputs.encode(TopCommandTest.running()[0]));
    String[] arguments = {
      "consume", topic, "--follow", "-o", format, "--bootstrap-servers", cluster.servers()
    };
    int code =
        Main.commandLine(arguments)
            .setOut(new PrintWriter(new ClosedPipe(), true))
            .execute(arguments);
    assertThat(code).isZero();
  }
}
