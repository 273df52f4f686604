/**
 * Encodings: source records in, public outputs out, and the compact forms of journal and stores.
 */
package io.sfumato.serde;
