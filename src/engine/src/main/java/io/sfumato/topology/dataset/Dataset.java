// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.dataset;

import io.sfumato.gate.Secret;
import java.util.Objects;

/** One subject's closed window. What it holds leaves it as a {@link Secret}. */
public final class Dataset {
  private final DatasetStore.Key key;
  private final Contents contents;

  public Dataset(DatasetStore.Key key, Contents contents) {
    this.key = key;
    this.contents = contents;
  }

  /** Whose it is, and of which window. */
  public DatasetStore.Key key() {
    return key;
  }

  /** What it holds, for the gate. */
  public Secret<Contents> contents() {
    return contents(0);
  }

  /**
   * What it holds for one of the file's questions, for the gate.
   *
   * @param question its number, 0 for that of the file
   */
  public Secret<Contents> contents(int question) {
    return Secret.of(contents.of(question));
  }

  /** Whether no user has records that count: then nothing is drawn of it. */
  public boolean isOfNobody() {
    return contents.users().orElseThrow() == 0;
  }

  /** Whether it had more events than are known apart: then nothing of it is released. */
  public boolean hasTooManyEvents() {
    return contents.events().filter(EventIds::isTooMany).isPresent();
  }

  /** Records that it tells of, for operators: all of them, unless it is a sample alone. */
  public long recordsTold() {
    return contents.recordsTold();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Dataset dataset
        && key.equals(dataset.key)
        && contents.equals(dataset.contents);
  }

  @Override
  public int hashCode() {
    return Objects.hash(key, contents);
  }

  /** Never prints data. */
  @Override
  public String toString() {
    return "Dataset[masked]";
  }
}
