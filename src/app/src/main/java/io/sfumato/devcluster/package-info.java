/** A real KRaft broker in this JVM, for the demo, for trials and for tests. */
package io.sfumato.devcluster;
