/**
 * From a closed dataset to a published output: decided, charged, seeded, drawn, encoded, in this
 * order. How a kind is drawn, its room in {@code io.sfumato.release} says.
 */
package io.sfumato.topology.release;
