/** A real KRaft broker in this JVM, for the demo, for trying things out and for tests. */
package io.sfumato.devcluster;
