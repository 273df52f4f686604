// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import io.sfumato.devcluster.EmbeddedBroker;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** A jar with {@link PasswordFileHandler} alone, and a broker that lets in who uses it. */
public final class LoginLibrary {
  private static final String USER = "gateway";
  private static final String PASSWORD = "correct-horse";

  private LoginLibrary() {}

  /** A broker without an authorizer: who logs in may do everything. */
  public static EmbeddedBroker broker(Path folder) {
    Map<String, String> config = new HashMap<>();
    config.put("listener.security.protocol.map", "CLIENTS:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT");
    config.put("sasl.mechanism.inter.broker.protocol", "PLAIN");
    config.put("sasl.enabled.mechanisms", "PLAIN");
    config.put(
        "listener.name.clients.plain.sasl.jaas.config",
        "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"%1$s\" password=\"%2$s\" user_%1$s=\"%2$s\";"
            .formatted(USER, PASSWORD));
    return EmbeddedBroker.start(folder, EmbeddedBroker.freePort(), config);
  }

  /** Writes the jar. */
  public static Path jar(Path file) throws IOException {
    String name = PasswordFileHandler.class.getName().replace('.', '/') + ".class";
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file));
        InputStream compiled = LoginLibrary.class.getClassLoader().getResourceAsStream(name)) {
      jar.putNextEntry(new JarEntry(name));
      compiled.transferTo(jar);
    }
    return file;
  }

  /**
   * Writes the file with user and password into a folder, and a properties file beside it.
   *
   * @param seen the folder, as the program sees it
   * @return the properties file
   */
  public static Path properties(Path folder, String seen) throws IOException {
    Files.writeString(folder.resolve("login.txt"), USER + "\n" + PASSWORD + "\n");
    Path file = folder.resolve("kafka.properties");
    Files.writeString(
        file,
        """
        security.protocol=SASL_PLAINTEXT
        sasl.mechanism=PLAIN
        sasl.client.callback.handler.class=%s
        %s=%s/login.txt
        sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required;
        """
            .formatted(PasswordFileHandler.class.getName(), PasswordFileHandler.PROPERTY, seen));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return file;
  }
}
