// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.devcluster;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;

/** One broker in a process of its own, which may be killed. */
public final class BrokerProcess {
  private BrokerProcess() {}

  /** Argument: a file with the broker's properties. Ends when its input does. */
  public static void main(String[] arguments) throws IOException {
    Properties loaded = new Properties();
    try (Reader reader = Files.newBufferedReader(Path.of(arguments[0]))) {
      loaded.load(reader);
    }
    Map<String, String> config = new HashMap<>();
    loaded.stringPropertyNames().forEach(name -> config.put(name, loaded.getProperty(name)));
    KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(config, false), Time.SYSTEM);
    server.startup();
    // Whoever started this process holds the other end: none is left behind.
    while (System.in.read() >= 0) {
      continue;
    }
    Runtime.getRuntime().halt(0);
  }
}
