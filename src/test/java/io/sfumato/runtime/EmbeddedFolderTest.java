// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedFolderTest {
  @TempDir Path path;

  @Test
  void shouldNameABrokerOnlyWhileItListens() throws Exception {
    EmbeddedFolder folder = new EmbeddedFolder(path);
    assertThat(folder.server()).isEmpty();
    try (ServerSocket broker = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      String address = "127.0.0.1:" + broker.getLocalPort();
      folder.announce(address);
      assertThat(folder.server()).contains(address);
      folder.withdraw();
      assertThat(folder.server()).isEmpty();
      folder.announce(address);
    }
    assertThat(folder.server()).as("killed: the file stays behind").isEmpty();
  }

  /** In a folder that many may write to, another account could put an address of its own. */
  @Test
  void shouldNotFollowAnAddressThatOthersMayHaveWritten() throws Exception {
    EmbeddedFolder folder = new EmbeddedFolder(path);
    try (ServerSocket broker = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      folder.announce("127.0.0.1:" + broker.getLocalPort());
      Path file = path.resolve("broker.address");
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
      assertThat(folder.server()).isEmpty();
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      assertThat(folder.server()).isPresent();
    }
  }
}
