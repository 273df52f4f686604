/** Schemas of others, from a registry that speaks Confluent's REST dialect. */
package io.sfumato.serde.registry;
