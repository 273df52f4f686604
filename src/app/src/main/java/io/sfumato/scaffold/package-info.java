/** Writes a first pipeline file from the column names and types of a sample. */
package io.sfumato.scaffold;
