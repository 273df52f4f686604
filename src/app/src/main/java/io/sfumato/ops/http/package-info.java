/**
 * The operators' HTTP server: bounded in connections, threads and clients, because a pipeline must
 * not suffer from those who look at it.
 */
package io.sfumato.ops.http;
