// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import java.util.List;

/**
 * A sheet as people read it, before it is written as Markdown or HTML.
 *
 * @param title of the page
 * @param sections in their order
 */
record Page(String title, List<Section> sections) {
  Page {
    sections = List.copyOf(sections);
  }

  /**
   * A part with a heading.
   *
   * @param id for links
   */
  record Section(String id, String title, List<Block> blocks) {
    Section {
      blocks = List.copyOf(blocks);
    }
  }

  /** Whoever writes blocks, one way for each. */
  interface Writer {
    /** A smaller heading. */
    void heading(String text);

    /** A paragraph. */
    void prose(Inline text);

    /** What to be careful about, one by one. */
    void cautions(List<Inline> all);

    /** Rows of cells under columns; the first cell of a row says what it is about. */
    void grid(List<String> columns, List<List<Inline>> rows);

    /** Lines to be filled in by hand. */
    void blanks(List<String> labels);
  }

  /** What stands below each other. */
  sealed interface Block {
    /** Writes itself. */
    void to(Writer writer);

    /** See {@link Writer#heading}. */
    record Heading(String text) implements Block {
      @Override
      public void to(Writer writer) {
        writer.heading(text);
      }
    }

    /** See {@link Writer#prose}. */
    record Prose(Inline text) implements Block {
      @Override
      public void to(Writer writer) {
        writer.prose(text);
      }
    }

    /** See {@link Writer#cautions}. */
    record Cautions(List<Inline> all) implements Block {
      @Override
      public void to(Writer writer) {
        writer.cautions(all);
      }
    }

    /** See {@link Writer#grid}. */
    record Grid(List<String> columns, List<List<Inline>> rows) implements Block {
      @Override
      public void to(Writer writer) {
        writer.grid(columns, rows);
      }
    }

    /** See {@link Writer#blanks}. */
    record Blanks(List<String> labels) implements Block {
      @Override
      public void to(Writer writer) {
        writer.blanks(labels);
      }
    }
  }
}
