// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.table;

import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.release.Plans;
import io.sfumato.schema.CountRow;
import io.sfumato.schema.CountTable;
import io.sfumato.schema.Guarantee;
import io.sfumato.schema.TableRelease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Tables that agree, made of the counts of two fields' values or of leaves, whose values are called
 * {@code v0}, {@code v1} and so on, unless named otherwise. Of more than two fields each pair has
 * the same counts.
 *
 * @param sizes values of each field
 * @param isPath whether each field lies within the one before
 * @param name what values' names begin with
 */
public record MadeTables(List<Integer> sizes, boolean isPath, String name) {
  private static final long HALF = 5;

  /** A count. */
  public interface Counts {
    long of(int first, int last);
  }

  /** A table for each field and each two of them. */
  public static MadeTables crossing(int... sizes) {
    return new MadeTables(IntStream.of(sizes).boxed().toList(), false, "v");
  }

  /** A table for each level. */
  public static MadeTables path(int... sizes) {
    return new MadeTables(IntStream.of(sizes).boxed().toList(), true, "v");
  }

  /** With other names of values. */
  public MadeTables named(String before) {
    return new MadeTables(sizes, isPath, before);
  }

  private List<String> fields() {
    return IntStream.range(0, sizes.size()).mapToObj(i -> "f" + i).toList();
  }

  /** Of a file with these fields. */
  public PlannedRelease planned() throws Exception {
    String fields = String.join(", ", fields());
    return Plans.plan(
            """
                pipeline: test
                input: { topic: in, subject: shop, time: at, category: %s, categories: %s }
                window: { size: 1m }
                budget: { name: test, unit: record, epsilon: 1, delta: 1e-6, period: window }
                releases:
                  - table: { name: tables, share: { epsilon: 1, delta: 1e-6 } }
                """
                .formatted(
                    isPath ? "{ path: [" + fields + "] }" : "[" + fields + "]",
                    isPath ? nested(0) : listed()))
        .release("tables");
  }

  private String listed() {
    return IntStream.range(0, sizes.size())
        .mapToObj(field -> "f" + field + ": [" + values(sizes.get(field)) + "]")
        .collect(Collectors.joining(", ", "{ ", " }"));
  }

  private static String values(int size) {
    return IntStream.range(0, size).mapToObj(i -> "v" + i).collect(Collectors.joining(", "));
  }

  private String nested(int field) {
    int size = sizes.get(field);
    return field == sizes.size() - 1
        ? "[" + values(size) + "]"
        : IntStream.range(0, size)
            .mapToObj(i -> "v" + i + ": " + nested(field + 1))
            .collect(Collectors.joining(", ", "{ ", " }"));
  }

  private String value(int i) {
    return name + i;
  }

  private static CountRow row(List<String> values, long count) {
    return new CountRow(values, count, Math.max(0, count - HALF), count + HALF, false);
  }

  /**
   * One window's.
   *
   * @param counts of a crossing's cells, or of a path's leaves by the outermost and innermost value
   */
  public TableRelease release(Counts counts) {
    return of(isPath ? levels(counts) : crossed(counts));
  }

  private List<CountTable> crossed(Counts counts) {
    List<CountTable> tables = new ArrayList<>();
    int last = sizes.size() - 1;
    long[] down = new long[sizes.get(0)];
    long[] across = new long[sizes.get(last)];
    for (int a = 0; a < down.length; a++) {
      for (int b = 0; b < across.length; b++) {
        down[a] += counts.of(a, b);
        across[b] += counts.of(a, b);
      }
    }
    tables.add(table(List.of(), List.of(row(List.of(), LongStream.of(down).sum()))));
    for (int field = 0; field <= last; field++) {
      long[] sums = field < last ? down : across;
      tables.add(
          table(
              List.of("f" + field),
              IntStream.range(0, sizes.get(field))
                  .mapToObj(i -> row(List.of(value(i)), sums[i]))
                  .toList()));
    }
    for (int first = 0; first < last; first++) {
      for (int second = first + 1; second <= last; second++) {
        List<CountRow> rows = new ArrayList<>();
        for (int a = 0; a < sizes.get(first); a++) {
          for (int b = 0; b < sizes.get(second); b++) {
            rows.add(row(List.of(value(a), value(b)), counts.of(a, b)));
          }
        }
        tables.add(table(List.of("f" + first, "f" + second), rows));
      }
    }
    return tables;
  }

  private static CountTable table(List<String> columns, List<CountRow> rows) {
    return new CountTable(columns, new ArrayList<>(rows));
  }

  private List<CountTable> levels(Counts counts) {
    List<CountTable> levels = new ArrayList<>();
    for (int level = 0; level <= sizes.size(); level++) {
      levels.add(table(fields().subList(0, level), List.of()));
    }
    add(new ArrayList<>(), -1, counts, levels);
    return levels;
  }

  private long add(List<String> place, int outermost, Counts counts, List<CountTable> levels) {
    int level = place.size();
    CountTable table = levels.get(level);
    int at = table.getRows().size();
    table.getRows().add(null); // Parents stand in the order of their first children.
    long sum = 0;
    for (int i = 0; i < sizes.get(level); i++) {
      List<String> child = new ArrayList<>(place);
      child.add(value(i));
      int outer = level == 0 ? i : outermost;
      if (child.size() == sizes.size()) {
        long count = counts.of(outer, i);
        levels.get(child.size()).getRows().add(row(child, count));
        sum += count;
      } else {
        sum += add(child, outer, counts, levels);
      }
    }
    table.getRows().set(at, row(place, sum));
    return sum;
  }

  /** Without any table. */
  public static TableRelease empty() {
    return of(List.of());
  }

  /** A table of two fields that lacks a cell. */
  public static TableRelease withoutACell() {
    TableRelease release = crossing(2, 2).release((a, b) -> 1);
    release.getTables().get(3).getRows().remove(0);
    return release;
  }

  private static TableRelease of(List<CountTable> tables) {
    return TableRelease.newBuilder()
        .setReleaseId("id")
        .setPipeline("test")
        .setOutput("tables")
        .setSubject("west")
        .setWindowStart(Instant.EPOCH)
        .setWindowEnd(Instant.EPOCH.plusSeconds(60))
        .setPart(0)
        .setParts(1)
        .setTables(tables)
        .setGuarantee(new Guarantee())
        .build();
  }
}
