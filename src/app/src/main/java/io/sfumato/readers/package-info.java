/**
 * The readers' page: what is published, over time, and nothing else. It reads committed records of
 * the output topics like any other consumer, and keeps them within a bound.
 */
package io.sfumato.readers;
