// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.rows.Drawing;
import io.sfumato.rows.Drawing.Bar;
import io.sfumato.rows.Drawing.Bars;
import io.sfumato.rows.Drawing.Cell;
import io.sfumato.rows.Drawing.Grid;
import io.sfumato.rows.Drawing.Side;
import java.util.List;

/** Tables of a card for the page, in few letters: they are sent every second. */
final class Drawings {
  private Drawings() {}

  static void write(List<Drawing> drawings, ArrayNode json) {
    for (Drawing drawing : drawings) {
      ObjectNode node = json.addObject().put("title", drawing.title());
      if (drawing instanceof Grid grid) {
        side(grid.down(), node.putObject("down"));
        side(grid.across(), node.putObject("across"));
        node.put("held", grid.held());
        ArrayNode cells = node.putArray("cells");
        grid.cells().forEach(cell -> write(cell, cells));
      } else if (drawing instanceof Bars bars) {
        node.put("more", bars.more());
        ArrayNode all = node.putArray("bars");
        bars.bars().forEach(bar -> write(bar, all.addObject()));
      }
    }
  }

  private static void side(Side side, ObjectNode json) {
    json.put("field", side.field()).put("more", side.more());
    side.values().forEach(json.putArray("values")::add);
  }

  private static void write(Bar bar, ObjectNode json) {
    json.put("label", bar.label());
    if (!bar.within().isEmpty()) {
      bar.within().forEach(json.putArray("within")::add);
    }
    write(bar.cell(), json.putArray("cell"));
  }

  /** The count, how far its interval reaches below it, and how far above. */
  private static void write(Cell cell, ArrayNode json) {
    json.add(cell.count()).add(cell.count() - cell.low()).add(cell.high() - cell.count());
  }
}
