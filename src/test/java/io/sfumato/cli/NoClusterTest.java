// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.devcluster.EmbeddedBroker;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** Nobody listens where a command is sent: one line that names the address. */
class NoClusterTest {
  @Test
  void shouldSayInOneLineThatNobodyAnswers() {
    String servers = "127.0.0.1:" + EmbeddedBroker.freePort();
    StringWriter err = new StringWriter();
    int code =
        Main.commandLine()
            .setErr(new PrintWriter(err, true))
            .execute("consume", "any", "--bootstrap-servers", servers);
    assertThat(code).isEqualTo(4);
    assertThat(err.toString().lines())
        .singleElement()
        .asString()
        .isEqualTo(
            "no Kafka cluster answers at %s (tried for 5 s). Is it up, and --bootstrap-servers right?"
                .formatted(servers));
  }
}
