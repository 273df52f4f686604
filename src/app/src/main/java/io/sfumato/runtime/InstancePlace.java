// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Where one instance keeps its state: a folder, of which no other instance has this part. */
public final class InstancePlace implements AutoCloseable {
  private static final String STATE = "state";

  private final Path folder;
  private final FolderLock lock;

  private InstancePlace(Path folder, FolderLock lock) {
    this.folder = folder;
    this.lock = lock;
  }

  /**
   * The folder itself.
   *
   * @param application whose state it is
   * @throws RefusedException if another instance has it, or it is unfit
   */
  public static InstancePlace take(Path folder, String application) throws RefusedException {
    return new InstancePlace(folder, FolderLock.acquire(folder, application));
  }

  /**
   * The first free place of a folder that several instances share: the folder itself, or one in it.
   *
   * @param application whose state it is
   * @throws RefusedException if the folder is unfit
   */
  public static InstancePlace share(Path folder, String application) throws RefusedException {
    Path place = folder;
    Optional<FolderLock> free = FolderLock.tryTake(place, application);
    for (int instance = 2; free.isEmpty(); instance++) {
      place = folder.resolve("instance-" + instance);
      free = FolderLock.tryTake(place, application);
    }
    return new InstancePlace(place, free.get());
  }

  /**
   * A place where an instance of an application has, or had, state on this machine.
   *
   * @param folder of the application's tasks
   * @param isRunning whether a process has it now
   */
  public record Known(Path folder, boolean isRunning) {}

  /** The places of a folder that hold state of an application. */
  public static List<Known> known(Path folder, String application) {
    List<Known> known = new ArrayList<>();
    Path place = folder;
    for (int instance = 2; Files.isDirectory(place); instance++) {
      Path state = place.resolve(STATE).resolve(application);
      if (Files.isDirectory(state)) {
        known.add(new Known(state, FolderLock.isHeld(place, application)));
      }
      place = folder.resolve("instance-" + instance);
    }
    return known;
  }

  /** Folder of the state stores. */
  public Path state() {
    return folder.resolve(STATE);
  }

  @Override
  public void close() {
    lock.close();
  }
}
