/** Brings a planned pipeline to a cluster: settings, topics, checks, start and stop. */
package io.sfumato.runtime;
