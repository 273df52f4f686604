// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedFolderTest {
  @TempDir Path path;

  @Test
  void shouldNameABrokerOnlyWhileItListens() throws Exception {
    EmbeddedFolder folder = new EmbeddedFolder(path);
    assertThat(folder.server()).isEmpty();
    try (FolderLock held = folder.tryLock().orElseThrow();
        ServerSocket broker = listening()) {
      String address = "127.0.0.1:" + broker.getLocalPort();
      folder.announce(address);
      assertThat(folder.server()).contains(address);
      folder.withdraw();
      assertThat(folder.server()).isEmpty();
      folder.announce(address);
    }
    assertThat(folder.server()).as("killed: the file stays behind").isEmpty();
  }

  /**
   * Copies have one cluster's id, so that asking the cluster who it is does not tell them apart.
   */
  @Test
  void shouldNotTakeTheBrokerOfOneCopyForThatOfAnother(@TempDir Path elsewhere) throws Exception {
    EmbeddedFolder folder = new EmbeddedFolder(path);
    EmbeddedFolder copy = new EmbeddedFolder(elsewhere);
    try (ServerSocket broker = listening()) {
      String address = "127.0.0.1:" + broker.getLocalPort();
      try (FolderLock held = folder.tryLock().orElseThrow()) {
        folder.announce(address);
        for (String name : List.of("broker.address", "broker.lock")) {
          Files.copy(
              path.resolve(name), elsewhere.resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
        }
        assertThat(copy.server()).as("copied while the first one ran").isEmpty();
      }
      try (FolderLock held = copy.tryLock().orElseThrow()) {
        copy.announce(address);
        assertThat(copy.server()).contains(address);
        assertThat(folder.server()).as("killed, and the copy has its port today").isEmpty();
      }
    }
  }

  private static ServerSocket listening() throws IOException {
    return new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"));
  }

  /** In a folder that many may write to, another account could put an address of its own. */
  @Test
  void shouldNotFollowAnAddressThatOthersMayHaveWritten() throws Exception {
    EmbeddedFolder folder = new EmbeddedFolder(path);
    try (FolderLock held = folder.tryLock().orElseThrow();
        ServerSocket broker = listening()) {
      folder.announce("127.0.0.1:" + broker.getLocalPort());
      Path file = path.resolve("broker.address");
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
      assertThat(folder.server()).isEmpty();
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      assertThat(folder.server()).isPresent();
    }
  }
}
