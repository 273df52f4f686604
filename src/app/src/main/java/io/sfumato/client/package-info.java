/** What others do at a pipeline's edges: publish events, tick, enrol, read outputs. */
package io.sfumato.client;
