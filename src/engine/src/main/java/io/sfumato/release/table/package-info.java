/** Consistent tables of several columns, or of all levels of a hierarchy. */
package io.sfumato.release.table;
