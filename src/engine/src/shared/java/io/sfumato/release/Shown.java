// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.pipeline.ShownOutput;
import io.sfumato.rows.Card;
import io.sfumato.rows.Cards;
import io.sfumato.rows.OutputHead;
import io.sfumato.rows.TextLength;
import io.sfumato.schema.Guarantees;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Outputs of tests, as people see them. */
public final class Shown {
  private static final Map<String, Object> HEAD =
      Map.of(
          "release_id", "id",
          "pipeline", "test",
          "output", "output",
          "subject", "north",
          "window_start", Instant.EPOCH,
          "window_end", Instant.EPOCH.plusSeconds(60),
          "guarantee", Guarantees.any().build());

  private Shown() {}

  /** The same record: of its head, what a test did not set. */
  public static <T extends IndexedRecord> T headed(T output) {
    for (Schema.Field field : output.getSchema().getFields()) {
      if (HEAD.containsKey(field.name()) && output.get(field.pos()) == null) {
        output.put(field.pos(), HEAD.get(field.name()));
      }
    }
    return output;
  }

  /** On a terminal, behind its window and its subject. */
  public static String text(IndexedRecord output) {
    return shown(output).text(TextLength.TERMINAL);
  }

  /** The same in a file. */
  public static String whole(IndexedRecord output) {
    return shown(output).text(TextLength.WHOLE);
  }

  private static ShownOutput shown(IndexedRecord output) {
    return new ShownOutput(Releases.viewOf(output).orElseThrow(), headed(output));
  }

  /** On the page, as far as the record alone says it. */
  public static Card card(IndexedRecord output) {
    var view = Releases.viewOf(output).orElseThrow();
    return Cards.of(
        OutputHead.of(headed(output)), view.rows(output, Optional.empty()), view.reading(output));
  }
}
