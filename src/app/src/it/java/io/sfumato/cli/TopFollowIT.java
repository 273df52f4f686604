// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import io.sfumato.schema.NamesRelease;
import io.sfumato.serde.Outputs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Sums of running counts while their lists come, subject by subject, from two partitions. */
@ExtendWith(SharedBroker.class)
class TopFollowIT {
  @TempDir Path folder;

  private static void send(TestCluster cluster, NamesRelease... lists) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
      for (NamesRelease list : lists) {
        int partition = list.getSubject().equals("west") ? 0 : 1;
        producer.send(new ProducerRecord<>("terms", partition, null, Outputs.encode(list)));
      }
      producer.flush();
    }
  }

  @Test
  void aWindowIsToldOnceAllListsAreThereAndGoesByThoseBefore(TestCluster cluster) throws Exception {
    Path file = Files.writeString(folder.resolve("running.yaml"), TopCommandTest.RUNNING);
    NamesRelease[] lists = TopCommandTest.running();
    cluster.createTopic("terms", 2);
    send(cluster, lists[0], lists[1], lists[3]);
    try (BackgroundCommand top =
        BackgroundCommand.start(
            "top",
            file.toString(),
            "--bootstrap-servers",
            cluster.servers(),
            "--follow",
            "--max",
            "3")) {
      top.awaitText("2026-11-02 00:00");
      assertThat(top.isAlive()).as("the second window lacks the list of the east").isTrue();
      assertThat(top.out()).doesNotContain("2026-11-03");
      send(cluster, lists[2], lists[5], lists[4]);
      CommandResult ended = top.awaitEnd();
      assertThat(ended.code()).as(ended.text()).isZero();
      List<String> lines = ended.out().replaceAll(" +", " ").lines().toList();
      assertThat(lines.get(lines.size() - 1))
          .as("found in the window before")
          .matches(" 1\\. a 310 \\(24\\d to 36\\d\\) in 2 of 2 lists");
    }
  }
}
