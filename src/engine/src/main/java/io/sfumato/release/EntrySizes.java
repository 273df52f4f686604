// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.pipeline.Bytes;
import io.sfumato.pipeline.CellPlaces;
import io.sfumato.pipeline.FeatureSpec;
import io.sfumato.pipeline.FieldLimits;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.MessageLimit;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Selections;
import io.sfumato.pipeline.SizeBound;
import io.sfumato.pipeline.SizeBound.Kind;
import io.sfumato.pipeline.SizeBound.Part;
import java.util.List;

/** The largest entry of the journals. */
final class EntrySizes {
  /** Room for format, kind, and under which file it was written. */
  private static final int HEADER = 16;

  /** An activation: version, time, and two texts. */
  private static final int COMMAND =
      HEADER + Bytes.INT + Bytes.SIGNED + 2 * Bytes.text(FieldLimits.SUBJECT);

  private EntrySizes() {}

  static List<SizeBound> of(Plan plan) {
    Pipeline pipeline = plan.pipeline();
    long batch = Math.max(batch(pipeline), COMMAND);
    long candidate = candidate(pipeline);
    return List.of(
        candidate > batch
            ? new SizeBound(
                Kind.ENTRY,
                "journal",
                FieldLimits.SUBJECT + candidate - 8L * mean(pipeline),
                List.of(Part.of(meanSetting(pipeline), mean(pipeline), 8L * mean(pipeline))))
            : new SizeBound(Kind.ENTRY, "journal", FieldLimits.SUBJECT + batch, List.of()));
  }

  /** As many records as an entry takes; one that is larger goes alone. */
  private static long batch(Pipeline pipeline) {
    long record =
        Bytes.SIGNED
            + Math.max(Bytes.INT, Bytes.unsigned(places(pipeline) + behind(pipeline)))
            + Bytes.text(FieldLimits.SUBJECT)
            + (pipeline.population().isPresent()
                ? Bytes.text(FieldLimits.SUBJECT) + numbers(pipeline)
                : Bytes.doubles(pipeline.input().values().size()))
            + ranks(pipeline)
            // A selection's number, and a place and the number of values whether there are any or
            // not.
            + (Selections.of(pipeline).all().size() == 1 ? 0 : Long.BYTES + 2L * Bytes.INT);
    long full = HEADER + MessageLimit.ENTRY_RECORDS * record;
    return Math.min(full, Math.max(MessageLimit.ENTRY_BYTES, HEADER + record));
  }

  /** What a category may be, in whichever selection has most. */
  private static long places(Pipeline pipeline) {
    return Selections.of(pipeline).inputs().stream()
        .mapToLong(InputSpec::places)
        .max()
        .orElseThrow();
  }

  /** What stands for a category and is none: users and records left out. */
  private static long behind(Pipeline pipeline) {
    return 1
        + pipeline.parts().stream()
            .flatMap(part -> part.cells().stream())
            .mapToInt(CellPlaces::size)
            .max()
            .orElse(0);
  }

  /** A record's rank; that of its event's id beside it, where it has one. */
  static long ranks(Pipeline pipeline) {
    return (pipeline.input().id().isPresent() ? 2L : 1L) * Long.BYTES;
  }

  /** Of a user's record; those without numbers do not even say so. */
  static long numbers(Pipeline pipeline) {
    int values = pipeline.input().values().size();
    return values == 0 ? 0 : Bytes.doubles(values);
  }

  /** A modeller's candidate; 0 where nobody asks. */
  static long candidate(Pipeline pipeline) {
    return pipeline.queries().stream()
        .mapToLong(
            query ->
                HEADER
                    + Bytes.text(query.name())
                    + Bytes.text(FieldLimits.QUERY_ID)
                    + 2 * Bytes.INT
                    + Bytes.text(FieldLimits.SUBJECT)
                    + Bytes.SIGNED
                    + Bytes.doubles(FieldLimits.PARAMETERS)
                    + Bytes.doubles(query.candidateNumbers(pipeline)))
        .max()
        .orElse(0);
  }

  /** Most numbers of a mean. */
  static int mean(Pipeline pipeline) {
    return pipeline.queries().stream()
        .mapToInt(query -> query.candidateNumbers(pipeline))
        .max()
        .orElse(0);
  }

  static String meanSetting(Pipeline pipeline) {
    boolean featured = pipeline.features().map(FeatureSpec::count).orElse(0) == mean(pipeline);
    return featured ? "features.count" : "input.categories";
  }
}
