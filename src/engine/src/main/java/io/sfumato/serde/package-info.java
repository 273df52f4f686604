/**
 * Encodings: foreign records in, public outputs out, and the compact forms of the journal and the
 * stores, which only this application reads.
 */
package io.sfumato.serde;
