/** What commands draw on a terminal: bars, progress, tables. */
package io.sfumato.console;
