/** From the journal to outputs: observes, closes windows, asks the other rooms in order. */
package io.sfumato.topology.subjects;
