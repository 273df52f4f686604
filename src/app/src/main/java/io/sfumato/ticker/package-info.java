/** Ticks that the program writes itself, at public times, so that no separate ticker is needed. */
package io.sfumato.ticker;
