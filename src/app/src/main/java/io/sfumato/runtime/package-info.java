/** Runs a planned pipeline on a cluster: settings, topics, checks, start and stop. */
package io.sfumato.runtime;
