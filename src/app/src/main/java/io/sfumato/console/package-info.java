/** Terminal output of commands: progress bars, tables and other drawings. */
package io.sfumato.console;
