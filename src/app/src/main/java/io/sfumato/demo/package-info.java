/** The demonstration: a broker, an event generator and a live view, all in this JVM. */
package io.sfumato.demo;
