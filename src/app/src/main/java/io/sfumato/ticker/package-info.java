/**
 * Ticks that the program writes by itself, so that nobody has to run a ticker: at public times, and
 * by no clock that another clock contradicts.
 */
package io.sfumato.ticker;
