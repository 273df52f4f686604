// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.parquet;

import blue.strategic.parquet.ParquetWriter;
import blue.strategic.parquet.ValueWriter;
import io.sfumato.client.export.ExportWindow;
import io.sfumato.client.export.RowFile;
import io.sfumato.rows.CategoryColumns;
import io.sfumato.rows.PublishedRow;
import io.sfumato.rows.RowColumn;
import io.sfumato.runtime.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;

/**
 * A folder with a Parquet file for each window. A file is there whole, or not at all. Where windows
 * are continued, the rows of those that are there are compared.
 */
final class ParquetFolder implements RowFile {
  private final Path folder;
  private final boolean isFollowed;

  private CategoryColumns categories = new CategoryColumns();
  private Path file;
  private Path part;
  private ParquetWriter<PublishedRow> writer;

  /** The rows of the window's file, where it is compared. */
  private Optional<FoundWindow> found = Optional.empty();

  private Predicate<ExportWindow> mayLack = window -> false;

  /**
   * @param isFollowed whether windows that have a file are compared; else they are replaced
   */
  ParquetFolder(Path folder, boolean isFollowed) throws IOException {
    this.folder = Files.createDirectories(folder);
    this.isFollowed = isFollowed;
  }

  /** Of a window: its start and end in ISO 8601's basic form. */
  static String name(ExportWindow window) {
    return basic(window.start()) + "_" + basic(window.end()) + ".parquet";
  }

  private static String basic(Instant time) {
    return time.toString().replaceAll("[-:]", "");
  }

  @Override
  public void mayLack(Predicate<ExportWindow> windows) {
    mayLack = windows;
  }

  @Override
  public void begin(ExportWindow window) throws IOException {
    categories = new CategoryColumns();
    file = folder.resolve(name(window));
    part = folder.resolve("." + name(window) + ".part");
    found =
        isFollowed && Files.exists(file)
            ? Optional.of(new FoundWindow(file, mayLack.test(window)))
            : Optional.empty();
  }

  @Override
  public boolean wasWritten() {
    return found.isPresent();
  }

  @Override
  public boolean looksAhead() {
    return true;
  }

  @Override
  public void see(PublishedRow row) {
    categories.addAll(row);
  }

  @Override
  public void write(PublishedRow row) throws RefusedException, IOException {
    if (found.isPresent()) {
      found.get().require(values(row));
      return;
    }
    if (writer == null) {
      Files.deleteIfExists(part);
      writer = ParquetWriter.writeFile(schema(), part.toFile(), this::write);
    }
    writer.write(row);
  }

  private MessageType schema() {
    List<Type> fields = new ArrayList<>();
    RowColumn.first().forEach(column -> fields.add(field(column)));
    categories.names().forEach(name -> fields.add(text(Repetition.REQUIRED, name)));
    RowColumn.rest().forEach(column -> fields.add(field(column)));
    return new MessageType("row", fields);
  }

  private static Type text(Repetition repetition, String name) {
    return Types.primitive(PrimitiveTypeName.BINARY, repetition)
        .as(LogicalTypeAnnotation.stringType())
        .named(name);
  }

  private static Type field(RowColumn column) {
    Repetition repetition = column.emptyFor().isEmpty() ? Repetition.REQUIRED : Repetition.OPTIONAL;
    return switch (column.type()) {
      case TEXT -> text(repetition, column.word());
      case TIME ->
          Types.primitive(PrimitiveTypeName.INT64, repetition)
              .as(LogicalTypeAnnotation.timestampType(true, TimeUnit.MILLIS))
              .named(column.word());
      case NUMBER -> Types.primitive(PrimitiveTypeName.DOUBLE, repetition).named(column.word());
      case WHOLE -> Types.primitive(PrimitiveTypeName.INT64, repetition).named(column.word());
      case TRUTH -> Types.primitive(PrimitiveTypeName.BOOLEAN, repetition).named(column.word());
    };
  }

  private void write(PublishedRow row, ValueWriter to) {
    values(row).forEach(to::write);
  }

  /** Columns in their order, without those that are empty: the writer leaves out others. */
  private Map<String, Object> values(PublishedRow row) {
    Map<String, Object> values = new LinkedHashMap<>();
    RowColumn.first().forEach(column -> put(column, row, values));
    Iterator<String> texts = categories.of(row).iterator();
    categories.names().forEach(name -> values.put(name, texts.next()));
    RowColumn.rest().forEach(column -> put(column, row, values));
    return values;
  }

  private static void put(RowColumn column, PublishedRow row, Map<String, Object> to) {
    column.of(row).ifPresent(value -> to.put(column.word(), value(column, value)));
  }

  private static Object value(RowColumn column, Object found) {
    return switch (column.type()) {
      case TIME -> ((Instant) found).toEpochMilli();
      case NUMBER -> ((Number) found).doubleValue();
      case TEXT, WHOLE, TRUTH -> found;
    };
  }

  @Override
  public void end() throws RefusedException, IOException {
    if (found.isPresent()) {
      found.get().requireEnd();
      found.get().close();
    }
    if (writer != null) {
      writer.close();
      writer = null;
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  @Override
  public void caughtUp() {}

  @Override
  public void close() throws IOException {
    if (found.isPresent()) {
      found.get().close();
    }
    if (writer != null) {
      writer.close();
      Files.deleteIfExists(part);
    }
  }
}
