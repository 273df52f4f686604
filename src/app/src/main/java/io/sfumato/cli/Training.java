// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Loads what the short commands load, and ends: the launcher has the JVM write these classes into
 * an archive, from which it starts them sooner. Touches neither files nor clusters.
 */
final class Training {
  /** Nobody listens there, and nothing is asked. */
  private static final Map<String, Object> NOWHERE = Map.of("bootstrap.servers", "127.0.0.1:1");

  private Training() {}

  /**
   * The one argument is a pipeline file.
   *
   * @throws IllegalStateException if the file cannot be planned
   */
  public static void main(String[] arguments) {
    PrintWriter nobody = new PrintWriter(Writer.nullWriter());
    int code =
        Main.commandLine().setOut(nobody).setErr(nobody).execute("plan", arguments[0])
            + Main.commandLine().setOut(nobody).setErr(nobody).execute("tick", "--help");
    if (code != 0) {
      throw new IllegalStateException("plan ended with " + code);
    }
    ByteArraySerializer bytes = new ByteArraySerializer();
    ByteArrayDeserializer back = new ByteArrayDeserializer();
    Admin.create(NOWHERE).close();
    new KafkaProducer<>(NOWHERE, bytes, bytes).close();
    new KafkaConsumer<>(NOWHERE, back, back).close();
    System.exit(0);
  }
}
