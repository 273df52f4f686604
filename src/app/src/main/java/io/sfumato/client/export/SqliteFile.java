// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client.export;

import io.sfumato.rows.CategoryColumns;
import io.sfumato.rows.PublishedRow;
import io.sfumato.rows.RowColumn;
import io.sfumato.serde.RowText;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Rows in the table {@code rows} of an SQLite database. A row replaces the one of the same key, so
 * that windows can be written again. Each window is one transaction.
 */
final class SqliteFile implements RowFile {
  private static final int BATCH = 1_000;

  private final Connection connection;
  private CategoryColumns categories = new CategoryColumns();
  private PreparedStatement insert;
  private int waiting;

  private SqliteFile(Connection connection) {
    this.connection = connection;
  }

  /** Of a file that is there, or is made. */
  static SqliteFile of(Path file) throws IOException {
    return io(
        () -> {
          SqliteFile found = new SqliteFile(DriverManager.getConnection("jdbc:sqlite:" + file));
          found.open();
          return found;
        });
  }

  /** What is done with the database. */
  private interface Work<T> {
    T run() throws SQLException;
  }

  private static <T> T io(Work<T> work) throws IOException {
    try {
      return work.run();
    } catch (SQLException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private void open() throws SQLException {
    execute("PRAGMA busy_timeout = 10000");
    execute("PRAGMA journal_mode = WAL");
    execute("PRAGMA synchronous = NORMAL");
    List<String> found = columns();
    if (found.isEmpty()) {
      execute(
          "CREATE TABLE rows ("
              + Stream.of(RowColumn.values())
                  .map(column -> quoted(column.word()) + " " + type(column))
                  .collect(Collectors.joining(", "))
              + ")");
      index();
    } else {
      List<String> fixed = Stream.of(RowColumn.values()).map(RowColumn::word).toList();
      if (!found.containsAll(fixed)) {
        throw new SQLException("its table 'rows' has other columns than rows");
      }
      categories =
          CategoryColumns.named(found.stream().filter(name -> !fixed.contains(name)).toList());
    }
    connection.setAutoCommit(false);
  }

  private List<String> columns() throws SQLException {
    List<String> names = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery("SELECT name FROM pragma_table_info('rows')")) {
      while (found.next()) {
        names.add(found.getString(1));
      }
    }
    return names;
  }

  private static String type(RowColumn column) {
    return switch (column.type()) {
          case TEXT, TIME -> "TEXT";
          case NUMBER -> "NUMERIC";
          case WHOLE, TRUTH -> "INTEGER";
        }
        + (column.emptyFor().isEmpty() ? " NOT NULL" : "");
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** What two rows never have in common. Windows come in order, so the index grows at its end. */
  private void index() throws SQLException {
    List<String> key = new ArrayList<>(List.of("window_start", "window_end", "output", "subject"));
    key.addAll(categories.names());
    key.add("measure");
    execute("DROP INDEX IF EXISTS rows_key");
    execute(
        "CREATE UNIQUE INDEX rows_key ON rows ("
            + key.stream().map(SqliteFile::quoted).collect(Collectors.joining(", "))
            + ")");
  }

  @Override
  public void begin(ExportWindow window) {}

  @Override
  public void write(PublishedRow row) throws IOException {
    io(
        () -> {
          int before = categories.names().size();
          if (categories.addAll(row)) {
            widen(categories.names().subList(before, categories.names().size()));
          }
          if (insert == null) {
            insert = connection.prepareStatement(insert());
          }
          set(row);
          insert.addBatch();
          if (++waiting >= BATCH) {
            flush();
          }
          return row;
        });
  }

  private void widen(List<String> names) throws SQLException {
    flush();
    if (insert != null) {
      insert.close();
      insert = null;
    }
    for (String name : names) {
      execute("ALTER TABLE rows ADD COLUMN " + quoted(name) + " TEXT NOT NULL DEFAULT ''");
    }
    index();
  }

  private String insert() {
    List<String> names = RowText.names(categories);
    return "INSERT OR REPLACE INTO rows ("
        + names.stream().map(SqliteFile::quoted).collect(Collectors.joining(", "))
        + ") VALUES ("
        + names.stream().map(name -> "?").collect(Collectors.joining(", "))
        + ")";
  }

  private void set(PublishedRow row) throws SQLException {
    int place = 0;
    for (RowColumn column : RowColumn.first()) {
      set(++place, column.of(row));
    }
    for (String value : categories.of(row)) {
      insert.setString(++place, value);
    }
    for (RowColumn column : RowColumn.rest()) {
      set(++place, column.of(row));
    }
  }

  private void set(int place, Optional<Object> value) throws SQLException {
    Object found = value.orElse(null);
    if (found instanceof Long whole) {
      insert.setLong(place, whole);
    } else if (found instanceof Double number) {
      insert.setDouble(place, number);
    } else if (found instanceof Boolean holds) {
      insert.setInt(place, holds ? 1 : 0);
    } else if (found instanceof Instant || found instanceof String) {
      insert.setString(place, found.toString());
    } else {
      insert.setObject(place, null);
    }
  }

  private void flush() throws SQLException {
    if (waiting > 0) {
      insert.executeBatch();
      waiting = 0;
    }
  }

  @Override
  public void end() throws IOException {
    io(
        () -> {
          flush();
          connection.commit();
          return 0;
        });
  }

  @Override
  public void caughtUp() {}

  /** What was not committed is left out. */
  @Override
  public void close() throws IOException {
    io(
        () -> {
          if (insert != null) {
            insert.close();
          }
          connection.rollback();
          connection.close();
          return 0;
        });
  }
}
