// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.schema.DirichletRelease;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.apache.avro.generic.GenericData;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.avro.specific.SpecificData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The public schemas against those that were last released. A change that breaks this breaks
 * somebody's readers: add fields with defaults, take none away.
 */
class SchemaCompatibilityTest {
  static Stream<Schema> released() {
    return ReleasedSchemas.all().stream();
  }

  private static Schema now(Schema released) {
    return SpecificData.get().getSchema(SpecificData.get().getClass(released));
  }

  private static SchemaCompatibilityType check(Schema reader, Schema writer) {
    return SchemaCompatibility.checkReaderWriterCompatibility(reader, writer).getType();
  }

  @ParameterizedTest
  @MethodSource("released")
  void oldRecordsAreReadAndOldReadersReadNewOnes(Schema released) {
    assertThat(check(now(released), released))
        .as("this program reads what the last release wrote")
        .isEqualTo(SchemaCompatibilityType.COMPATIBLE);
    assertThat(check(released, now(released)))
        .as("whoever has the last release's schema reads what this program writes")
        .isEqualTo(SchemaCompatibilityType.COMPATIBLE);
  }

  @Test
  void aReleaseWrittenBeforeErrorBarsWereAddedIsRead() throws Exception {
    Schema released =
        released().filter(s -> s.getName().equals("DirichletRelease")).findFirst().orElseThrow();
    assertThat(released.getField("error_95")).isNull();
    GenericData.Record guarantee = new GenericData.Record(released.getField("guarantee").schema());
    for (Schema.Field field : guarantee.getSchema().getFields()) {
      Object value =
          switch (field.schema().getType()) {
            case STRING -> "x";
            case DOUBLE -> 1.0;
            default -> 1;
          };
      guarantee.put(field.pos(), value);
    }
    GenericData.Record release = new GenericData.Record(released);
    Stream.of("release_id", "pipeline", "output", "subject")
        .forEach(name -> release.put(name, name));
    release.put("window_start", 1000L);
    release.put("window_end", 2000L);
    release.put("records", 3L);
    release.put("categories", List.of("a", "b"));
    release.put("probabilities", List.of(0.25, 0.75));
    release.put("counts", List.of());
    release.put("guarantee", guarantee);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new BinaryMessageEncoder<GenericData.Record>(new GenericData(), released).encode(release, out);
    DirichletRelease read = (DirichletRelease) Outputs.decodeAny(out.toByteArray());
    assertThat(read.getSubject()).isEqualTo("subject");
    assertThat(read.getWindowStart()).isEqualTo(Instant.ofEpochSecond(1));
    assertThat(read.getError95()).isEmpty();
  }
}
