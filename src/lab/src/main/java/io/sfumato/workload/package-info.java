/**
 * The synthetic stream of a published comparison, its contribution bounds and its errors, shared by
 * the experiment and the benchmark. Public seeds.
 */
package io.sfumato.workload;
