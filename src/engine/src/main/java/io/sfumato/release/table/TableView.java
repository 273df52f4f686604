// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.table;

import io.sfumato.pipeline.Card;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.Stretch;
import io.sfumato.pipeline.ViewText;
import io.sfumato.schema.CountRow;
import io.sfumato.schema.CountTable;
import io.sfumato.schema.TableRelease;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Tables as lines of text, and as drawings on a card. */
final class TableView implements OutputView {
  private static final String TOTAL = "records";

  @Override
  public Schema schema() {
    return TableRelease.getClassSchema();
  }

  @Override
  public Set<String> drawn() {
    return Set.of("tables");
  }

  @Override
  public int parts(IndexedRecord output) {
    return ((TableRelease) output).getParts();
  }

  @Override
  public int part(IndexedRecord output) {
    return ((TableRelease) output).getPart();
  }

  /** All tables in one record, as if they were not too long for it. */
  @Override
  public IndexedRecord together(List<IndexedRecord> parts) {
    List<CountTable> tables = new ArrayList<>();
    for (IndexedRecord part : parts) {
      for (CountTable table : ((TableRelease) part).getTables()) {
        CountTable last = tables.isEmpty() ? null : tables.get(tables.size() - 1);
        if (last != null && last.getColumns().equals(table.getColumns())) {
          last.getRows().addAll(table.getRows());
        } else {
          tables.add(new CountTable(table.getColumns(), new ArrayList<>(table.getRows())));
        }
      }
    }
    TableRelease whole = with((TableRelease) parts.get(0), tables);
    whole.setPart(0);
    whole.setParts(1);
    return whole;
  }

  /** The same with other tables; Avro's own copy would copy all cells. */
  private static TableRelease with(TableRelease release, List<CountTable> tables) {
    TableRelease copy = new TableRelease();
    for (Schema.Field field : TableRelease.getClassSchema().getFields()) {
      copy.put(field.pos(), release.get(field.pos()));
    }
    copy.setTables(tables);
    return copy;
  }

  @Override
  public String row(IndexedRecord output) {
    return TableText.of((TableRelease) output, Extent.TERMINAL);
  }

  @Override
  public String whole(IndexedRecord output) {
    return TableText.of((TableRelease) output, Extent.WHOLE);
  }

  @Override
  public IndexedRecord brief(IndexedRecord whole) {
    TableRelease release = (TableRelease) whole;
    return with(release, LargestCells.of(release.getTables()));
  }

  /** The total, and tables to choose from. */
  @Override
  public Card card(IndexedRecord output, PlannedRelease planned) {
    TableRelease release = (TableRelease) output;
    PlannedTable table = (PlannedTable) planned;
    CountRow all = release.getTables().get(0).getRows().get(0);
    Card.Row total = new Card.Row(TOTAL, all.getCount(), TableText.interval(all));
    return new Card(
        release.getWindowEnd(),
        release.getRecords() == null ? OptionalLong.empty() : OptionalLong.of(release.getRecords()),
        ViewText.optional(release.getExampleLeftOut()),
        List.of(new Card.Group(Stretch.own(release.getWindowStart()), List.of(total))),
        new TableDrawings(
                LargestCells.of(release.getTables()),
                table.spec().shape(),
                table.plan().mechanism().query().tables())
            .all());
  }
}
