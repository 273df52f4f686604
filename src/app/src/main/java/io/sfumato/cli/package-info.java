/** The commands of {@code bin/sfumato}: arguments and help, no logic. */
package io.sfumato.cli;
