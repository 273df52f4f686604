/**
 * Values of source records, read alike in every format: names, numbers, times. A value is read as
 * its writer meant it, or refused.
 */
package io.sfumato.record;
