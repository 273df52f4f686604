/** Tables of several columns, or of all levels of a path, that agree with each other. */
package io.sfumato.release.table;
