// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.pipeline.Columns;
import io.sfumato.pipeline.Crossing;
import io.sfumato.pipeline.Crossing.Column;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.RecordFilter;
import io.sfumato.record.RecordPart;

/**
 * A pipeline whose records can be made up: whatever its file reads in a timestamp, a header or the
 * topic, it reads in a field of the value. Nothing else of it changes.
 */
final class StagedInput {
  private static final String MADE_UP = "made up ";

  private StagedInput() {}

  static Pipeline of(Pipeline pipeline) {
    Pipeline staged = pipeline.withInputs(StagedInput::inFields);
    return pipeline
        .population()
        .map(people -> staged.with(people.withUser(inField(people.user()))))
        .orElse(staged);
  }

  private static InputSpec inFields(InputSpec input) {
    return new InputSpec(
        input.topics(),
        input.format(),
        inField(input.subject()),
        inField(input.time()),
        input.category().map(StagedInput::inField),
        input.columns().map(StagedInput::inFields),
        input.categories(),
        input.other(),
        input.values(),
        input.weight(),
        input.maxBytes(),
        input.formats(),
        new RecordFilter(input.where().onFields()),
        input.id().map(StagedInput::madeUp));
  }

  private static Columns inFields(Columns columns) {
    return columns instanceof Crossing crossing
        ? new Crossing(
            crossing.columns().stream()
                .map(column -> new Column(inField(column.field()), column.values(), column.other()))
                .toList())
        : columns;
  }

  /** Keys are made up as they are. */
  private static String inField(String part) {
    return RecordPart.of(part) instanceof RecordPart.Key ? part : madeUp(part);
  }

  private static String madeUp(String part) {
    return RecordPart.isField(part) ? part : MADE_UP + part.substring(1);
  }
}
