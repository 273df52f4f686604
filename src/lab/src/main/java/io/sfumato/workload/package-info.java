/**
 * The made-up stream of a published comparison, what of it counts, and how far counts of its names
 * are off: for the experiment, which draws by the library alone, and for the benchmark, which sends
 * it through a pipeline. Public seeds.
 */
package io.sfumato.workload;
