// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.List;

/** A kind of output that is made of what others publish. */
public interface DerivedKind {
  /** Its word in pipeline files, such as {@code top}. */
  String word();

  /** What a file may say of one, beside its name and topic. */
  Section section();

  /**
   * Reads one from a file; what is wrong with it is told to the fields.
   *
   * @param name of the output
   * @param topic that it is published to
   */
  DerivedSpec read(Fields fields, String name, String topic);

  /** The records that it publishes. */
  List<OutputView> outputs();
}
