/**
 * Tests of statements about all values of a kind: {@link io.sfumato.property.Property} runs a JUnit
 * test method many times with drawn arguments. A failure names them, and the seed that draws them
 * again.
 */
package io.sfumato.property;
