/**
 * The operators' HTTP server. Connections, threads and clients are bounded, so that monitoring
 * cannot slow a pipeline down.
 */
package io.sfumato.ops.http;
