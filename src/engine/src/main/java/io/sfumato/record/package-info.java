/**
 * Values of foreign records, read in one way wherever they come from: names, numbers, times. A
 * value is read as what its writer meant, or not at all.
 */
package io.sfumato.record;
