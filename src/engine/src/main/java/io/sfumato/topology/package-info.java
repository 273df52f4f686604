/**
 * From a pipeline to a Kafka Streams topology: intake writes the journal, the keeper is a function
 * of the journal. The mechanisms know nothing of Kafka; this package knows nothing of gamma
 * functions.
 */
package io.sfumato.topology;
