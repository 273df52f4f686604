/**
 * Binary layouts for stores and journals: writers, and readers that refuse corrupt bytes. Each
 * package defines its own rows.
 */
package io.sfumato.bytes;
