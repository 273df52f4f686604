/** Tools at the edges of a pipeline: publish events, send ticks, enrol subjects, read outputs. */
package io.sfumato.client;
