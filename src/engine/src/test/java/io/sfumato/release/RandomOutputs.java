// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.schema.CountRow;
import io.sfumato.schema.CountTable;
import io.sfumato.schema.Guarantees;
import io.sfumato.schema.Quantile;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/**
 * Outputs of any kind with random numbers and others' choice of names. What belongs together has
 * one length: counts and their categories, a table's columns and its values.
 */
final class RandomOutputs {
  private static final Instant START = Instant.parse("2026-11-02T00:00:00Z");
  private static final List<String> HOSTILE =
      List.of("tea", " tea ", "\u001b[2J", "a\nb\r\n2026-11-02 00:00  bob", "\u202eeat", "東京", "");

  private final Random random;
  private int names;

  RandomOutputs(long seed) {
    this.random = new Random(seed);
  }

  /** An output of a public schema. */
  IndexedRecord of(Schema schema) {
    return record(schema, 1 + random.nextInt(6), random.nextBoolean());
  }

  private IndexedRecord record(Schema schema, int length, boolean isWhole) {
    IndexedRecord record = made(schema);
    for (Schema.Field field : schema.getFields()) {
      record.put(field.pos(), value(field, length, isWhole));
    }
    if (schema.getName().equals("DirichletRelease")) {
      // It publishes one of both.
      record.put(schema.getField(isWhole ? "counts" : "probabilities").pos(), List.of());
    }
    if (record instanceof Quantile quantile) {
      quantile.setClipped(quantile.getAt().getClamped());
    }
    return record;
  }

  private static IndexedRecord made(Schema schema) {
    try {
      return (IndexedRecord)
          Class.forName(schema.getFullName()).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private Object value(Schema.Field field, int length, boolean isWhole) {
    return switch (field.name()) {
      case "guarantee" -> Guarantees.any().build();
      case "subject" -> "north";
      case "window_start" -> START;
      case "window_end" -> START.plus(Duration.ofDays(1));
      case "since" -> isWhole ? START : START.minus(Duration.ofDays(random.nextInt(9)));
      case "tables" -> tables();
      case "parts" ->
          field.schema().getType() == Schema.Type.INT
              ? 1 + random.nextInt(3)
              : value(field.schema(), length, isWhole);
      case "part" -> 0;
      case "windows", "last_windows" -> isWhole ? null : 1L + random.nextInt(99);
      default -> value(field.schema(), length, isWhole);
    };
  }

  /**
   * @param isWhole whether what may be null is
   */
  private Object value(Schema schema, int length, boolean isWhole) {
    if (schema.getLogicalType() instanceof LogicalTypes.TimestampMillis) {
      return START.minus(Duration.ofDays(random.nextInt(9)));
    }
    return switch (schema.getType()) {
      case UNION -> isWhole ? null : value(schema.getTypes().get(1), length, false);
      case ARRAY ->
          IntStream.range(0, length)
              .mapToObj(i -> value(schema.getElementType(), 1 + random.nextInt(3), isWhole))
              .toList();
      case RECORD -> record(schema, length, isWhole);
      case STRING -> name();
      case INT -> random.nextInt(1000);
      case LONG -> random.nextLong() >> (20 + random.nextInt(43));
      case DOUBLE -> random.nextGaussian() * Math.pow(10, random.nextInt(9) - 3);
      case BOOLEAN -> random.nextBoolean();
      default -> throw new IllegalArgumentException(schema.toString());
    };
  }

  private String name() {
    return HOSTILE.get(random.nextInt(HOSTILE.size())) + names++;
  }

  private List<CountTable> tables() {
    List<CountTable> tables = new ArrayList<>();
    tables.add(table(List.of(), 1));
    String first = name();
    String second = name();
    tables.add(table(List.of(first), 1 + random.nextInt(20)));
    if (random.nextBoolean()) {
      tables.add(table(List.of(second), 1 + random.nextInt(20)));
    }
    CountTable pairs = table(List.of(first, second), 0);
    List<String> across = IntStream.range(0, 1 + random.nextInt(9)).mapToObj(i -> name()).toList();
    for (int i = random.nextInt(15); i >= 0; i--) {
      String down = name();
      across.forEach(value -> pairs.getRows().add(row(List.of(down, value))));
    }
    tables.add(pairs);
    return tables;
  }

  private CountTable table(List<String> columns, int rows) {
    CountTable table = new CountTable(columns, new ArrayList<>());
    for (int i = 0; i < rows; i++) {
      table.getRows().add(row(columns.stream().map(column -> name()).toList()));
    }
    return table;
  }

  private CountRow row(List<String> values) {
    long count = random.nextInt(100_000);
    return new CountRow(
        values,
        count,
        count - random.nextInt(99),
        count + random.nextInt(99),
        random.nextBoolean());
  }
}
