/** A client for schema registries that speak Confluent's REST dialect. */
package io.sfumato.serde.registry;
