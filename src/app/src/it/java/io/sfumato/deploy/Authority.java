// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;

/** A certificate authority, by OpenSSL: PEM files as a company's own authority gives them. */
final class Authority {
  private final Path folder;
  private final String name;

  /**
   * @param name of the authority, and of its files in the folder
   */
  Authority(Path folder, String name) throws Exception {
    this.folder = folder;
    this.name = name;
    request(name, "/CN=" + name, List.of());
  }

  /** Its own certificate, which others trust. */
  Path certificate() {
    return folder.resolve(name + ".crt");
  }

  /** Key and certificate of a server on this machine, in one file. */
  Path server() throws Exception {
    return issue(
        "server", "/CN=localhost", List.of("-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"));
  }

  /**
   * Key and certificate of a client, in one file.
   *
   * @param file without ending
   * @param subject as OpenSSL writes it
   */
  Path client(String file, String subject) throws Exception {
    return issue(file, subject, List.of());
  }

  private Path issue(String file, String subject, List<String> more) throws Exception {
    List<String> signed =
        new ArrayList<>(
            List.of(
                "-CA",
                certificate().toString(),
                "-CAkey",
                folder.resolve(name + ".key").toString(),
                "-addext",
                "basicConstraints=critical,CA:FALSE"));
    signed.addAll(more);
    request(file, subject, signed);
    String both =
        Files.readString(folder.resolve(file + ".key"))
            + Files.readString(folder.resolve(file + ".crt"));
    return Files.writeString(folder.resolve(file + ".pem"), both);
  }

  private void request(String file, String subject, List<String> more) throws Exception {
    List<String> command = new ArrayList<>(List.of("openssl", "req", "-x509", "-nodes"));
    command.addAll(List.of("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"));
    command.addAll(List.of("-days", "30", "-subj", subject));
    command.addAll(List.of("-keyout", folder.resolve(file + ".key").toString()));
    command.addAll(List.of("-out", folder.resolve(file + ".crt").toString()));
    command.addAll(more);
    Process openssl = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(openssl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(openssl.waitFor()).as(said).isZero();
  }

  /** What a broker's listener needs to speak TLS, and to ask for certificates of this authority. */
  Map<String, String> ofBroker() throws Exception {
    return Map.of(
        "ssl.keystore.type",
        "PEM",
        "ssl.keystore.location",
        server().toString(),
        "ssl.truststore.type",
        "PEM",
        "ssl.truststore.location",
        certificate().toString());
  }

  /** The same for a web server of a test. */
  SSLContext ofWebServer() throws Exception {
    ConfigDef known = new ConfigDef();
    SslConfigs.addClientSslSupport(known);
    try (DefaultSslEngineFactory factory = new DefaultSslEngineFactory()) {
      factory.configure(new AbstractConfig(known, ofBroker(), false).values());
      return factory.sslContext();
    }
  }

  /** What a properties file of a guide names, as it is named there. */
  void trustedAs(String file) throws IOException {
    Files.copy(certificate(), folder.resolve(file));
  }
}
