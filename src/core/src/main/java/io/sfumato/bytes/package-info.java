/**
 * How numbers and texts are laid out in stores and journals: written, read, and refused where they
 * are none. What is written, each room says for itself.
 */
package io.sfumato.bytes;
