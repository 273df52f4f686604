/** The demonstration: a broker, a generator of events and a live view, all in this JVM. */
package io.sfumato.demo;
