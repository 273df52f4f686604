// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import org.apache.avro.Schema;

/** What a pipeline publishes to a topic of its own, whatever it is made of. */
public interface OutputSpec {
  /** Name of the output: also the default name of its topic. */
  String name();

  /** Topic that it is published to. */
  String topic();

  /** Of what it publishes. */
  Schema schema();
}
