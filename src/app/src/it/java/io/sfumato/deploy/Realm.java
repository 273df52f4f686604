// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.runtime.Patiently;
import io.sfumato.runtime.Processes;
import io.sfumato.runtime.TestCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A realm of Kerberos: Debian's key distribution centre as an ordinary process on a free port. */
final class Realm implements AutoCloseable {
  static final String NAME = "EXAMPLE.COM";

  private final Path folder;
  private final int port = EmbeddedBroker.freePort();
  private final Process centre;

  Realm(Path folder) throws Exception {
    this.folder = Files.createDirectories(folder);
    Files.writeString(
        configuration(),
        """
        [libdefaults]
          default_realm = %1$s
          dns_lookup_kdc = false
          dns_lookup_realm = false
          dns_canonicalize_hostname = false
          rdns = false
          udp_preference_limit = 1
        [realms]
          %1$s = {
            kdc = 127.0.0.1:%2$d
          }
        [domain_realm]
          localhost = %1$s
        """
            .formatted(NAME, port));
    Files.writeString(
        folder.resolve("kdc.conf"),
        """
        [kdcdefaults]
          kdc_listen = 127.0.0.1:%2$d
          kdc_tcp_listen = 127.0.0.1:%2$d
        [realms]
          %1$s = {
            database_name = %3$s/principal
            key_stash_file = %3$s/stash
            acl_file = %3$s/acl
            supported_enctypes = aes256-cts-hmac-sha1-96:normal
          }
        [logging]
          kdc = FILE:%3$s/kdc.log
        """
            .formatted(NAME, port, folder));
    call("/usr/sbin/kdb5_util", "create", "-s", "-r", NAME, "-P", "master-of-this-test");
    centre = command("/usr/sbin/krb5kdc", "-n", "-P", folder.resolve("pid").toString()).start();
    Patiently.await().atMost(TestCluster.PATIENCE).until(this::answers);
  }

  private boolean answers() {
    assertThat(centre.isAlive()).as("krb5kdc").isTrue();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** What programs are told of the realm. */
  Path configuration() {
    return folder.resolve("krb5.conf");
  }

  /** A new principal with a random key. */
  void add(String principal) throws Exception {
    call("/usr/sbin/kadmin.local", "-r", NAME, "-q", "addprinc -randkey " + principal);
  }

  /** Draws another key for a principal, and writes it into a file. */
  Path keytab(String principal, Path file) throws Exception {
    call("/usr/sbin/kadmin.local", "-r", NAME, "-q", "ktadd -k %s %s".formatted(file, principal));
    assertThat(file).isNotEmptyFile();
    return file;
  }

  private ProcessBuilder command(String... command) {
    List<String> all = new ArrayList<>(List.of(command));
    ProcessBuilder builder =
        new ProcessBuilder(all)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("tools.log").toFile());
    builder.environment().put("KRB5_CONFIG", configuration().toString());
    builder.environment().put("KRB5_KDC_PROFILE", folder.resolve("kdc.conf").toString());
    return builder;
  }

  private void call(String... command) throws Exception {
    Process process = command(command).redirectOutput(ProcessBuilder.Redirect.PIPE).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }

  @Override
  public void close() {
    Processes.kill(List.of(centre));
  }
}
