/**
 * A pipeline as a Kafka Streams topology: intake writes the journal, and state machines of windows
 * turn the journal into outputs. The state is a function of the journal alone.
 */
package io.sfumato.topology;
