package io.sfumato.cli;

/** How facts are printed. */
enum Format {
  TEXT,
  JSON
}
