/**
 * The HTTP server of the operators' page and of the readers'. Connections, threads and clients are
 * bounded, so that monitoring cannot slow a pipeline down.
 */
package io.sfumato.ops.http;
