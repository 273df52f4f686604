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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;

/** A folder with a Parquet file for each window. A file is there whole, or not at all. */
final class ParquetFolder implements RowFile {
  private final Path folder;
  private final boolean isFollowed;

  private CategoryColumns categories = new CategoryColumns();
  private Path file;
  private Path part;
  private ParquetWriter<PublishedRow> writer;

  /**
   * @param isFollowed whether windows that have a file are left as they are
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
  public boolean isWritten(ExportWindow window) {
    return isFollowed && Files.exists(folder.resolve(name(window)));
  }

  @Override
  public void begin(ExportWindow window) {
    categories = new CategoryColumns();
    file = folder.resolve(name(window));
    part = folder.resolve("." + name(window) + ".part");
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
  public void write(PublishedRow row) throws IOException {
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

  /** Columns in their order: the writer leaves out what is not written. */
  private void write(PublishedRow row, ValueWriter to) {
    RowColumn.first().forEach(column -> write(column, row, to));
    Iterator<String> values = categories.of(row).iterator();
    categories.names().forEach(name -> to.write(name, values.next()));
    RowColumn.rest().forEach(column -> write(column, row, to));
  }

  private static void write(RowColumn column, PublishedRow row, ValueWriter to) {
    column.of(row).ifPresent(found -> to.write(column.word(), value(column, found)));
  }

  private static Object value(RowColumn column, Object found) {
    return switch (column.type()) {
      case TIME -> ((Instant) found).toEpochMilli();
      case NUMBER -> ((Number) found).doubleValue();
      case TEXT, WHOLE, TRUTH -> found;
    };
  }

  @Override
  public void end() throws IOException {
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
    if (writer != null) {
      writer.close();
      Files.deleteIfExists(part);
    }
  }
}
