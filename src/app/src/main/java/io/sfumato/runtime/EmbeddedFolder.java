// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.files.PrivateFile;
import java.io.IOException;
import java.io.Reader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.Properties;

/**
 * Folder of an embedded cluster: its log, the secret of what runs on it, and where it listens.
 *
 * @param path as {@code run --data} was given it
 */
public record EmbeddedFolder(Path path) {
  /** Unless another one is named. */
  public static final Path DEFAULT = Path.of(".sfumato");

  /** What of the folder the process with its broker holds. */
  private static final String LOCK = "broker";

  /** It listens on this machine. */
  private static final int ANSWER_MS = 1_000;

  /** Where the broker has its log. */
  public Path broker() {
    return path.resolve("broker");
  }

  /** Where the noise secret is, if none was given to {@code run}. */
  public Path secret() {
    return path.resolve("noise.key");
  }

  /**
   * Keeps the folder for one broker.
   *
   * @return nothing if one runs here
   * @throws RefusedException if the folder cannot be written or is open to others
   */
  public Optional<FolderLock> tryLock() throws RefusedException {
    return FolderLock.tryTake(path, LOCK);
  }

  /**
   * Says where the broker listens, to whoever joins it; until {@link #withdraw}, by whoever has the
   * lock.
   */
  public void announce(String server) throws IOException {
    withdraw();
    PrivateFile.write(announced(), server);
  }

  /** The broker ends. */
  public void withdraw() {
    try {
      Files.deleteIfExists(announced());
    } catch (IOException e) {
      // Nobody accepts there any more, which is looked at too.
    }
  }

  /**
   * Where this folder's broker listens; nothing if none does. What another account wrote, or could
   * have, is not looked at: commands send personal data there. Nor is what no process holds the
   * folder for: a copy of a folder names the broker of the folder that it was copied from, and has
   * its cluster's id too; and so would a copy that listens today where this folder's broker did.
   */
  public Optional<String> server() {
    if (!FolderLock.isHeld(path, LOCK)) {
      return Optional.empty();
    }
    try {
      String server = PrivateFile.read(announced(), "the address of a broker").strip();
      int colon = server.lastIndexOf(':');
      InetSocketAddress address =
          new InetSocketAddress(
              server.substring(0, colon), Integer.parseInt(server.substring(colon + 1)));
      try (Socket socket = new Socket()) {
        socket.connect(address, ANSWER_MS);
        return Optional.of(server);
      }
    } catch (IOException | RuntimeException e) {
      // It begins, or ends.
      return Optional.empty();
    }
  }

  private Path announced() {
    return path.resolve("broker.address");
  }

  /**
   * Whether a cluster is the one whose log is here: an address may be another cluster's today.
   *
   * @throws RefusedException if the cluster does not say which it is
   */
  public boolean isOf(Cluster cluster) throws RefusedException {
    Optional<String> own = clusterId();
    return own.isPresent() && own.get().equals(cluster.id());
  }

  /** The same of the cluster that answers at an address. */
  public boolean isAt(KafkaSettings settings) throws RefusedException {
    try (Cluster cluster = new Cluster(settings)) {
      return isOf(cluster);
    }
  }

  /**
   * Whether a broker was embedded here, which may run or not; also where that cannot be seen, since
   * whoever takes it for no has another cluster in its place.
   */
  public boolean hasBroker() {
    try {
      Files.readAttributes(broker(), BasicFileAttributes.class);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /** As Kafka wrote it when the folder was made. */
  private Optional<String> clusterId() {
    Properties written = new Properties();
    try (Reader reader = Files.newBufferedReader(broker().resolve("meta.properties"))) {
      written.load(reader);
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
    return Optional.ofNullable(written.getProperty("cluster.id"));
  }
}
